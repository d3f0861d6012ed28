//! Conflicts with scheduled requests, and suspension.

use time::Duration;
use vexil_budget::Budget;
use vexil_change_request::*;
use vexil_domain::SegmentId;

use crate::world::*;

fn request(id: i64, changes: Vec<(&str, Change)>) -> ChangeRequest {
    let opening = Opening {
        id: ChangeRequestId(id),
        project: "shop".into(),
        environment: "production".into(),
        min_approvals: 1,
    };
    let who = Caller {
        actor: actor(1),
        admin: true,
        permissions: Permissions::default(),
    };
    ChangeRequest::open(opening, planned(&sample(), changes), &who, NOW)
        .unwrap()
        .request
}

fn disable(id: &str) -> Change {
    Change::UpdateStrategy(StrategyUpdate {
        disabled: Some(true),
        ..StrategyUpdate::new(id)
    })
}

#[test]
fn changes_that_would_break_scheduled_requests_name_them() {
    let archive = request(1, vec![("payments", on()), ("checkout", Change::ArchiveFeature)]);
    let touches = request(2, vec![("checkout", disable("off"))]);
    let apart = request(3, vec![("banner", off())]);
    let conflicts = schedule_conflicts(
        &sample(),
        &archive,
        &[&archive, &touches, &apart],
        NOW,
        &Budget::unlimited(),
    )
    .by_change;
    let expected = [(ChangeId(2), vec![ChangeRequestId(2)])].into();
    assert_eq!(conflicts, expected);
    let removal = request(4, vec![("checkout", delete("off"))]);
    let conflicts = schedule_conflicts(
        &sample(),
        &removal,
        &[&touches, &apart],
        NOW,
        &Budget::unlimited(),
    )
    .by_change;
    assert_eq!(conflicts[&ChangeId(1)], [ChangeRequestId(2)]);
}

#[test]
fn a_request_that_is_broken_already_is_not_blamed_on_another() {
    let broken = request(2, vec![("nope", on())]);
    let archive = request(1, vec![("checkout", Change::ArchiveFeature)]);
    assert!(
        schedule_conflicts(&sample(), &archive, &[&broken], NOW, &Budget::unlimited())
            .by_change
            .is_empty()
    );
}

#[test]
fn a_scheduled_request_is_suspended_when_its_targets_were_edited_or_are_gone() {
    let update = StrategyUpdate {
        parameters: [("rollout".to_owned(), "70".to_owned())].into(),
        ..StrategyUpdate::new("narrow")
    };
    let waiting = request(2, vec![("checkout", Change::UpdateStrategy(update.clone()))]);
    assert_eq!(waiting.effect(&sample(), NOW).outcome.suspension(), None);
    let other = StrategyUpdate {
        parameters: [("rollout".to_owned(), "60".to_owned())].into(),
        ..update
    };
    let edited = lay(&sample(), vec![("checkout", Change::UpdateStrategy(other))]).proposed;
    let reason = waiting.effect(&edited, NOW).outcome.suspension().unwrap();
    assert!(reason.contains("was edited since"), "{reason}");
    for gone in [delete("narrow"), Change::ArchiveFeature] {
        let live = lay(&sample(), vec![("checkout", gone)]).proposed;
        assert!(waiting.effect(&live, NOW).outcome.suspension().is_some());
        assert!(
            waiting
                .refreshed(&live, NOW)
                .effect(&live, NOW)
                .outcome
                .suspension()
                .is_some()
        );
    }
    assert_eq!(
        waiting
            .refreshed(&edited, NOW)
            .effect(&edited, NOW)
            .outcome
            .suspension(),
        None
    );
}

#[test]
fn edits_of_other_flags_suspend_nothing() {
    let waiting = request(2, vec![("checkout", disable("narrow"))]);
    let live = lay(&sample(), vec![("banner", off()), ("payments", on())]).proposed;
    assert_eq!(
        waiting.effect(&live, NOW + Duration::DAY).outcome.suspension(),
        None
    );
}

#[test]
fn requests_that_share_nothing_are_not_looked_at() {
    let archive = request(1, vec![("checkout", Change::ArchiveFeature)]);
    let apart = request(3, vec![("banner", off())]);
    let nothing = Budget::new(0);
    let conflicts = schedule_conflicts(&sample(), &archive, &[&apart], NOW, &nothing);
    assert_eq!(conflicts, ScheduleConflicts::default());
    let touches = request(2, vec![("checkout", on())]);
    let unpaid = schedule_conflicts(&sample(), &archive, &[&touches], NOW, &nothing);
    assert_eq!(unpaid.unread, 1);
}

#[test]
fn a_thousand_changes_beside_a_thousand_scheduled_ones_cost_two_readings_of_each() {
    let many = |id| request(id, (0..1000).map(|_| ("checkout", disable("narrow"))).collect());
    let (ours, theirs) = (many(1), many(2));
    let budget = Budget::unlimited();
    assert_eq!(
        schedule_conflicts(&sample(), &ours, &[&theirs], NOW, &budget),
        ScheduleConflicts::default()
    );
    // about 600 bytes for each change, with what it replaces
    assert!(budget.spent() < 100_000, "{}", budget.spent());
}

#[test]
fn of_the_changes_of_one_flag_only_those_that_can_be_the_reason_are_named() {
    let ours = request(
        1,
        vec![
            ("checkout", off()),
            ("checkout", delete("off")),
            ("checkout", disable("narrow")),
        ],
    );
    let theirs = request(2, vec![("checkout", disable("off"))]);
    let conflicts = schedule_conflicts(&sample(), &ours, &[&theirs], NOW, &Budget::unlimited());
    assert_eq!(
        conflicts.by_change,
        [(ChangeId(2), vec![ChangeRequestId(2)])].into()
    );
}

#[test]
fn segments_are_shared_by_their_use_and_by_their_names() {
    let rename = |id: i64, name: &str| {
        let update = SegmentUpdate {
            id: SegmentId(id),
            name: name.to_owned(),
            description: None,
            project: None,
            constraints: Vec::new(),
        };
        ("", Change::UpdateSegment(update))
    };
    let using = |id: i64| {
        let mut new = NewStrategy {
            name: "default".to_owned(),
            ..NewStrategy::default()
        };
        new.segments = vec![SegmentId(id)];
        ("payments", Change::AddStrategy(new))
    };
    let removal = ("", Change::DeleteSegment { id: SegmentId(2) });
    let cases = [
        (vec![rename(1, "fresh")], vec![rename(2, "fresh")]),
        (vec![removal.clone()], vec![using(2)]),
        (vec![using(2)], vec![removal]),
    ];
    for (ours, theirs) in cases {
        let (ours, theirs) = (request(1, ours), request(2, theirs));
        let conflicts = schedule_conflicts(&sample(), &ours, &[&theirs], NOW, &Budget::unlimited());
        let expected = [(ChangeId(1), vec![ChangeRequestId(2)])].into();
        assert_eq!(conflicts.by_change, expected, "{ours:?}");
    }
}
