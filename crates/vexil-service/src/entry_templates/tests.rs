use std::sync::Arc;

use time::OffsetDateTime;
use vexil_domain::{ActivationStrategy, EnvironmentSnapshot, FeatureFlag, Segment, SegmentId, Snapshot};

use super::{MOST, Templates};

/// A snapshot of one flag, whose strategy has this title and refers to the segments 1 and 2; there
/// is only the first.
fn snapshot(title: &str) -> EnvironmentSnapshot {
    let mut strategy = ActivationStrategy::new("id", "default");
    strategy.segments = vec![SegmentId(1), SegmentId(2)];
    strategy.title = Some(title.to_owned());
    let mut flag = FeatureFlag::new("flag", "default", OffsetDateTime::UNIX_EPOCH);
    let settings = flag
        .environments
        .get_or_insert_with("development".into(), Arc::default);
    Arc::make_mut(settings).strategies.push(strategy);
    let mut snapshot = Snapshot::default();
    snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
    let mut here = snapshot.in_environment(&"development".into());
    put_segment(&mut here, 1, "first");
    here
}

fn put_segment(snapshot: &mut EnvironmentSnapshot, id: i64, name: &str) {
    let segment = Segment::new(SegmentId(id), name, Vec::new());
    snapshot.segments.insert(segment.id, Arc::new(segment));
}

/// Whether the same template serves both snapshots.
fn shared(templates: &Templates, one: &EnvironmentSnapshot, other: &EnvironmentSnapshot) -> bool {
    let get =
        |snapshot: &EnvironmentSnapshot| templates.get(&snapshot.flags["flag"], "development", snapshot);
    Arc::ptr_eq(&get(one), &get(other))
}

#[test]
fn a_template_is_kept_until_its_flag_or_a_segment_changes() {
    let templates = Templates::default();
    let first = snapshot("title");
    assert!(shared(&templates, &first, &first));

    let mut unrelated = first.clone();
    put_segment(&mut unrelated, 3, "third");
    assert!(shared(&templates, &first, &unrelated));

    let mut renamed = first.clone();
    put_segment(&mut renamed, 1, "renamed");
    assert!(!shared(&templates, &first, &renamed));

    let mut found = first.clone();
    put_segment(&mut found, 2, "second");
    assert!(!shared(&templates, &first, &found));

    let mut gone = first.clone();
    gone.segments.clear();
    assert!(!shared(&templates, &first, &gone));

    assert!(!shared(&templates, &first, &snapshot("other title")));
}

#[test]
fn what_is_kept_stays_within_its_bound() {
    let templates = Templates::default();
    let bytes = || templates.kept.lock().unwrap().bytes();
    let half = snapshot(&"x".repeat(MOST * 2 / 5));
    assert!(shared(&templates, &half, &half));
    let kept = bytes();
    assert!((MOST * 2 / 5..MOST).contains(&kept));
    shared(&templates, &snapshot(&"y".repeat(MOST * 2 / 5)), &half);
    assert_eq!(
        bytes(),
        kept,
        "a template takes the place of the last one of its flag"
    );

    let large = snapshot(&"x".repeat(MOST));
    assert!(!shared(&templates, &large, &large));
    assert!(bytes() <= MOST);
}
