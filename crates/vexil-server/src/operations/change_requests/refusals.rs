//! Refusals and blocking issues, as answers.

use vexil_admin_api::error::ErrorDetail;
use vexil_change_request::{ChangeRequest, Fault, Issue, Outcome, Refusal};

use crate::error::ApiError;

/// A step that a change request does not allow, as an answer.
pub(crate) fn refused(refusal: &Refusal) -> ApiError {
    let message = sentence(&refusal.to_string());
    match refusal {
        Refusal::NoPermission { permission, .. } => ApiError::Forbidden {
            message,
            permissions: vec![(*permission).to_owned()],
        },
        Refusal::NoWay { .. }
        | Refusal::WrongState { .. }
        | Refusal::NoChanges
        | Refusal::Suspended { .. } => ApiError::bad_data(message),
        other => answer(other.fault(), message),
    }
}

/// The answer of this kind, with one cause.
pub(super) fn answer(fault: Fault, message: String) -> ApiError {
    match fault {
        Fault::Invalid => ApiError::bad_data(message),
        Fault::Forbidden => ApiError::Forbidden {
            message,
            permissions: Vec::new(),
        },
        Fault::Missing => ApiError::NotFound(message),
        Fault::Conflict => ApiError::Conflict(message),
    }
}

/// The answer when a request's changes cannot be applied: one detail for each change that stands in
/// the way. `None` when they can.
pub(crate) fn blocked(request: &ChangeRequest, outcome: &Outcome) -> Option<ApiError> {
    let mut details: Vec<ErrorDetail> = Vec::new();
    let mut named = Vec::new();
    for issue in outcome.blocks() {
        if !named.contains(&issue.change) {
            named.push(issue.change);
            details.push(detail(issue, outcome));
        }
    }
    if details.is_empty() {
        return None;
    }
    Some(ApiError::BadData {
        message: format!(
            "Change request {} cannot be applied: {} of its {} changes cannot. Nothing was changed. Refer to the `details` list for the reasons.",
            request.id,
            details.len(),
            request.changes.len()
        ),
        details,
    })
}

/// The change of an issue, with all reasons why it cannot be made.
fn detail(issue: &Issue, outcome: &Outcome) -> ErrorDetail {
    let Issue {
        change,
        action,
        target,
        ..
    } = issue;
    let reasons = outcome.conflict_of_change(*change).unwrap_or_default();
    ErrorDetail {
        message: format!("Change {change} ({action} of {target}): {reasons}"),
        path: Some(format!("/changes/{change}{}", issue.path)),
    }
}

/// Error text as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}
