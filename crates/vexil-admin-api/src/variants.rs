//! Variants of a flag itself, as they are sent.

use std::collections::BTreeSet;

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_domain::{EnvironmentName, Variant};

use super::strategy_fields::read_variant;

/// Reads a list of variants that must stand at a place.
pub fn read_variants(node: &Node<'_>, problems: &mut Problems) -> Option<Vec<Variant>> {
    let items = node.array(problems)?;
    Some(
        items
            .iter()
            .filter_map(|item| read_variant(item, problems))
            .collect(),
    )
}

/// Reads a document that is a list of variants.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_variant_list(document: &Value) -> Result<Vec<Variant>, Vec<Problem>> {
    let mut problems = Problems::new();
    let variants = read_variants(&Node::body(document), &mut problems);
    problems.finish(variants)
}

/// The same variants for several environments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantsForm {
    /// The environments, at least one.
    pub environments: BTreeSet<EnvironmentName>,
    /// All variants that there will be.
    pub variants: Vec<Variant>,
}

impl VariantsForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["variants", "environments"])
            .is_none()
        {
            return problems.finish(None);
        }
        let variants = read_variants(&node.get("variants"), &mut problems);
        let place = node.get("environments");
        let items = place.array(&mut problems);
        if items.as_ref().is_some_and(Vec::is_empty) {
            let why = "must NOT have fewer than 1 items";
            problems.refuse(place.path(), why, &Value::Array(Vec::new()));
        }
        let names = items.unwrap_or_default();
        let names = names.iter().filter_map(|item| item.non_empty_text(&mut problems));
        let environments: BTreeSet<EnvironmentName> = names.map(EnvironmentName::from).collect();
        problems.finish(variants.map(|variants| Self {
            environments,
            variants,
        }))
    }
}
