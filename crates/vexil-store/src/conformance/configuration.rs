//! The configuration comes back as it was put in.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use time::Duration;
use vexil_domain::{
    ActivationStrategy, FeatureFlag, FlagSettings, Project, ProjectEnvironment, Segment, SegmentId, Snapshot,
    SnapshotDelta, Write,
};
use vexil_proptest::{arb_storable_snapshot, arb_storable_text};

use super::{Subject, sample};
use crate::{Commit, Counters, Loaded, Store, to_the_microsecond};

/// Makes the store hold `wanted`, by one commit of what is different.
pub(super) fn become_snapshot(store: &dyn Store, wanted: &Snapshot) {
    let now = store.load().unwrap();
    let commit = Commit {
        expected: now.revision.sequence,
        counters: now.counters,
        delta: wanted.since(&now.snapshot),
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
}

fn commit_delta(store: &dyn Store, delta: SnapshotDelta) {
    let expected = store.revision().unwrap().sequence;
    store
        .commit(&Commit {
            expected,
            delta,
            ..Commit::default()
        })
        .unwrap();
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    })
}

/// Nothing is there, and ids begin at 1.
pub fn a_new_store_is_empty(subject: Subject) {
    let loaded = subject.store().load().unwrap();
    assert_eq!(loaded, Loaded::default());
    assert_eq!(
        loaded.counters,
        Counters {
            segment: 1,
            change_request: 1,
            change: 1,
            comment: 1,
            token: 1,
            user: 1,
            personal_token: 1,
            role: 101,
            group: 1,
            sign_up_link: 1,
        }
    );
}

/// Values with something in every field.
pub fn every_field_of_a_snapshot_comes_back(subject: Subject) {
    let snapshot = sample::snapshot();
    become_snapshot(subject.store(), &snapshot);
    assert_eq!(subject.store().load().unwrap().snapshot, snapshot);
}

/// Random values, each replacing all of the last.
pub fn any_snapshot_comes_back(subject: Subject) {
    let outcome = runner(32).run(&arb_storable_snapshot(arb_storable_text()), |snapshot| {
        become_snapshot(subject.store(), &snapshot);
        prop_assert_eq!(subject.store().load().unwrap().snapshot, snapshot);
        Ok(())
    });
    outcome.unwrap();
}

/// Random edits between snapshots that share most of their keys.
pub fn any_series_of_edits_leads_to_the_last_snapshot(subject: Subject) {
    let series = vec(
        arb_storable_snapshot(Just("name").prop_map(str::to_owned).boxed()),
        2..6,
    );
    let outcome = runner(12).run(&series, |series| {
        for snapshot in &series {
            become_snapshot(subject.store(), snapshot);
        }
        let last = series.last().cloned().unwrap_or_default();
        prop_assert_eq!(subject.store().load().unwrap().snapshot, last);
        Ok(())
    });
    outcome.unwrap();
}

/// Nothing of the earlier value is left, in any of its lists.
pub fn a_value_replaces_the_one_of_the_same_key(subject: Subject) {
    let store = subject.store();
    let mut snapshot = sample::snapshot();
    become_snapshot(store, &snapshot);
    let plain_project = Project {
        name: "plain".to_owned(),
        description: None,
        environments: [("production".into(), ProjectEnvironment::default())].into(),
        left_environments: [].into(),
        ..sample::project("shop")
    };
    let plain_flag = FeatureFlag::new("checkout", "default", sample::NOW + Duration::HOUR);
    let plain_segment = Segment::new(SegmentId(9), "plain", Vec::new());
    snapshot.projects.insert("shop".into(), Arc::new(plain_project));
    snapshot.flags.insert("checkout".into(), Arc::new(plain_flag));
    snapshot.segments.insert(SegmentId(9), Arc::new(plain_segment));
    become_snapshot(store, &snapshot);
    assert_eq!(store.load().unwrap().snapshot, snapshot);
}

/// A delta may name keys that are not there.
pub fn taking_away_what_is_not_there_is_no_error(subject: Subject) {
    let store = subject.store();
    become_snapshot(store, &sample::snapshot());
    let delta = SnapshotDelta {
        projects: vec![Write::Delete("nope".into())],
        environments: vec![Write::Delete("nope".into())],
        flags: vec![Write::Delete("nope".into()), Write::Delete("plain".into())],
        segments: vec![Write::Delete(SegmentId(99))],
        strategy_types: vec![Write::Delete("nope".to_owned())],
        tag_types: vec![Write::Delete("nope".to_owned())],
    };
    commit_delta(store, delta);
    let mut expected = sample::snapshot();
    expected.flags.remove("plain");
    assert_eq!(store.load().unwrap().snapshot, expected);
}

/// Strategies stay in the order in which they stand, whatever their ids and sort orders, and even
/// where two have the same id.
pub fn the_order_of_lists_is_kept(subject: Subject) {
    let strategies = ["c", "a", "b", "a"].map(|id| ActivationStrategy::new(id, "default"));
    let mut flag = FeatureFlag::new("checkout", "shop", sample::NOW);
    let settings = FlagSettings {
        strategies: strategies.into(),
        ..FlagSettings::default()
    };
    flag.environments.insert("production".into(), Arc::new(settings));
    let delta = SnapshotDelta {
        flags: vec![Write::Upsert(Arc::new(flag.clone()))],
        ..SnapshotDelta::default()
    };
    commit_delta(subject.store(), delta);
    assert_eq!(*subject.store().load().unwrap().snapshot.flags["checkout"], flag);
}

/// What is finer than a microsecond may be lost, nothing else; offsets do not matter.
pub fn instants_are_kept_to_the_microsecond(subject: Subject) {
    let instants = [
        time::macros::datetime!(2026-11-28 02:33:20.123456789 +05:30),
        time::macros::datetime!(1969-12-31 23:59:59.999999999 UTC),
        time::macros::datetime!(0001-01-01 00:00 UTC),
        time::macros::datetime!(9999-12-31 23:59:59.999999 UTC),
    ];
    for (instant, name) in instants.into_iter().zip(["a", "b", "c", "d"]) {
        let flag = FeatureFlag::new(name, "shop", instant);
        let delta = SnapshotDelta {
            flags: vec![Write::Upsert(Arc::new(flag))],
            ..SnapshotDelta::default()
        };
        commit_delta(subject.store(), delta);
        let kept = subject.store().load().unwrap().snapshot.flags[name].created_at;
        assert_eq!(to_the_microsecond(kept), to_the_microsecond(instant));
    }
}
