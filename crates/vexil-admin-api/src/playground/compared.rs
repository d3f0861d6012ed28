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

/// The flags of one side.
#[derive(Debug)]
pub struct ComparedFlags {
    /// Where they are.
    pub side: ComparedSide,
    /// The project whose flags are compared; `None` for those of all.
    pub project: Option<ProjectId>,
}

/// Two sides, each an environment or a state.
#[derive(Debug)]
pub struct TwoSides {
    /// The one that is compared.
    pub before: ComparedFlags,
    /// The one that it is compared with.
    pub after: ComparedFlags,
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

/// `{"environment": "production"}`, or `{"state": {…}, "environment"?: "production"}`, each with a `project` of its own, where none is named for both.
fn read_side(side: &Node<'_>, both: Option<&ProjectId>, problems: &mut Problems) -> Option<ComparedFlags> {
    side.object_of(problems, &["environment", "state", "project"])?;
    let node = side.get("project");
    let project = read_project(&node, problems);
    if let (Some(own), Some(both), Some(sent)) = (&project, both, node.value())
        && own != both
    {
        problems.refuse(
            node.path(),
            "must be the project that is named for both sides",
            sent,
        );
    }
    let project = project.or_else(|| both.cloned());
    let side = read_compared(side, problems)?;
    Some(ComparedFlags { side, project })
}

fn read_compared(side: &Node<'_>, problems: &mut Problems) -> Option<ComparedSide> {
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

fn read_project(node: &Node<'_>, problems: &mut Problems) -> Option<ProjectId> {
    let node = node.nullable();
    if node.is_absent() {
        return None;
    }
    node.non_empty_text(problems).map(ProjectId::from)
}

impl Part for TwoSides {
    fn members() -> Vec<&'static str> {
        vec!["before", "after", "project"]
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let both = read_project(&node.get("project"), problems);
        let mut side = |name: &str| read_side(&node.get(name), both.as_ref(), problems);
        let (before, after) = (side("before"), side("after"));
        before.zip(after).map(|(before, after)| Self { before, after })
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
