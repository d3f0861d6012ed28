//! Which texts can be stored: the same in all stores.

use std::sync::Arc;

use vexil_change_request::{ChangeRequest, EffectDigest, SignedEffect};
use vexil_domain::{
    Environment, FeatureFlag, Project, Segment, Snapshot, SnapshotDelta, StrategyType, TagType, Write,
};
use vexil_metrics::{Counts, Report};

use super::configuration::become_snapshot;
use super::usage::{Writer, fold};
use super::{Subject, sample, tokens_of};
use crate::{
    ApiToken, Commit, CommitError, InstanceKey, Loaded, MAX_KEY_BYTES, NewEvent, Registration, Reported,
    Store, StoreError, TextError, Unstorable,
};

fn snapshot_of_names(names: &[&str]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for &name in names {
        let mut flag = sample::flag(name);
        for settings in flag.environments.values_mut() {
            Arc::make_mut(settings)
                .strategies
                .iter_mut()
                .for_each(|strategy| strategy.id = name.into());
        }
        snapshot.flags.insert(name.into(), Arc::new(flag));
        snapshot
            .projects
            .insert(name.into(), Arc::new(sample::project(name)));
        snapshot
            .environments
            .insert(name.into(), Arc::new(sample::environment(name)));
        snapshot
            .strategy_types
            .insert(name.to_owned(), Arc::new(sample::strategy_type(name)));
        snapshot
            .tag_types
            .insert(name.to_owned(), Arc::new(sample::tag_type(name)));
    }
    snapshot
}

/// Slashes, quotes, blanks, other scripts, control characters, nothing at all.
pub fn names_may_hold_any_characters(subject: Subject) {
    let names = [
        "",
        " ",
        "a b",
        "a/b",
        "a%2Fb",
        "O'Neil",
        "\"quoted\"",
        "back\\slash",
        "semi;colon--",
        "{}",
        "$1",
        "?",
        ":x",
        "tab\tnew\nline\r",
        "größe",
        "名前",
        "🚩",
        "\u{202e}rtl",
        "\u{1}\u{7f}",
        "\u{feff}bom",
        "constructor",
        "__proto__",
        "NULL",
        "true",
        "1",
    ];
    let snapshot = snapshot_of_names(&names);
    become_snapshot(subject.store(), &snapshot);
    assert_eq!(subject.store().load().unwrap().snapshot, snapshot);
}

/// Case, blanks at the end, composed or not: different names.
pub fn names_differ_by_every_byte(subject: Subject) {
    let snapshot = snapshot_of_names(&["a", "A", "a ", " a", "ä", "a\u{308}", "ß", "ss", "ﬁ", "fi"]);
    become_snapshot(subject.store(), &snapshot);
    assert_eq!(subject.store().load().unwrap().snapshot, snapshot);
}

/// Up to the limit, in all places at once, and hard to compress.
pub fn names_may_be_long(subject: Subject) {
    let store = subject.store();
    let long = |start: u32| -> String {
        let mixed = |place: u32| {
            start
                .wrapping_mul(2_654_435_761)
                .wrapping_add(place.wrapping_mul(40_503))
                >> 7
        };
        (0..200)
            .filter_map(|place| char::from_u32(0x10000 + mixed(place) % 0xFFFF))
            .collect()
    };
    let names = [long(1), long(2), long(3), long(4)];
    assert!(names.iter().all(|name| name.len() == MAX_KEY_BYTES));
    let snapshot = snapshot_of_names(&[&names[0], &names[1]]);
    become_snapshot(store, &snapshot);
    assert_eq!(store.load().unwrap().snapshot, snapshot);

    let mut report = Report::new(names[0].as_str(), names[1].as_str(), sample::NOW, sample::NOW);
    report.add(
        names[2].as_str(),
        &Counts::new(1, 0).with_variant(names[3].as_str(), 1),
    );
    Writer::new(store).append(&report.pack());
    fold(store);
    let reported = store
        .reported_by(&Reported::Flags(vec![names[2].as_str().into()]))
        .unwrap();
    assert_eq!(reported[0].application, names[0]);

    let key = InstanceKey {
        application: names[0].clone(),
        environment: names[1].as_str().into(),
        instance: names[2].clone(),
    };
    let registration = Registration {
        key,
        sdk_version: Some("x".repeat(10_000)),
        strategies: Vec::new(),
        started: None,
        interval: None,
        seen_at: sample::NOW,
    };
    store.register(std::slice::from_ref(&registration)).unwrap();
    assert_eq!(
        store.instances(&names[..1]).unwrap()[0].registration,
        registration
    );

    let request = ChangeRequest {
        project: names[0].as_str().into(),
        environment: names[1].as_str().into(),
        title: Some("x".repeat(10_000)),
        ..sample::change_request(1)
    };
    let event = NewEvent {
        data: Some(format!("\"{}\"", "x".repeat(100_000))),
        ..sample::event("x")
    };
    let commit = Commit {
        expected: 1,
        change_requests: vec![Write::Upsert(Arc::new(request.clone()))],
        events: vec![event],
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
    assert_eq!(store.change_request(request.id).unwrap(), Some(request));
}

fn flag_commit(flag: FeatureFlag) -> Commit {
    let flags = vec![Write::Upsert(Arc::new(flag))];
    Commit {
        delta: SnapshotDelta {
            flags,
            ..SnapshotDelta::default()
        },
        ..Commit::default()
    }
}

fn delta_commit(delta: SnapshotDelta) -> Commit {
    Commit {
        delta,
        ..Commit::default()
    }
}

fn request_commit(request: ChangeRequest) -> Commit {
    Commit {
        change_requests: vec![Write::Upsert(Arc::new(request))],
        ..Commit::default()
    }
}

/// One commit for each place that holds plain text, with `text` in that place.
fn commits_with(text: &str) -> Vec<Commit> {
    let some = || Some(text.to_owned());
    let mut strategy = sample::flag("a");
    if let Some(settings) = strategy.environments.values_mut().next() {
        Arc::make_mut(settings).strategies[0].title = some();
    }
    let mut author = sample::change_request(1);
    author.changes[0].created_by.name = text.to_owned();
    let mut comment = sample::change_request(1);
    comment.comments[0].text = text.to_owned();
    let mut signed = sample::change_request(1);
    signed.approvals[0].effect = Some(SignedEffect {
        words: text.to_owned(),
        ..SignedEffect::of(EffectDigest::from_stored("a".to_owned()))
    });
    let project = Project {
        name: text.to_owned(),
        ..sample::project("a")
    };
    let environment = Environment {
        kind: text.to_owned(),
        ..sample::environment("a")
    };
    let segment = Segment {
        name: text.to_owned(),
        ..sample::segment(1)
    };
    let kind = StrategyType {
        description: text.to_owned(),
        ..sample::strategy_type("a")
    };
    let tags = TagType {
        description: some(),
        ..sample::tag_type("a")
    };
    let delta = SnapshotDelta::default;
    vec![
        flag_commit(FeatureFlag {
            description: some(),
            ..sample::flag("a")
        }),
        flag_commit(strategy),
        delta_commit(SnapshotDelta {
            projects: vec![Write::Upsert(project.into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            environments: vec![Write::Upsert(environment.into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            segments: vec![Write::Upsert(segment.into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            strategy_types: vec![Write::Upsert(kind.into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            tag_types: vec![Write::Upsert(tags.into())],
            ..delta()
        }),
        request_commit(ChangeRequest {
            title: some(),
            ..sample::change_request(1)
        }),
        request_commit(author),
        request_commit(comment),
        request_commit(signed),
        Commit {
            tokens: vec![Write::Upsert(Arc::new(ApiToken {
                name: text.to_owned(),
                ..sample::token(1)
            }))],
            ..Commit::default()
        },
        Commit {
            events: vec![NewEvent {
                data: some(),
                ..sample::event("a")
            }],
            ..Commit::default()
        },
    ]
}

/// One commit for each place that holds a name or id, with `name` in that place.
fn commits_named(name: &str) -> Vec<Commit> {
    let delta = SnapshotDelta::default;
    let mut strategy = sample::flag("a");
    if let Some(settings) = strategy.environments.values_mut().next() {
        Arc::make_mut(settings).strategies[0].id = name.into();
    }
    let mut dependency = sample::flag("a");
    dependency.dependencies[0].parent = name.into();
    let mut change = sample::change_request(1);
    change.changes[0].flag = Some(name.into());
    vec![
        flag_commit(FeatureFlag::new(name, "shop", sample::NOW)),
        flag_commit(FeatureFlag::new("a", name, sample::NOW)),
        flag_commit(strategy),
        flag_commit(dependency),
        delta_commit(SnapshotDelta {
            flags: vec![Write::Delete(name.into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            projects: vec![Write::Upsert(sample::project(name).into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            environments: vec![Write::Upsert(sample::environment(name).into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            strategy_types: vec![Write::Upsert(sample::strategy_type(name).into())],
            ..delta()
        }),
        delta_commit(SnapshotDelta {
            tag_types: vec![Write::Upsert(sample::tag_type(name).into())],
            ..delta()
        }),
        request_commit(ChangeRequest {
            project: name.into(),
            ..sample::change_request(1)
        }),
        request_commit(change),
        Commit {
            tokens: vec![Write::Upsert(Arc::new(ApiToken {
                projects: vec![name.into()],
                ..sample::token(1)
            }))],
            ..Commit::default()
        },
        Commit {
            events: vec![NewEvent {
                flag: Some(name.into()),
                ..sample::event("a")
            }],
            ..Commit::default()
        },
    ]
}

fn refused(store: &dyn Store, commit: &Commit) -> Unstorable {
    match store.commit(commit) {
        Err(CommitError::Store(StoreError::Unstorable(problem))) => problem,
        other => panic!("{other:?} of {commit:?}"),
    }
}

fn assert_untouched(store: &dyn Store) {
    assert_eq!(store.load().unwrap(), Loaded::default());
    assert!(tokens_of(store).is_empty());
}

/// PostgreSQL cannot hold it in a text, so no store does.
pub fn nul_is_refused_everywhere_before_anything_is_written(subject: Subject) {
    let store = subject.store();
    for commit in commits_with("a\0b").iter().chain(&commits_named("a\0b")) {
        let problem = refused(store, commit);
        assert_eq!(problem.problem, TextError::Nul);
        assert!(
            problem
                .to_string()
                .contains("(`a␀b`) must not hold a NUL character"),
            "{problem}"
        );
    }
    assert_untouched(store);
    let mut report = Report::new("shop", "production", sample::NOW, sample::NOW);
    report.add("a", &Counts::new(1, 0).with_variant("v\0", 1));
    let refused = Writer::new(store).try_append(&report.pack());
    assert!(matches!(refused, Err(StoreError::Unstorable(_))));
    assert!(store.reporting_applications().unwrap().is_empty());
}

/// A database could not index them, so no store takes them.
pub fn names_that_are_too_long_are_refused(subject: Subject) {
    let store = subject.store();
    for commit in &commits_named(&"x".repeat(MAX_KEY_BYTES + 1)) {
        let problem = refused(store, commit);
        assert_eq!(problem.problem, TextError::TooLong);
        assert!(problem.to_string().len() < 200, "{problem}");
    }
    assert_untouched(store);
    let mut report = Report::new(
        "x".repeat(MAX_KEY_BYTES + 1),
        "production",
        sample::NOW,
        sample::NOW,
    );
    report.add("a", &Counts::new(1, 0));
    let refused = Writer::new(store).try_append(&report.pack());
    assert!(matches!(refused, Err(StoreError::Unstorable(_))));
}

/// Constraints, variants and parameters are kept as documents, which can hold NUL.
pub fn lists_may_hold_any_text(subject: Subject) {
    let mut flag = sample::flag("a");
    for settings in flag.environments.values_mut() {
        let settings = Arc::make_mut(settings);
        settings
            .variants
            .iter_mut()
            .for_each(|variant| variant.name = "v\0".repeat(1000));
        for strategy in &mut settings.strategies {
            strategy.parameters.insert("\0".to_owned(), "a\0b".to_owned());
            strategy.constraints[0].values.push("\0".to_owned());
        }
    }
    subject.store().commit(&flag_commit(flag.clone())).unwrap();
    assert_eq!(*subject.store().load().unwrap().snapshot.flags["a"], flag);
}
