//! Refusals and blocking issues, as answers.

use std::collections::BTreeMap;

use vexil_change_request::{ChangeId, ChangeRequest, Fault, Issue, Outcome, PlannedChange, Refusal};
use vexil_wire::error::ErrorDetail;

use crate::error::ApiError;

/// A step that a change request does not allow, as an answer.
pub(crate) fn refused(refusal: &Refusal) -> ApiError {
    answer(refusal.fault(), format!("{refusal}."))
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
    let mut reasons: BTreeMap<Option<ChangeId>, Vec<&Issue>> = BTreeMap::new();
    for issue in outcome.blocks() {
        reasons.entry(issue.change).or_default().push(issue);
    }
    if reasons.is_empty() {
        return None;
    }
    let details: Vec<ErrorDetail> = reasons
        .iter()
        .map(|(id, issues)| detail(request, *id, issues))
        .collect();
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

fn detail(request: &ChangeRequest, id: Option<ChangeId>, issues: &[&Issue]) -> ErrorDetail {
    let reasons: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    let reasons = reasons.join("; ");
    let planned = request.changes.iter().find(|planned| Some(planned.id) == id);
    match planned {
        Some(planned) => ErrorDetail {
            message: format!("{}: {reasons}", described(planned)),
            path: Some(format!("/changes/{}", planned.id)),
        },
        None => ErrorDetail {
            message: reasons,
            path: None,
        },
    }
}

/// A change in a few words: "Change 7 (updateStrategy of flag `checkout`)".
fn described(planned: &PlannedChange) -> String {
    let action = planned.change.action();
    let target = match (&planned.flag, planned.change.segment()) {
        (Some(flag), _) => format!("flag `{flag}`"),
        (None, Some(segment)) => format!("segment {segment}"),
        (None, None) => return format!("Change {} ({action})", planned.id),
    };
    format!("Change {} ({action} of {target})", planned.id)
}
