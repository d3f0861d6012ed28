//! What can be asked of a change request: state, title, reviewers, comments, and its project's rules.

use serde_json::Value;
use time::OffsetDateTime;
use vexil_change_request::{ChangeId, State};
use vexil_domain::{ActorId, ChangedEffect};

use vexil_client_api::json::{Node, Problem, Problems};

/// The largest whole number that every JSON reader keeps exactly.
const LARGEST: i64 = 9_007_199_254_740_991;

/// The most people who can be asked to review one change request.
const MOST_REVIEWERS: usize = 10;

/// `PUT …/change-requests/{id}/state`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateCommand {
    /// The state to go to.
    pub state: State,
    /// When to apply, for [`State::Scheduled`].
    pub scheduled_at: Option<OffsetDateTime>,
    /// What to say with it.
    pub comment: Option<String>,
    /// The digest of the effect that was read before: another one is neither approved nor applied.
    pub effect: Option<String>,
    /// The changes that were read before: others are neither approved nor applied.
    pub changes: Option<Vec<ChangeId>>,
}

impl StateCommand {
    /// Reads the command from the body.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(
                &mut problems,
                &["state", "scheduledAt", "comment", "effect", "changes"],
            )
            .is_none()
        {
            return problems.finish(None);
        }
        let names: Vec<&str> = State::ALL.iter().map(|state| state.name()).collect();
        let state = node.get("state").word(&mut problems, &names);
        let state = state.as_deref().and_then(State::from_name);
        let at = node.get("scheduledAt").nullable();
        let scheduled_at = if state == Some(State::Scheduled) || !at.is_absent() {
            at.instant(&mut problems)
        } else {
            None
        };
        if !at.is_absent() && state.is_some_and(|state| state != State::Scheduled) {
            let path = at.path();
            let message = format!(
                "The `{path}` property is for the state `{}`: in any other it would be passed over. Leave it out.",
                State::Scheduled.name()
            );
            problems.add(path, message);
        }
        let comment = node.get("comment").nullable().optional_text(&mut problems);
        let effect = node.get("effect").optional_text(&mut problems);
        let read = node.get("changes");
        let changes = if read.is_absent() {
            None
        } else {
            read.array(&mut problems).map(|ids| {
                let ids = ids.iter();
                let known = ids.filter_map(|id| id.integer(&mut problems, 0, LARGEST));
                known.map(ChangeId).collect()
            })
        };
        problems.finish(state.map(|state| Self {
            state,
            changes,
            scheduled_at,
            comment: comment.filter(|text| !text.trim().is_empty()),
            effect,
        }))
    }
}

/// Reads the body of `PUT …/change-requests/{id}/title`.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_title(body: &Value) -> Result<String, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    let title = node
        .object_of(&mut problems, &["title"])
        .and_then(|_| node.get("title").text(&mut problems));
    problems.finish(title)
}

/// Reads the body of `POST …/change-requests/{id}/comments`, which holds `text` and nothing else.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_comment(body: &Value) -> Result<String, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    node.object_of(&mut problems, &["text"]);
    let text = node.get("text").text(&mut problems);
    problems.finish(text)
}

/// Reads the body of `PUT …/change-requests/{id}/approvers`: who is asked to review, at most ten, each once.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_reviewers(body: &Value) -> Result<Vec<ActorId>, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["reviewers"]).is_none() {
        return problems.finish(None);
    }
    let place = node.get("reviewers");
    let Some(items) = place.array(&mut problems) else {
        return problems.finish(None);
    };
    if items.len() > MOST_REVIEWERS {
        problems.add(
            place.path(),
            format!(
                "The `{}` property must NOT have more than {MOST_REVIEWERS} items. You sent {}.",
                place.path(),
                items.len()
            ),
        );
    }
    let mut reviewers: Vec<ActorId> = Vec::new();
    for item in &items {
        let id = item.integer(&mut problems, -LARGEST, LARGEST).map(ActorId);
        if let Some(id) = id.filter(|id| !reviewers.contains(id)) {
            reviewers.push(id);
        }
    }
    problems.finish(Some(reviewers))
}

/// `PUT …/environments/{environment}/change-requests/config`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleCommand {
    /// Whether direct edits are to be refused.
    pub enabled: bool,
    /// How many people must approve, brought into 1 to 10; `None` where it was not said, or `null`, as it is shown.
    pub required_approvals: Option<u32>,
    /// What becomes of approvals when the effect becomes another one; `None` where it was not said.
    pub changed_effect: Option<ChangedEffect>,
}

impl RuleCommand {
    /// Reads the command from the body.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(
                &mut problems,
                &["changeRequestsEnabled", "requiredApprovals", "changedEffect"],
            )
            .is_none()
        {
            return problems.finish(None);
        }
        let enabled = node.get("changeRequestsEnabled").boolean(&mut problems);
        let approvals = node.get("requiredApprovals");
        let approvals = if approvals.is_absent_or_null() {
            None
        } else {
            approvals.integer(&mut problems, 0, LARGEST)
        };
        let changed = node.get("changedEffect").nullable();
        let changed_effect = if changed.is_absent() {
            None
        } else {
            let name = changed.text(&mut problems);
            let found = name.as_deref().and_then(ChangedEffect::from_name);
            if let (Some(name), None) = (&name, found) {
                problems.refuse(
                    changed.path(),
                    "must be `refuse` or `warn`",
                    &Value::from(name.as_str()),
                );
            }
            found
        };
        problems.finish(enabled.map(|enabled| Self {
            enabled,
            changed_effect,
            required_approvals: approvals.and_then(|number| u32::try_from(number.clamp(1, 10)).ok()),
        }))
    }
}
