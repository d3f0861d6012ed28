//! Activation strategies of a flag in an environment: lists of them, and their places.

use serde::Serialize;
use serde_json::Value;
use vexil_change_request::{NewStrategy, StrategyPlace, StrategyUpdate};
use vexil_domain::{ActivationStrategy, StrategyId};

use super::strategy_fields::{read_new_strategy, read_places_at, read_strategy_id, read_strategy_update};
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

/// Reads what a strategy will say from the body of a request, which may say its id; where it does not, that is empty.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_whole_update(body: &Value) -> Result<StrategyUpdate, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    let id = node.get("id");
    let id = (!id.is_absent())
        .then(|| read_strategy_id(&id, &mut problems))
        .flatten();
    let update = read_strategy_update(id.unwrap_or_else(|| "".into()), &node, &mut problems);
    problems.finish(update)
}

/// Reads new places of strategies from the body of a request.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn read_places(body: &Value) -> Result<Vec<StrategyPlace>, Vec<Problem>> {
    let mut problems = Problems::new();
    let places = read_places_at(&Node::body(body), &mut problems);
    problems.finish(places)
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
