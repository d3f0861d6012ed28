//! Changes of segments.

use std::sync::Arc;

use vexil_change_request::*;
use vexil_domain::*;

use crate::world::*;

fn rename(id: i64, name: &str) -> Change {
    Change::UpdateSegment(SegmentUpdate {
        id: SegmentId(id),
        name: name.to_owned(),
        description: None,
        project: None,
        constraints: vec![is_in("userId", &["8"])],
    })
}

fn give_to(id: i64, name: &str, project: &str) -> Change {
    match rename(id, name) {
        Change::UpdateSegment(update) => Change::UpdateSegment(SegmentUpdate {
            project: Some(project.into()),
            ..update
        }),
        other => other,
    }
}

fn remove(id: i64) -> Change {
    Change::DeleteSegment { id: SegmentId(id) }
}

fn without_segments(id: &str) -> Change {
    Change::UpdateStrategy(StrategyUpdate {
        segments: Some(Vec::new()),
        constraints: vec![is_in("country", &["NO"])],
        ..StrategyUpdate::new(id)
    })
}

#[test]
fn an_update_replaces_what_the_segment_says() {
    let outcome = lay(&sample(), vec![("", rename(1, "early birds"))]);
    let segment = &outcome.proposed.segments[&SegmentId(1)];
    assert_eq!(segment.name, "early birds");
    assert_eq!(segment.constraints, [is_in("userId", &["8"])]);
    assert!(outcome.problems.is_empty());
}

#[test]
fn a_segment_goes_only_when_nothing_uses_it_once_all_is_done() {
    let used = lay(&sample(), vec![("", remove(1))]);
    assert_eq!(blocks(&used), [(1, ProblemCode::SegmentInUse)]);
    assert_eq!(ProblemCode::SegmentInUse.kind(), ErrorKind::Conflict);
    assert_eq!(used.proposed, sample());
    for changes in [
        vec![("", remove(1)), ("checkout", without_segments("narrow"))],
        vec![("checkout", without_segments("narrow")), ("", remove(1))],
        vec![("", remove(1)), ("checkout", Change::ArchiveFeature)],
    ] {
        let outcome = lay(&sample(), changes);
        assert!(blocks(&outcome).is_empty());
        assert!(!outcome.proposed.segments.contains_key(&SegmentId(1)));
    }
}

#[test]
fn a_segment_used_in_another_environment_or_project_stays() {
    for (project, environment) in [("shop", "development"), ("other", "production")] {
        let mut snapshot = sample();
        put_segment(&mut snapshot, 4, "elsewhere", None);
        let mut user = flag(project, "user", false, Vec::new());
        let mut strategy = ActivationStrategy::new("s", "default");
        strategy.segments = vec![SegmentId(4)];
        let settings = FlagSettings {
            strategies: vec![strategy],
            ..FlagSettings::default()
        };
        user.environments.insert(environment.into(), Arc::new(settings));
        put(&mut snapshot, user);
        assert_eq!(
            blocks(&lay(&snapshot, vec![("", remove(4))])),
            [(1, ProblemCode::SegmentInUse)]
        );
    }
}

#[test]
fn a_strategy_added_in_the_same_request_keeps_the_segment() {
    let new = NewStrategy {
        name: "default".to_owned(),
        segments: vec![SegmentId(2)],
        ..NewStrategy::default()
    };
    for changes in [
        vec![("", remove(2)), ("banner", Change::AddStrategy(new.clone()))],
        vec![("banner", Change::AddStrategy(new)), ("", remove(2))],
    ] {
        let outcome = lay(&sample(), changes);
        let codes: Vec<_> = outcome.blocks().map(|problem| problem.code).collect();
        assert_eq!(codes, [ProblemCode::SegmentInUse]);
    }
}

#[test]
fn names_are_unique_after_all_changes_so_two_segments_can_swap_theirs() {
    let taken = lay(&sample(), vec![("", rename(1, "partners"))]);
    assert_eq!(blocks(&taken), [(1, ProblemCode::SegmentNameTaken)]);
    assert_eq!(taken.proposed, sample());
    let swapped = lay(
        &sample(),
        vec![("", rename(1, "staff")), ("", give_to(2, "beta", "shop"))],
    );
    assert!(blocks(&swapped).is_empty());
    assert_eq!(swapped.proposed.segments[&SegmentId(1)].name, "staff");
}

#[test]
fn a_clashing_update_leaves_an_earlier_one_of_the_same_segment_standing() {
    let outcome = lay(
        &sample(),
        vec![("", rename(1, "first")), ("", rename(1, "partners"))],
    );
    assert_eq!(blocks(&outcome), [(2, ProblemCode::SegmentNameTaken)]);
    assert_eq!(outcome.proposed.segments[&SegmentId(1)].name, "first");
}

#[test]
fn a_segment_cannot_be_given_to_a_project_while_another_uses_it() {
    assert!(blocks(&lay(&sample(), vec![("", give_to(1, "beta", "shop"))])).is_empty());
    for project in ["other", "nope"] {
        let outcome = lay(&sample(), vec![("", give_to(1, "beta", project))]);
        assert_eq!(
            blocks(&outcome),
            [(1, ProblemCode::SegmentProjectInvalid)],
            "{project}"
        );
        assert_eq!(outcome.proposed, sample());
    }
}

#[test]
fn segments_of_other_projects_and_unknown_ones_cannot_be_changed() {
    let outcome = lay(
        &sample(),
        vec![
            ("", rename(3, "x")),
            ("", remove(3)),
            ("", rename(9, "y")),
            ("", remove(9)),
        ],
    );
    assert_eq!(
        blocks(&outcome),
        [
            (1, ProblemCode::SegmentForeign),
            (2, ProblemCode::SegmentForeign),
            (3, ProblemCode::SegmentMissing),
            (4, ProblemCode::SegmentMissing)
        ]
    );
}

#[test]
fn a_segment_that_goes_cannot_be_updated_after_that() {
    let outcome = lay(&sample(), vec![("", remove(2)), ("", rename(2, "x"))]);
    assert_eq!(blocks(&outcome), [(2, ProblemCode::SegmentMissing)]);
}

#[test]
fn losing_the_last_constraint_is_noted() {
    let update = SegmentUpdate {
        id: SegmentId(2),
        name: "staff".to_owned(),
        description: None,
        project: Some("shop".into()),
        constraints: Vec::new(),
    };
    let outcome = lay(&sample(), vec![("", Change::UpdateSegment(update))]);
    assert_eq!(codes(&outcome), [(1, ProblemCode::WidensExposure)]);
}

#[test]
fn a_segment_named_in_a_request_counts_as_used_by_it() {
    let snapshot = sample();
    let who = Caller {
        actor: actor(1),
        admin: false,
        permissions: Permissions::default(),
    };
    let new = NewStrategy {
        segments: vec![SegmentId(2)],
        ..NewStrategy::default()
    };
    let update = StrategyUpdate {
        segments: Some(vec![SegmentId(1)]),
        ..StrategyUpdate::new("narrow")
    };
    let changes = vec![
        ("banner", Change::AddStrategy(new)),
        ("checkout", Change::UpdateStrategy(update)),
    ];
    let opening = Opening {
        id: ChangeRequestId(1),
        project: "shop".into(),
        environment: "production".into(),
        min_approvals: 1,
    };
    let request = ChangeRequest::open(opening, planned(&snapshot, changes), &who, NOW)
        .unwrap()
        .request;
    assert!(request.uses_segment(SegmentId(1)) && request.uses_segment(SegmentId(2)));
    assert!(!request.uses_segment(SegmentId(3)));
}
