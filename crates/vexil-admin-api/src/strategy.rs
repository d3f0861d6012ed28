//! Activation strategies of a flag in an environment: lists of them, and their places.

use serde::Serialize;
use serde_json::Value;
use vexil_change_request::{NewStrategy, StrategyPlace, StrategyUpdate};
use vexil_domain::{ActivationStrategy, StrategyId};

use super::strategy_fields::{read_new_strategy, read_strategy_id, read_strategy_update};
use vexil_client_api::json::{Node, Problem, Problems};

/// Reads a strategy that is to be added from the body of a request.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_new(body: &Value) -> Result<NewStrategy, Vec<Problem>> {
    let mut problems = Problems::new();
    let strategy = read_new_strategy(&Node::body(body), &mut problems);
    problems.finish(strategy)
}

/// Reads what strategy `id` will say from the document at `node`.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_update(id: StrategyId, node: &Node<'_>) -> Result<StrategyUpdate, Vec<Problem>> {
    let mut problems = Problems::new();
    let update = read_strategy_update(id, node, &mut problems);
    problems.finish(update)
}

/// Reads new places of strategies from the body of a request.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn read_places(body: &Value) -> Result<Vec<StrategyPlace>, Vec<Problem>> {
    let mut problems = Problems::new();
    let items = Node::body(body).array(&mut problems).unwrap_or_default();
    let places = items
        .iter()
        .filter_map(|item| read_place(item, &mut problems))
        .collect();
    problems.finish(Some(places))
}

fn read_place(node: &Node<'_>, problems: &mut Problems) -> Option<StrategyPlace> {
    node.object_of(problems, &["id", "sortOrder"])?;
    let id = read_strategy_id(&node.get("id"), problems);
    let place = node
        .get("sortOrder")
        .integer(problems, i64::from(i32::MIN), i64::from(i32::MAX));
    Some(StrategyPlace {
        id: id?,
        sort_order: i32::try_from(place?).ok()?,
    })
}

/// A strategy in a list of those of a flag.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StrategyListItem<'a> {
    #[serde(flatten)]
    strategy: &'a ActivationStrategy,
    milestone_id: Option<&'a str>,
}

impl<'a> StrategyListItem<'a> {
    /// Shows `strategy`.
    #[must_use]
    pub fn of(strategy: &'a ActivationStrategy) -> Self {
        Self {
            strategy,
            milestone_id: None,
        }
    }
}
