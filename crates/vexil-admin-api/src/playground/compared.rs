//! What two sides are compared: two environments or given states, or one environment as it is and as changes would make it.

use serde_json::Value;
use vexil_client_api::json::{Node, Problems};
use vexil_domain::{EnvironmentName, ProjectId};

use super::part::Part;
use crate::change_requests::Proposal;

/// One side of a comparison.
#[derive(Debug)]
pub enum ComparedSide {
    /// An environment as it is.
    Environment(EnvironmentName),
    /// A state that comes with the question: an export, or client features.
    State {
        /// The document.
        document: Value,
        /// The environment that it is of, where that is said beside it.
        environment: Option<EnvironmentName>,
    },
}

/// Two sides, each an environment or a state.
#[derive(Debug)]
pub struct TwoSides {
    /// The one that is compared.
    pub before: ComparedSide,
    /// The one that it is compared with.
    pub after: ComparedSide,
    /// The project whose flags are compared; `None` for those of all.
    pub project: Option<ProjectId>,
}

/// Changes that nobody has made or proposed yet.
#[derive(Debug)]
pub struct ProposedChanges {
    /// The project that they would be made in.
    pub project: ProjectId,
    /// The environment.
    pub environment: EnvironmentName,
    /// The changes.
    pub proposals: Vec<Proposal>,
}

/// `{"environment": "production"}`, or `{"state": {…}, "environment"?: "production"}`.
fn read_side(side: &Node<'_>, problems: &mut Problems) -> Option<ComparedSide> {
    side.object_of(problems, &["environment", "state"])?;
    let (environment, state) = (side.get("environment").nullable(), side.get("state").nullable());
    if state.is_absent() {
        let environment = environment.non_empty_text(problems)?;
        return Some(ComparedSide::Environment(environment.into()));
    }
    let environment = match environment.is_absent() {
        true => None,
        false => Some(environment.non_empty_text(problems)?.into()),
    };
    state.object(problems)?;
    state.value().map(|document| ComparedSide::State {
        document: document.clone(),
        environment,
    })
}

impl Part for TwoSides {
    fn members() -> Vec<&'static str> {
        vec!["before", "after", "project"]
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let mut side = |name: &str| read_side(&node.get(name), problems);
        let (before, after) = (side("before"), side("after"));
        let project = node.get("project").nullable();
        let project = if project.is_absent() {
            None
        } else {
            project.non_empty_text(problems)
        };
        before.zip(after).map(|(before, after)| Self {
            before,
            after,
            project: project.map(ProjectId::from),
        })
    }
}

impl Part for ProposedChanges {
    fn members() -> Vec<&'static str> {
        vec!["project", "environment", "changes"]
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let project = node.get("project").nullable().non_empty_text(problems);
        let environment = node.get("environment").nullable().non_empty_text(problems);
        let proposals = Proposal::listed(&node.get("changes"), problems);
        project.zip(environment).map(|(project, environment)| Self {
            project: project.into(),
            environment: environment.into(),
            proposals,
        })
    }
}
