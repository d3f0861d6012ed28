//! What two sides are compared: two environments, or one as it is and as changes would make it.

use vexil_client_api::json::{Node, Problems};
use vexil_domain::{EnvironmentName, ProjectId};

use super::part::Part;
use crate::change_requests::Proposal;

/// Two environments.
#[derive(Debug)]
pub struct TwoEnvironments {
    /// The one that is compared.
    pub before: EnvironmentName,
    /// The one that it is compared with.
    pub after: EnvironmentName,
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

impl Part for TwoEnvironments {
    fn members() -> Vec<&'static str> {
        vec!["before", "after", "project"]
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let mut side = |name: &str| {
            let side = node.get(name);
            side.object_of(problems, &["environment"])?;
            side.get("environment").nullable().non_empty_text(problems)
        };
        let (before, after) = (side("before"), side("after"));
        let project = node.get("project").nullable();
        let project = if project.is_absent() {
            None
        } else {
            project.non_empty_text(problems)
        };
        before.zip(after).map(|(before, after)| Self {
            before: before.into(),
            after: after.into(),
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
