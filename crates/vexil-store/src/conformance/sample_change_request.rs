//! Change requests with something in every field.

use std::collections::BTreeMap;

use time::Duration;
use vexil_change_request::{
    Approval, Before, Change, ChangeId, ChangeRequest, ChangeRequestId, Comment, CommentId, EarlierTitle,
    EffectDigest, NewStrategy, PlannedChange, Schedule, ScheduleStatus, SegmentUpdate, Setback, SignedEffect,
    State, StrategyPlace, StrategyUpdate, UpdateEnabled,
};
use vexil_domain::{Actor, ActorId, Parameters, SegmentId};

use super::sample::{NOW, actor, constraint, flag, strategy, variant};

/// A draft of one change, by `actor`.
#[must_use]
pub fn draft(id: i64, created_by: Actor) -> ChangeRequest {
    ChangeRequest {
        id: ChangeRequestId(id),
        title: None,
        project: "shop".into(),
        environment: "production".into(),
        min_approvals: 1,
        state: State::Draft,
        changes: vec![planned(id * 100, Some("checkout"), Change::ArchiveFeature, None)],
        approvals: Vec::new(),
        rejections: Vec::new(),
        comments: Vec::new(),
        requested_reviewers: Vec::new(),
        created_by,
        created_at: NOW,
        state_timestamps: BTreeMap::from([(State::Draft, NOW)]),
        schedule: None,
        setback: None,
        earlier_titles: Vec::new(),
    }
}

/// A scheduled change request with something in every field and a change of every action.
#[must_use]
pub fn change_request(id: i64) -> ChangeRequest {
    let review = |id| Approval {
        created_by: actor(id),
        created_at: NOW + Duration::seconds(id),
        effect: (id > 2).then(|| SignedEffect {
            digest: EffectDigest::from_stored(format!("1:{id:064x}")),
            words: format!("no. {id} is `on`"),
            revision: id as u64,
        }),
    };
    let comment = |id| Comment {
        id: CommentId(id),
        text: format!("no. {id}: \"why\"?"),
        created_by: actor(id),
        created_at: NOW,
    };
    let earlier = |title: Option<&str>| EarlierTitle {
        title: title.map(str::to_owned),
        until: NOW + Duration::MINUTE,
        by: actor(7),
    };
    let suspended = ScheduleStatus::Suspended {
        reason: "the strategy was updated".to_owned(),
    };
    ChangeRequest {
        title: Some("Everything, everywhere".to_owned()),
        min_approvals: 10,
        state: State::Scheduled,
        changes: all_changes(id * 100),
        approvals: vec![review(5), review(3)],
        rejections: vec![review(4), review(2)],
        comments: vec![comment(id * 10), comment(id * 10 + 1)],
        requested_reviewers: vec![ActorId(8), ActorId(3)],
        state_timestamps: BTreeMap::from([(State::Draft, NOW), (State::InReview, NOW + Duration::SECOND)]),
        schedule: Some(Schedule {
            scheduled_at: NOW + Duration::DAY,
            scheduled_by: actor(6),
            status: suspended,
        }),
        setback: Some(Setback {
            at: NOW + Duration::HOUR,
            by: actor(8),
            reason: "what it would do has become \"something else\"".to_owned(),
            approvals: vec![review(3), review(2)],
        }),
        earlier_titles: vec![earlier(None), earlier(Some("Everything"))],
        ..draft(id, actor(7))
    }
}

fn planned(id: i64, flag: Option<&str>, change: Change, before: Option<Before>) -> PlannedChange {
    PlannedChange {
        id: ChangeId(id),
        flag: flag.map(Into::into),
        change: change.into(),
        before,
        created_by: actor(7),
        created_at: NOW,
    }
}

fn all_changes(first: i64) -> Vec<PlannedChange> {
    let segment = SegmentUpdate {
        id: SegmentId(9),
        name: "payers".to_owned(),
        description: Some("who pays".to_owned()),
        project: Some("shop".into()),
        constraints: vec![constraint()],
    };
    let new = NewStrategy {
        id: Some("given".into()),
        name: "flexibleRollout".to_owned(),
        title: Some("half".to_owned()),
        disabled: Some(true),
        sort_order: Some(3),
        parameters: Parameters::from([("rollout".to_owned(), "50".to_owned())]),
        constraints: vec![constraint()],
        segments: vec![SegmentId(2)],
        variants: vec![variant("v")],
    };
    let update = StrategyUpdate {
        name: Some("default".to_owned()),
        segments: Some(vec![SegmentId(4)]),
        variants: vec![variant("w")],
        ..StrategyUpdate::new("s1")
    };
    let parent = flag("x").dependencies;
    let changes = [
        (
            Change::UpdateEnabled(UpdateEnabled {
                enabled: true,
                activate_disabled: true,
            }),
            Some(Before::Enabled(false)),
        ),
        (Change::AddStrategy(new), None),
        (
            Change::UpdateStrategy(update),
            Some(Before::Strategy(strategy("s1"))),
        ),
        (
            Change::DeleteStrategy { id: "s2".into() },
            Some(Before::Strategy(strategy("s2"))),
        ),
        (
            Change::ReorderStrategy(vec![StrategyPlace {
                id: "s3".into(),
                sort_order: 1,
            }]),
            None,
        ),
        (
            Change::PatchVariant {
                variants: vec![variant("v")],
            },
            Some(Before::Variants(vec![variant("u")])),
        ),
        (Change::ArchiveFeature, None),
        (
            Change::AddDependency(parent[0].clone()),
            Some(Before::Dependencies(Vec::new())),
        ),
        (
            Change::DeleteDependency {
                parent: Some("payments".into()),
            },
            Some(Before::Dependencies(parent)),
        ),
        (
            Change::UpdateSegment(segment.clone()),
            Some(Before::Segment(segment)),
        ),
        (Change::DeleteSegment { id: SegmentId(7) }, None),
        (unsupported(), None),
    ];
    let about = |change: &Change| change.segment().is_none().then_some("checkout");
    // Not in the order of their ids: the order of changes is one of its own.
    let ids = (first..first + 100).rev();
    ids.zip(changes)
        .map(|(id, (change, before))| planned(id, about(&change), change, before))
        .collect()
}

fn unsupported() -> Change {
    Change::Unsupported {
        action: "addReleasePlan".to_owned(),
        payload: Some("{\"templateId\":\"T\"}".to_owned()),
    }
}
