//! The state that `vexil preview` starts from, without a server, and changes laid over it.

use std::sync::Arc;

use serde_json::Value;
use time::OffsetDateTime;
use vexil_admin_api::change_requests::Proposal;
use vexil_change_request::{ChangeId, PlannedChange, Scope, overlay};
use vexil_domain::{ProjectId, Snapshot, StrategyType};
use vexil_service::operations::diff::BeforeAfter;
use vexil_service::operations::environment_view::EnvironmentView;
use vexil_service::operations::given_state::GivenState;
use vexil_service::system;

use super::error::{CommandError, of_changes};

/// A strategy type that only has a name: a file does not say which types there are.
fn strategy_type(name: &str) -> StrategyType {
    StrategyType {
        name: name.to_owned(),
        display_name: None,
        title: None,
        description: String::new(),
        built_in: false,
        deprecated: false,
        parameters: Vec::new(),
    }
}

/// Both sides of some changes, given as `[{feature, action, payload}]`.
pub(super) fn with_changes(
    mut state: GivenState,
    changes: &Value,
    now: OffsetDateTime,
) -> Result<BeforeAfter, CommandError> {
    let proposals = Proposal::one_or_many(changes).map_err(|problems| {
        let lines = problems
            .iter()
            .map(|problem| format!("\n  {}", of_changes(&problem.message)));
        CommandError(format!(
            "the changes cannot be understood:{}",
            lines.collect::<String>()
        ))
    })?;
    for name in strategy_names(&proposals) {
        let kind = Arc::new(strategy_type(&name));
        state.snapshot.strategy_types.entry(name).or_insert(kind);
    }
    let flag = proposals
        .iter()
        .find_map(|proposal| state.snapshot.flags.get(proposal.flag.as_ref()?));
    let project = flag.map_or_else(|| ProjectId::from("default"), |flag| flag.project.clone());
    let planned: Vec<PlannedChange> = (1..)
        .zip(proposals)
        .map(|(id, proposal)| PlannedChange {
            id: ChangeId(id),
            flag: proposal.flag,
            change: proposal.change,
            before: None,
            created_by: system(),
            created_at: now,
        })
        .collect();
    let scope = Scope {
        project: project.clone(),
        environment: state.environment.clone(),
        request: None,
        now,
    };
    let outcome = overlay(&state.snapshot, &scope, &planned);
    let blocks: Vec<String> = outcome.blocks().map(|problem| format!("\n  {problem}")).collect();
    if !blocks.is_empty() {
        return Err(CommandError(format!(
            "the changes cannot be applied:{}",
            blocks.concat()
        )));
    }
    let stage = |snapshot: &Snapshot| {
        let snapshot = snapshot.in_environment(&state.environment);
        EnvironmentView::new(state.environment.clone(), snapshot)
    };
    Ok(BeforeAfter {
        before: stage(&state.snapshot),
        after: stage(&outcome.proposed),
        project,
        elsewhere: Vec::new(),
    })
}

/// The types of the strategies that changes speak of.
fn strategy_names(proposals: &[Proposal]) -> Vec<String> {
    use vexil_change_request::Change::{AddStrategy, UpdateStrategy};
    let name = |proposal: &Proposal| match &*proposal.change {
        AddStrategy(new) => Some(new.name.clone()),
        UpdateStrategy(update) => update.name.clone(),
        _ => None,
    };
    proposals.iter().filter_map(name).collect()
}
