use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use vexil_domain::{
    ActivationStrategy, EnvironmentFlag, EnvironmentSnapshot, FeatureFlag, FlagSettings, Segment, SegmentId,
    Write,
};
use vexil_engine::Update;

use super::*;
use crate::client_features::write_features;
use crate::{Features, read_delta, read_features};

fn query<'a>(
    projects: Option<&'a [ProjectId]>,
    environment: &'a vexil_domain::EnvironmentName,
    revision: u64,
) -> Query<'a> {
    Query {
        projects,
        name_prefix: None,
        tagged: None,
        environment,
        revision,
        tag: "",
        hash: "",
    }
}

/// A flag as small as it can be: a number says everything of it.
fn flag(name: u8, shape: u16) -> EnvironmentFlag {
    let mut strategy = ActivationStrategy::new("s", "default");
    strategy.segments = (0..4)
        .filter(|bit| shape >> bit & 1 == 1)
        .map(|bit| SegmentId(i64::from(bit)))
        .collect();
    strategy.disabled = shape >> 4 & 3 == 0;
    strategy.parameters.insert("shape".to_owned(), shape.to_string());
    let project = if shape >> 6 & 1 == 1 { "mine" } else { "theirs" };
    let flag = FeatureFlag::new(format!("flag-{name}"), project, time::OffsetDateTime::UNIX_EPOCH);
    let mut flag = flag.in_environment(&"e".into());
    flag.settings = Arc::new(FlagSettings {
        enabled: shape >> 7 & 1 == 1,
        strategies: vec![strategy],
        variants: Vec::new(),
    });
    flag
}

fn segment(id: u8, name: u8) -> Segment {
    Segment::new(SegmentId(i64::from(id)), format!("segment-{name}"), Vec::new())
}

/// One thing that changes. A flag or segment that is not there can be taken away as well.
#[derive(Debug, Clone, Copy)]
enum Edit {
    Put(u8, u16),
    Remove(u8),
    PutSegment(u8, u8),
    RemoveSegment(u8),
}

fn arb_edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => (0_u8..6, any::<u16>()).prop_map(|(name, shape)| Edit::Put(name, shape)),
        2 => (0_u8..6).prop_map(Edit::Remove),
        2 => (0_u8..4, any::<u8>()).prop_map(|(id, name)| Edit::PutSegment(id, name)),
        1 => (0_u8..4).prop_map(Edit::RemoveSegment),
    ]
}

fn update(edits: &[Edit]) -> Update {
    let mut update = Update::default();
    for edit in edits {
        match *edit {
            Edit::Put(name, shape) => update.flags.push(Write::Upsert(Arc::new(flag(name, shape)))),
            Edit::Remove(name) => update.flags.push(Write::Delete(format!("flag-{name}").into())),
            Edit::PutSegment(id, name) => update.segments.push(Write::Upsert(Arc::new(segment(id, name)))),
            Edit::RemoveSegment(id) => update.segments.push(Write::Delete(SegmentId(i64::from(id)))),
        }
    }
    update
}

/// What an SDK has that asked for everything.
fn whole(snapshot: &EnvironmentSnapshot, query: &Query<'_>) -> EnvironmentSnapshot {
    let mut out = Vec::new();
    write_features(snapshot, Segments::Listed, query, &mut out);
    let Features { snapshot, problems } = read_features(&out).unwrap();
    assert_eq!(problems, []);
    snapshot
}

/// Brings what an SDK has up to date, by what the server would send it.
fn bring_up_to_date(
    client: &mut EnvironmentSnapshot,
    known: Option<u64>,
    history: &History,
    snapshot: &EnvironmentSnapshot,
    query: &Query<'_>,
) -> String {
    let mut out = Vec::new();
    match known.and_then(|known| history.since(known)) {
        Some(changes) => write_changes(&changes, snapshot, query, &mut out),
        None => write_hydration(snapshot, query, &mut out),
    }
    let delta = read_delta(&out).unwrap();
    assert_eq!(delta.problems, []);
    delta.apply(client);
    String::from_utf8(out).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_state_built_from_deltas_is_the_whole_document_whatever_was_missed(
        steps in vec((vec(arb_edit(), 1..4), 1_u64..3, any::<[bool; 3]>()), 1..24),
        narrowed: bool,
    ) {
        let environment = "e".into();
        let mine = ["mine".into()];
        let projects: Option<&[ProjectId]> = narrowed.then_some(&mine);
        let mut snapshot = EnvironmentSnapshot::default();
        let mut history = History::new(1);
        let mut never_seen = BTreeSet::from([0_u8, 1, 2, 3, 4, 5]);
        let mut clients: [(EnvironmentSnapshot, Option<u64>); 3] = Default::default();
        for (edits, passed_over, asks) in steps {
            let update = update(&edits);
            let revision = history.revision().number + passed_over;
            history = history.after(&snapshot, &update, revision);
            if passed_over == 2 {
                // another server made two revisions of this, and a client has seen the one between
                let mut between = snapshot.clone();
                super::tests::update(&edits[..1]).apply(&mut between);
                clients[2] = (whole(&between, &query(projects, &environment, revision - 1)), Some(revision - 1));
            }
            update.apply(&mut snapshot);
            let query = query(projects, &environment, revision);
            never_seen.retain(|name| {
                let flag = snapshot.flags.get(format!("flag-{name}").as_str());
                flag.is_none_or(|flag| !query.admits(flag))
            });
            for ((client, known), asks) in clients.iter_mut().zip(asks) {
                if asks {
                    let text = bring_up_to_date(client, *known, &history, &snapshot, &query);
                    *known = Some(revision);
                    prop_assert_eq!(&*client, &whole(&snapshot, &query));
                    for name in &never_seen {
                        prop_assert!(!text.contains(&format!("flag-{name}\"")), "{}", text);
                    }
                }
            }
        }
    }
}

#[test]
fn a_revision_that_is_too_old_or_was_never_here_is_not_known() {
    let mut history = History::new(100);
    let snapshot = EnvironmentSnapshot::default();
    assert!(history.since(99).is_none() && history.since(101).is_none());
    assert!(history.since(100).unwrap().is_empty());
    for number in 1..=2000 {
        history = history.after(&snapshot, &update(&[Edit::Put(1, 1)]), 100 + 2 * number);
    }
    assert_eq!(history.revision(), 4100.into());
    assert!(history.since(100).is_none());
    assert_eq!(history.since(4098).unwrap().steps().count(), 1);
    assert_eq!(history.since(4000).unwrap().steps().count(), 50);
    assert!(history.since(4099).is_none());
    assert!(history.since(4100).unwrap().is_empty());
}

#[test]
fn more_than_is_kept_track_of_is_forgotten_at_once() {
    let edits: Vec<Edit> = (0..17_000).map(|number| Edit::Put(0, number)).collect();
    let history = History::new(1).after(&EnvironmentSnapshot::default(), &update(&edits), 2);
    assert!(history.since(1).is_none());
    assert!(history.since(2).unwrap().is_empty());
}
