//! What never changes anything, as documents.

use serde_json::{Value, json};
use vexil_preview::{Finding, Subject};

/// One finding: what it is about, its kind, and the reason in words.
#[must_use]
pub fn finding_document(finding: &Finding) -> Value {
    let (kind, reason) = (finding.kind.name(), &finding.reason);
    match &finding.subject {
        Subject::Flag(flag) => json!({ "feature": flag.as_str(), "kind": kind, "reason": reason }),
        Subject::Segment(id, name) => {
            json!({ "segment": { "id": id.0, "name": name }, "kind": kind, "reason": reason })
        }
    }
}
