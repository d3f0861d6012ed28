//! Tests of what the audit log tells of flags.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_domain::{ActivationStrategy, Dependency, FeatureFlag, FlagSettings, Write};

use super::flag;

fn bare_flag() -> FeatureFlag {
    FeatureFlag::new("checkout", "shop", OffsetDateTime::UNIX_EPOCH)
}

fn with_strategies(enabled: bool, strategies: Vec<ActivationStrategy>) -> FeatureFlag {
    let mut flag = bare_flag();
    let settings = FlagSettings {
        enabled,
        strategies,
        variants: Vec::new(),
    };
    flag.environments.insert("production".into(), Arc::new(settings));
    flag
}

fn strategy(id: &str, sort_order: i32) -> ActivationStrategy {
    ActivationStrategy {
        sort_order,
        ..ActivationStrategy::new(id, "default")
    }
}

fn kinds(was: Option<&FeatureFlag>, now: FeatureFlag) -> Vec<&'static str> {
    let entries = flag(was, &Write::Upsert(Arc::new(now))).unwrap();
    entries.into_iter().map(|entry| entry.kind).collect()
}

#[test]
fn a_new_flag_is_told_with_everything_it_starts_with() {
    assert_eq!(kinds(None, bare_flag()), ["feature-created"]);
    let full = with_strategies(true, vec![strategy("a", 0)]);
    assert_eq!(
        kinds(None, full),
        [
            "feature-created",
            "feature-strategy-add",
            "feature-environment-enabled"
        ]
    );
}

#[test]
fn strategies_are_told_one_by_one_and_their_order_once() {
    let was = with_strategies(false, vec![strategy("a", 0), strategy("b", 1), strategy("c", 2)]);
    let mut changed = strategy("a", 5);
    changed.disabled = true;
    let now = with_strategies(false, vec![strategy("d", 0), strategy("b", 4), changed]);
    assert_eq!(
        kinds(Some(&was), now),
        [
            "feature-strategy-remove",
            "feature-strategy-add",
            "feature-strategy-update",
            "strategy-order-changed"
        ]
    );
}

#[test]
fn archiving_and_reviving_are_told_by_name() {
    let live = bare_flag();
    let archived = FeatureFlag {
        archived_at: Some(OffsetDateTime::UNIX_EPOCH),
        ..bare_flag()
    };
    assert_eq!(kinds(Some(&live), archived.clone()), ["feature-archived"]);
    assert_eq!(kinds(Some(&archived), live.clone()), ["feature-revived"]);
    let gone = flag(Some(&archived), &Write::Delete("checkout".into())).unwrap();
    assert_eq!(gone.first().map(|entry| entry.kind), Some("feature-deleted"));
}

#[test]
fn what_a_flag_says_of_itself_is_told_before_and_after() {
    let was = bare_flag();
    let now = FeatureFlag {
        description: Some("new".to_owned()),
        stale: true,
        ..bare_flag()
    };
    let entries = flag(Some(&was), &Write::Upsert(Arc::new(now))).unwrap();
    let told: Vec<_> = entries
        .iter()
        .map(|entry| (entry.kind, entry.pre_data.is_some()))
        .collect();
    assert_eq!(
        told,
        [("feature-metadata-updated", true), ("feature-stale-on", false)]
    );
}

#[test]
fn a_parent_that_takes_anothers_place_is_told_as_added_and_the_other_as_removed() {
    let dependency = |parent: &str| Dependency {
        parent: parent.into(),
        enabled: true,
        variants: Vec::new(),
    };
    let was = FeatureFlag {
        dependencies: vec![dependency("a")],
        ..bare_flag()
    };
    let now = FeatureFlag {
        dependencies: vec![dependency("b")],
        ..bare_flag()
    };
    assert_eq!(
        kinds(Some(&was), now),
        ["feature-dependency-added", "feature-dependency-removed"]
    );
    assert_eq!(kinds(Some(&was), bare_flag()), ["feature-dependencies-removed"]);
}

#[test]
fn nothing_is_told_of_a_flag_that_is_as_it_was() {
    let flag = with_strategies(true, vec![strategy("a", 0)]);
    assert!(kinds(Some(&flag.clone()), flag).is_empty());
}
