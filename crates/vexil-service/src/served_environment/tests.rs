use time::OffsetDateTime;
use vexil_domain::{FlagSettings, Snapshot};
use vexil_engine::{Ambient, Context};

use super::*;

fn flag(is_on: bool) -> FeatureFlag {
    let mut flag = FeatureFlag::new("checkout", "default", OffsetDateTime::UNIX_EPOCH);
    let settings = FlagSettings {
        enabled: is_on,
        ..FlagSettings::default()
    };
    flag.environments.insert("production".into(), Arc::new(settings));
    flag
}

fn is_on(environment: &ServedEnvironment) -> bool {
    let id = environment.engine().flag("checkout").expect("it is there");
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    environment
        .engine()
        .prepare(&Context::default(), &ambient)
        .is_enabled_by(id)
}

fn switched(is_on: bool) -> SnapshotDelta {
    SnapshotDelta {
        flags: vec![Write::Upsert(Arc::new(flag(is_on)))],
        ..SnapshotDelta::default()
    }
}

#[test]
fn an_environment_is_compiled_when_something_is_evaluated_and_follows_edits_before_and_after() {
    let name = EnvironmentName::from("production");
    let mut snapshot = Snapshot::default();
    snapshot.apply(&switched(false));
    let first = ServedEnvironment::new(&name, snapshot.in_environment(&name), 1.into());
    let first = Arc::new(first);
    let second = first.after(&switched(true), |_| 2.into());
    assert!(second.engine.get().is_none(), "nobody has asked");
    assert!(is_on(&second));
    assert!(!is_on(&first));
    let third = second.after(&switched(false), |_| 3.into());
    assert!(third.engine.get().is_some(), "it is made of the one before");
    assert!(!is_on(&third));
    assert!(is_on(&second));
}
