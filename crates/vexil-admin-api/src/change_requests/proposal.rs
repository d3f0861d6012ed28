//! Changes as they are proposed: one, or many at once.

use serde_json::Value;
use vexil_change_request::{Change, CheckedChange};
use vexil_domain::FlagName;

use super::payload::read_change;
use vexil_client_api::json::{Node, Problem, Problems};

/// A change that somebody asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The flag it is for; `None` for changes of segments.
    pub flag: Option<FlagName>,
    /// What is to be changed.
    pub change: CheckedChange,
    /// Where its payload stood in the request, such as `/body/0/payload`.
    pub path: String,
}

/// The members of a proposed change. Those that are not read belong to the documents that a change is shown in.
const PROPOSAL: &[&str] = &[
    "action",
    "feature",
    "payload",
    "id",
    "conflict",
    "createdBy",
    "createdAt",
    "scheduleConflicts",
];

impl Proposal {
    /// Reads a body that is one change.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn one(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let proposal = Self::read(&Node::body(body), &mut problems);
        problems.finish(proposal)
    }

    /// Reads a body that is one change, or an array of at least one.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with any of them.
    pub fn one_or_many(body: &Value) -> Result<Vec<Self>, Vec<Problem>> {
        let Value::Array(items) = body else {
            return Self::one(body).map(|proposal| vec![proposal]);
        };
        let mut problems = Problems::new();
        if items.is_empty() {
            problems.refuse("/body", "must NOT have fewer than 1 items", body);
        }
        let nodes = Node::body(body).array(&mut problems).unwrap_or_default();
        let proposals = nodes
            .iter()
            .filter_map(|node| Self::read(node, &mut problems))
            .collect();
        problems.finish(Some(proposals))
    }

    /// Reads an array of at least one change that is a part of a body; what is wrong is added to `problems`.
    pub fn listed(node: &Node<'_>, problems: &mut Problems) -> Vec<Self> {
        let nodes = node.array(problems).unwrap_or_default();
        if nodes.is_empty() && node.value().is_some_and(Value::is_array) {
            problems.refuse(
                node.path(),
                "must NOT have fewer than 1 items",
                &Value::Array(Vec::new()),
            );
        }
        let proposals = nodes.iter().filter_map(|node| Self::read(node, problems));
        proposals.collect()
    }

    fn read(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        node.object_of(problems, PROPOSAL)?;
        let action = read_action(&node.get("action"), problems);
        let for_segment = matches!(action.as_deref(), Some("updateSegment" | "deleteSegment"));
        let flag = if for_segment {
            None
        } else {
            Some(node.get("feature").nullable().non_empty_text(problems))
        };
        let payload = node.get("payload");
        let path = payload.path().to_owned();
        let change = read_change(&action?, &payload, problems);
        Some(Self {
            flag: match flag {
                None => None,
                Some(name) => Some(name?.into()),
            },
            change: CheckedChange::new(change?),
            path,
        })
    }
}

fn read_action(node: &Node<'_>, problems: &mut Problems) -> Option<String> {
    let action = node.text(problems)?;
    if Change::ACTIONS.contains(&action.as_str()) || Change::UNSUPPORTED_ACTIONS.contains(&action.as_str()) {
        return Some(action);
    }
    let path = node.path();
    let known = Change::ACTIONS
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect::<Vec<_>>();
    problems.add(
        path,
        format!(
            "The `{path}` property must be equal to one of the allowed values: {}. You provided \"{action}\", which is not valid.",
            known.join(", ")
        ),
    );
    None
}
