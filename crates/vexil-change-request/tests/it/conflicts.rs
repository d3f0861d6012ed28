//! Conflicts with scheduled requests, and suspension.

use time::Duration;
use vexil_change_request::*;

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
    ChangeRequest::open(opening, planned(&sample(), changes), &who, NOW).request
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
    let conflicts = schedule_conflicts(&sample(), &archive, &[&archive, &touches, &apart], NOW);
    let expected = [(ChangeId(2), vec![ChangeRequestId(2)])].into();
    assert_eq!(conflicts, expected);
    let removal = request(4, vec![("checkout", delete("off"))]);
    let conflicts = schedule_conflicts(&sample(), &removal, &[&touches, &apart], NOW);
    assert_eq!(conflicts[&ChangeId(1)], [ChangeRequestId(2)]);
}

#[test]
fn a_request_that_is_broken_already_is_not_blamed_on_another() {
    let broken = request(2, vec![("nope", on())]);
    let archive = request(1, vec![("checkout", Change::ArchiveFeature)]);
    assert!(schedule_conflicts(&sample(), &archive, &[&broken], NOW).is_empty());
}

#[test]
fn a_scheduled_request_is_suspended_when_its_targets_were_edited_or_are_gone() {
    let update = StrategyUpdate {
        parameters: [("rollout".to_owned(), "70".to_owned())].into(),
        ..StrategyUpdate::new("narrow")
    };
    let waiting = request(2, vec![("checkout", Change::UpdateStrategy(update.clone()))]);
    assert_eq!(suspension(&sample(), &waiting, NOW), None);
    let other = StrategyUpdate {
        parameters: [("rollout".to_owned(), "60".to_owned())].into(),
        ..update
    };
    let edited = lay(&sample(), vec![("checkout", Change::UpdateStrategy(other))]).proposed;
    let reason = suspension(&edited, &waiting, NOW).unwrap();
    assert!(reason.contains("was edited since"), "{reason}");
    for gone in [delete("narrow"), Change::ArchiveFeature] {
        let live = lay(&sample(), vec![("checkout", gone)]).proposed;
        assert!(suspension(&live, &waiting, NOW).is_some());
        assert!(suspension(&live, &waiting.refreshed(&live, NOW), NOW).is_some());
    }
    assert_eq!(suspension(&edited, &waiting.refreshed(&edited, NOW), NOW), None);
}

#[test]
fn edits_of_other_flags_suspend_nothing() {
    let waiting = request(2, vec![("checkout", disable("narrow"))]);
    let live = lay(&sample(), vec![("banner", off()), ("payments", on())]).proposed;
    assert_eq!(suspension(&live, &waiting, NOW + Duration::DAY), None);
}
