//! Instances come back as they registered.

use std::thread;

use time::Duration;

use vexil_domain::{SnapshotDelta, Write};

use super::{Subject, sample};
use crate::{Commit, Instance, InstanceKey, Registration, Store};

fn registration(application: &str, environment: &str, instance: &str) -> Registration {
    Registration {
        key: InstanceKey {
            application: application.to_owned(),
            environment: environment.into(),
            instance: instance.to_owned(),
        },
        sdk_version: Some("unleash-client-node:6.1.0".to_owned()),
        strategies: vec!["default".to_owned(), "b'\"\0".to_owned(), "a".to_owned()],
        started: Some(sample::NOW - Duration::DAY),
        interval: Some(u32::MAX),
        seen_at: sample::NOW,
    }
}

/// All instances, by key.
fn all(store: &dyn Store) -> Vec<Instance> {
    let known: Vec<String> = store.registered_applications().unwrap().into_iter().collect();
    store.instances(&known).unwrap()
}

/// With everything there, and with everything left out that may be.
pub fn a_registration_is_read_back_whole(subject: Subject) {
    let full = registration("shop", "production", "i-1");
    let bare = Registration {
        sdk_version: None,
        strategies: Vec::new(),
        started: None,
        interval: None,
        ..registration("shop", "production", "i-2")
    };
    subject.store().register(&[full.clone(), bare.clone()]).unwrap();
    let instance = |registration| Instance {
        registration,
        first_seen: sample::NOW,
    };
    assert_eq!(all(subject.store()), [instance(full), instance(bare)]);
}

/// It is the same instance; the first time and the latest are kept.
pub fn a_later_registration_replaces_an_earlier_one(subject: Subject) {
    let store = subject.store();
    let at = |seconds| Registration {
        sdk_version: Some(format!("v{seconds}")),
        seen_at: sample::NOW + Duration::seconds(seconds),
        ..registration("shop", "production", "i-1")
    };
    store.register(&[at(5), at(9)]).unwrap();
    store.register(&[at(2)]).unwrap();
    let expected = Instance {
        registration: Registration {
            seen_at: at(9).seen_at,
            ..at(2)
        },
        first_seen: at(5).seen_at,
    };
    assert_eq!(store.instances(&["shop".to_owned()]).unwrap(), [expected]);
}

/// Application, environment, instance, by their bytes.
pub fn instances_are_read_by_application_in_order_of_key(subject: Subject) {
    let store = subject.store();
    let names = [
        ("shop", "b", "1"),
        ("Till", "a", "1"),
        ("shop", "a", "ä"),
        ("shop", "a", "z"),
        ("shop ", "a", "1"),
    ];
    let all: Vec<_> = names
        .map(|(application, environment, name)| registration(application, environment, name))
        .into();
    store.register(&all).unwrap();
    let keys = |applications: &[&str]| {
        let applications: Vec<String> = applications.iter().map(|&it| it.to_owned()).collect();
        let instances = store.instances(&applications).unwrap();
        let key = |it: Instance| {
            let key = it.registration.key;
            format!("{}/{}/{}", key.application, key.environment, key.instance)
        };
        instances.into_iter().map(key).collect::<Vec<_>>()
    };
    assert_eq!(
        keys(&["shop ", "Till", "shop", "nope"]),
        ["Till/a/1", "shop/a/z", "shop/a/ä", "shop/b/1", "shop /a/1"]
    );
    assert_eq!(keys(&["shop"]), ["shop/a/z", "shop/a/ä", "shop/b/1"]);
    assert!(keys(&["SHOP"]).is_empty());
    assert!(keys(&[]).is_empty());
    let known: Vec<String> = store.registered_applications().unwrap().into_iter().collect();
    assert_eq!(known, ["Till", "shop", "shop "]);
}

/// Those last heard of at the very instant stay.
pub fn instances_not_heard_of_are_forgotten(subject: Subject) {
    let store = subject.store();
    let later = Registration {
        seen_at: sample::NOW + Duration::SECOND,
        ..registration("shop", "production", "late")
    };
    store
        .register(&[registration("shop", "production", "early"), later.clone()])
        .unwrap();
    assert_eq!(store.purge_instances(sample::NOW).unwrap(), 0);
    assert_eq!(store.purge_instances(later.seen_at).unwrap(), 1);
    assert_eq!(all(store)[0].registration, later);
}

/// No deadlock, and one instance each.
pub fn registrations_of_one_instance_may_come_all_at_once(subject: Subject) {
    let store = subject.store();
    thread::scope(|scope| {
        for writer in 0..20 {
            scope.spawn(move || {
                let mut both = [
                    registration("shop", "production", "i-1"),
                    registration("till", "production", "i-1"),
                ];
                both.rotate_left(writer % 2);
                store.register(&both).unwrap();
            });
        }
    });
    assert_eq!(all(store).len(), 2);
}

/// Proxies and old SDKs say less than what is known; what they leave out stays.
pub fn a_poorer_registration_wipes_nothing(subject: Subject) {
    let store = subject.store();
    let full = registration("shop", "production", "i-1");
    let poor = Registration {
        sdk_version: None,
        strategies: Vec::new(),
        started: None,
        interval: None,
        seen_at: sample::NOW + Duration::MINUTE,
        ..full.clone()
    };
    store.register(std::slice::from_ref(&full)).unwrap();
    store.register(std::slice::from_ref(&poor)).unwrap();
    let seen_at = poor.seen_at;
    let expected = Registration { seen_at, ..full };
    assert_eq!(all(store)[0].registration, expected);
    let later = Registration {
        sdk_version: Some("v2".to_owned()),
        ..poor
    };
    store
        .register(&[
            later.clone(),
            Registration {
                sdk_version: None,
                ..later
            },
        ])
        .unwrap();
    let expected = Registration {
        sdk_version: Some("v2".to_owned()),
        ..expected
    };
    assert_eq!(all(store)[0].registration, expected);
}

/// The next environment of that name begins without them.
pub fn instances_go_with_their_environment(subject: Subject) {
    let store = subject.store();
    store
        .register(&[
            registration("shop", "qa", "i-1"),
            registration("shop", "production", "i-1"),
        ])
        .unwrap();
    let delta = SnapshotDelta {
        environments: vec![Write::Delete("qa".into())],
        ..SnapshotDelta::default()
    };
    store
        .commit(&Commit {
            delta,
            ..Commit::default()
        })
        .unwrap();
    let left: Vec<String> = all(store)
        .iter()
        .map(|it| it.registration.key.environment.to_string())
        .collect();
    assert_eq!(left, ["production"]);
}
