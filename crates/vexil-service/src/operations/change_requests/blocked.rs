//! What stands in the way of applying a change request, as an error.

use std::collections::BTreeSet;

use vexil_admin_api::error::ErrorDetail;
use vexil_change_request::{ChangeProblem, ChangeRequest, Outcome};

use crate::operations::Error;

/// The answer when a request's changes cannot be applied: one detail for each change that stands in
/// the way. `None` when they can.
#[must_use]
pub fn blocked(request: &ChangeRequest, outcome: &Outcome) -> Option<Error> {
    let conflicts = outcome.conflicts();
    let mut named = BTreeSet::new();
    let first = outcome.blocks().filter(|problem| named.insert(problem.change));
    let details: Vec<ErrorDetail> = first
        .map(|problem| detail(problem, conflicts.get(&problem.change)))
        .collect();
    if details.is_empty() {
        return None;
    }
    Some(Error::Invalid {
        message: format!(
            "Change request {} cannot be applied: {} of its {} changes cannot. Nothing was changed. Refer to the `details` list for the reasons.",
            request.id,
            details.len(),
            request.changes.len()
        ),
        details,
    })
}

/// The change of a problem, with all reasons why it cannot be made.
fn detail(problem: &ChangeProblem, reasons: Option<&String>) -> ErrorDetail {
    let ChangeProblem {
        change,
        action,
        target,
        ..
    } = problem;
    let reasons = reasons.map(String::as_str).unwrap_or_default();
    ErrorDetail {
        message: format!("Change {change} ({action} of {target}): {reasons}"),
        path: Some(format!("/changes/{change}{}", problem.path)),
        ..ErrorDetail::default()
    }
}
