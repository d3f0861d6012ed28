//! Tests of what environments are taken for.

use time::macros::datetime;
use vexil_domain::{FeatureFlag, Snapshot};
use vexil_store::{ConfigurationStore, MemoryStore};

use super::*;

#[test]
fn environments_that_do_not_exist_share_what_is_compiled() {
    let mut loaded = MemoryStore::new().load().unwrap();
    let flag = FeatureFlag::new("checkout", "default", datetime!(2026-11-27 12:00 UTC));
    loaded.snapshot = Snapshot::default();
    loaded.snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
    let serving = ServingState::new(loaded);
    let [one, other] = ["mars", "venus"].map(|name| EnvironmentView::current(&serving, &name.into()));
    assert!(Arc::ptr_eq(&one.snapshot, &other.snapshot));
    assert_eq!(one.name.as_str(), "mars");
    assert!(one.engine.flag("checkout").is_some());
}
