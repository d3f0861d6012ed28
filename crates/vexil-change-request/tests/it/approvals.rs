//! What an approval is for, and when it counts.

use std::sync::Arc;

use proptest::prelude::*;
use vexil_change_request::*;
use vexil_domain::*;
use vexil_proptest::arb_planned_changes;

use crate::people::{approver, caller, draft, tomorrow};
use crate::world::*;

fn request(changes: Vec<(&str, Change)>) -> ChangeRequest {
    ChangeRequest {
        changes: planned(&sample(), changes),
        ..draft(1)
    }
}

fn digest(live: &Snapshot, changes: Vec<(&str, Change)>) -> EffectDigest {
    request(changes).effect(live, NOW).signed.digest
}

fn edited(edit: impl FnOnce(&mut Snapshot)) -> Snapshot {
    let mut live = sample();
    edit(&mut live);
    live
}

fn settings_mut<'s>(snapshot: &'s mut Snapshot, flag: &str) -> &'s mut FlagSettings {
    let flag = Arc::make_mut(snapshot.flags.get_mut(flag).unwrap());
    Arc::make_mut(flag.environments.get_mut("production").unwrap())
}

fn set_default(snapshot: &mut Snapshot, strategy: ActivationStrategy) {
    let project = Arc::make_mut(snapshot.projects.get_mut("shop").unwrap());
    project
        .environments
        .get_mut("production")
        .unwrap()
        .default_strategy = Some(strategy);
}

#[test]
fn the_default_strategy_that_is_added_is_part_of_what_is_approved() {
    let narrow = || {
        ActivationStrategy::new("default", "flexibleRollout")
            .with_parameter("rollout", "1")
            .with_constraint(is_in("userId", &["qa"]))
    };
    let then = edited(|live| set_default(live, narrow()));
    let approved = digest(&then, vec![("payments", on())]);
    assert_eq!(digest(&then.clone(), vec![("payments", on())]), approved);
    let wide = ActivationStrategy::new("default", "flexibleRollout").with_parameter("rollout", "100");
    let now = edited(|live| set_default(live, wide));
    assert_ne!(digest(&now, vec![("payments", on())]), approved);
    let mut sticky = then;
    let project = Arc::make_mut(sticky.projects.get_mut("shop").unwrap());
    project.default_stickiness = Stickiness::Random;
    assert_ne!(digest(&sticky, vec![("payments", on())]), approved);
}

/// Edits by others of what decides who gets `checkout`, and of what does not.
type Edit = fn(&mut Snapshot);

fn others() -> [(&'static str, bool, Edit); 9] {
    [
        ("its parameters", true, |live| {
            let strategy = &mut settings_mut(live, "checkout").strategies[0];
            strategy.parameters.insert("rollout".to_owned(), "60".to_owned());
        }),
        ("a segment it uses", true, |live| {
            let segment = Arc::make_mut(live.segments.get_mut(&SegmentId(1)).unwrap());
            segment.constraints.clear();
        }),
        ("its switch", true, |live| {
            settings_mut(live, "checkout").enabled = false
        }),
        ("its parent", true, |live| {
            Arc::make_mut(live.flags.get_mut("checkout").unwrap()).dependencies = vec![Dependency {
                parent: "payments".into(),
                enabled: true,
                variants: Vec::new(),
            }];
        }),
        ("a title", false, |live| {
            settings_mut(live, "checkout").strategies[0].title = Some("new".to_owned());
        }),
        ("the name of a segment", false, |live| {
            Arc::make_mut(live.segments.get_mut(&SegmentId(1)).unwrap()).name = "new".to_owned();
        }),
        ("a strategy that is disabled", false, |live| {
            settings_mut(live, "checkout").strategies[1].name = "other".to_owned();
        }),
        ("another flag", false, |live| {
            settings_mut(live, "banner").enabled = false
        }),
        ("another environment", false, |live| {
            let flag = Arc::make_mut(live.flags.get_mut("checkout").unwrap());
            let settings = Arc::new(FlagSettings {
                enabled: true,
                ..FlagSettings::default()
            });
            flag.environments.insert("development".into(), settings);
        }),
    ]
}

#[test]
fn what_others_edit_counts_exactly_when_users_would_notice() {
    let add = || {
        let new = NewStrategy {
            name: "default".to_owned(),
            constraints: vec![is_in("userId", &["7"])],
            ..NewStrategy::default()
        };
        vec![("checkout", Change::AddStrategy(new))]
    };
    let approved = digest(&sample(), add());
    for (what, counts, edit) in others() {
        assert_eq!(digest(&edited(edit), add()) != approved, counts, "{what}");
    }
}

#[test]
fn a_segment_is_approved_for_the_flags_that_use_it() {
    let update = || {
        let update = SegmentUpdate {
            id: SegmentId(1),
            name: "beta".to_owned(),
            description: None,
            project: None,
            constraints: Vec::new(),
        };
        vec![("", Change::UpdateSegment(update))]
    };
    let approved = digest(&sample(), update());
    let more = edited(|live| settings_mut(live, "banner").strategies[0].segments = vec![SegmentId(1)]);
    assert_ne!(digest(&more, update()), approved);
}

#[test]
fn what_depends_on_a_flag_is_part_of_the_effect() {
    let child = edited(|live| {
        Arc::make_mut(live.flags.get_mut("checkout").unwrap()).dependencies = vec![Dependency {
            parent: "banner".into(),
            enabled: true,
            variants: Vec::new(),
        }];
    });
    assert_ne!(
        digest(&child, vec![("banner", off())]),
        digest(&sample(), vec![("banner", off())])
    );
}

#[test]
fn a_flag_without_strategies_says_something_else_than_one_with_disabled_ones() {
    let strategies = |strategies: Vec<ActivationStrategy>| {
        edited(|live| {
            let settings = settings_mut(live, "banner");
            settings.enabled = true;
            settings.strategies = strategies;
        })
    };
    let disabled = ActivationStrategy {
        disabled: true,
        ..ActivationStrategy::new("s", "default")
    };
    let [everybody, nobody] = [Vec::new(), vec![disabled]].map(strategies);
    assert_ne!(
        digest(&everybody, vec![("banner", off())]),
        digest(&nobody, vec![("banner", off())])
    );
}

fn demand<'a>(
    effect: &'a SignedEffect,
    required_approvals: u32,
    may_approve: &'a dyn Fn(&Actor) -> bool,
) -> Demand<'a> {
    Demand {
        effect,
        tolerates_change: false,
        required_approvals,
        may_approve,
    }
}

const ANYBODY: &dyn Fn(&Actor) -> bool = &|_| true;

/// In review, and approved by person 2 when its effect was `one`.
fn approved_once(min_approvals: u32, one: &SignedEffect) -> ChangeRequest {
    let demand = demand(one, 1, ANYBODY);
    let draft = draft(min_approvals);
    let review = draft.transition(Transition::InReview, &caller("author"), &demand, NOW);
    let approved = review
        .unwrap()
        .request
        .transition(Transition::Approved, &approver(2), &demand, NOW);
    approved.unwrap().request
}

fn effects() -> [SignedEffect; 2] {
    ["1:one", "1:other"].map(|text| SignedEffect {
        words: format!("that of {text}"),
        ..SignedEffect::of(EffectDigest::from_stored(text.to_owned()))
    })
}

#[test]
fn an_approval_of_another_effect_does_not_count() {
    let [one, other] = effects();
    let approved = approved_once(1, &one);
    assert_eq!(approved.state, State::Approved);
    let now = demand(&other, 1, ANYBODY);
    for to in [Transition::Applied, tomorrow()] {
        let refused = approved
            .transition(to, &caller("applier"), &now, NOW)
            .unwrap_err();
        let expected = StepError::NotApproved {
            counted: 0,
            needed: 1,
            changed: Some(ChangedWords {
                approved: Some("that of 1:one".to_owned()),
                now: "that of 1:other".to_owned(),
            }),
        };
        assert_eq!(refused, expected);
        assert_eq!(refused.kind(), ErrorKind::Conflict);
    }
    let back = approved.fall_back(&now, &actor(9), NOW).unwrap();
    assert_eq!(
        (back.request.state, back.request.approvals.len()),
        (State::InReview, 0)
    );
    assert_eq!(back.events[0].kind, EventKind::SentToReview);
    assert!(
        back.events[0]
            .reason
            .as_ref()
            .unwrap()
            .contains("has changed since")
    );
    // the same person may look again
    let again = back
        .request
        .transition(Transition::Approved, &approver(2), &now, NOW);
    assert_eq!(again.unwrap().request.state, State::Approved);
}

#[test]
fn where_the_rules_say_so_an_approval_of_another_effect_counts() {
    let [one, other] = effects();
    let approved = approved_once(1, &one);
    let now = Demand {
        tolerates_change: true,
        ..demand(&other, 1, ANYBODY)
    };
    let applied = approved.transition(Transition::Applied, &caller("applier"), &now, NOW);
    assert_eq!(applied.unwrap().request.state, State::Applied);
    assert_eq!(approved.fall_back(&now, &actor(9), NOW), None);
    assert_eq!(approved.approved_otherwise(&other), Some(&one));
    assert_eq!(approved.approved_otherwise(&one), None);
}

#[test]
fn an_approval_counts_while_its_giver_may_approve() {
    let [one, _] = effects();
    let approved = approved_once(1, &one);
    let gone = |actor: &Actor| actor.id != ActorId(2);
    let now = demand(&one, 1, &gone);
    let refused = approved.transition(Transition::Applied, &caller("applier"), &now, NOW);
    let expected = StepError::NotApproved {
        counted: 0,
        needed: 1,
        changed: None,
    };
    assert_eq!(refused, Err(expected));
    // with two needed, the approval of who is gone is replaced and not added to
    let first = approved_once(2, &one);
    let second = first
        .transition(Transition::Approved, &approver(3), &now, NOW)
        .unwrap();
    assert_eq!(second.request.state, State::InReview);
    let ids: Vec<i64> = second
        .request
        .approvals
        .iter()
        .map(|it| it.created_by.id.0)
        .collect();
    assert_eq!(ids, [3]);
}

#[test]
fn the_larger_of_what_was_and_what_is_asked_for_must_approve() {
    let [one, _] = effects();
    for (then, now, state) in [
        (1, 3, State::InReview),
        (3, 1, State::InReview),
        (2, 2, State::InReview),
        (1, 1, State::Approved),
        (0, 0, State::Approved),
        (99, 1, State::InReview),
    ] {
        let review = approved_once(9, &one);
        let review = ChangeRequest {
            min_approvals: then,
            approvals: Vec::new(),
            ..review
        };
        let demand = demand(&one, now, ANYBODY);
        let step = review.transition(Transition::Approved, &approver(2), &demand, NOW);
        assert_eq!(step.unwrap().request.state, state, "{then} {now}");
    }
    let approved = approved_once(1, &one);
    let raised = demand(&one, 3, ANYBODY);
    let refused = approved.transition(Transition::Applied, &caller("admin"), &raised, NOW);
    assert_eq!(refused.unwrap_err().code(), "not_approved");
    let back = approved.fall_back(&raised, &actor(9), NOW).unwrap();
    assert_eq!(
        (back.request.state, back.request.approvals.len()),
        (State::InReview, 1)
    );
    assert_eq!(
        approved.fall_back(&demand(&one, 1, ANYBODY), &actor(9), NOW),
        None
    );
}

#[test]
fn a_schedule_whose_approvals_do_not_count_is_suspended_and_then_reviewed_again() {
    let [one, other] = effects();
    let (then, now) = (demand(&one, 1, ANYBODY), demand(&other, 1, ANYBODY));
    let approved = approved_once(1, &one);
    let scheduled = approved
        .transition(tomorrow(), &caller("applier"), &then, NOW)
        .unwrap()
        .request;
    let due = NOW + time::Duration::DAY;
    let refused = scheduled.apply_scheduled(&caller("applier"), &now, due);
    assert_eq!(refused.unwrap_err().code(), "not_approved");
    let demoted = scheduled.apply_scheduled(&caller("stranger"), &then, due);
    assert_eq!(demoted.unwrap_err().code(), "no_permission");
    let suspended = scheduled.fall_back(&now, &actor(9), NOW).unwrap().request;
    assert_eq!(suspended.state, State::Scheduled);
    assert_eq!(suspended.schedule.as_ref().unwrap().status.name(), "suspended");
    let again = suspended.transition(tomorrow(), &caller("applier"), &now, NOW);
    assert_eq!(again.unwrap_err().code(), "not_approved");
    let back = suspended.fall_back(&now, &actor(9), NOW).unwrap().request;
    assert_eq!((back.state, back.schedule), (State::InReview, None));
    for who in ["author", "applier", "admin"] {
        let asked = suspended
            .transition(Transition::InReview, &caller(who), &now, NOW)
            .unwrap();
        assert_eq!(
            (asked.request.state, asked.request.approvals.len()),
            (State::InReview, 0)
        );
    }
    let stranger = suspended.transition(Transition::InReview, &caller("stranger"), &now, NOW);
    assert_eq!(stranger.unwrap_err().code(), "no_permission");
    let waiting = scheduled.transition(Transition::InReview, &caller("admin"), &then, NOW);
    assert_eq!(waiting.unwrap_err().code(), "no_way");
}

#[test]
fn approvals_from_before_effects_had_names_do_not_count() {
    let [one, _] = effects();
    let mut approved = approved_once(1, &one);
    approved.approvals[0].effect = None;
    let refused = approved.transition(
        Transition::Applied,
        &caller("applier"),
        &demand(&one, 1, ANYBODY),
        NOW,
    );
    assert_eq!(refused.unwrap_err().code(), "not_approved");
}

proptest! {
    #[test]
    fn equal_effects_have_equal_names_and_no_difference_is_one_name(
        (snapshot, changes) in arb_snapshot().prop_flat_map(|snapshot| {
            let changes = arb_planned_changes(&snapshot, &scope(), 0..=6);
            (Just(snapshot), changes)
        })
    ) {
        let proposed = overlay(&snapshot, &scope(), &changes).proposed;
        let name = effect_digest(&snapshot, &proposed);
        prop_assert_eq!(&name, &effect_digest(&snapshot.clone(), &proposed.clone()));
        let nothing = effect_digest(&snapshot, &snapshot);
        prop_assert_eq!(&nothing, &effect_digest(&proposed, &proposed));
        let live = |snapshot: &Snapshot| snapshot.in_environment(&"production".into());
        if live(&snapshot) == live(&proposed) {
            prop_assert_eq!(name, nothing);
        }
    }
}
