//! Roles, groups and settings as requests ask for them.

use vexil_access::Directory;
use vexil_domain::ProjectId;
use vexil_store::{AccessTables, ProjectSettings};

/// Roles, groups and settings, with what they mean for who may do what.
#[derive(Debug, Clone, Default)]
pub struct ServedAccess {
    /// As they are stored.
    pub tables: AccessTables,
    /// What the rights of people are made of.
    pub directory: Directory,
}

impl ServedAccess {
    /// What is set about a project.
    #[must_use]
    pub fn project(&self, id: &ProjectId) -> ProjectSettings {
        let known = self.tables.projects.get(id);
        known.map_or_else(
            || ProjectSettings {
                project: id.clone(),
                mode: vexil_access::ProjectMode::default(),
                feature_limit: None,
                naming: None,
                link_templates: Vec::new(),
            },
            |settings| ProjectSettings::clone(settings),
        )
    }
}

impl From<AccessTables> for ServedAccess {
    fn from(tables: AccessTables) -> Self {
        let modes = tables.projects.values().map(|it| (it.project.clone(), it.mode));
        let directory = Directory::new(
            tables.roles.values().cloned(),
            tables.groups.values().cloned(),
            modes,
        );
        Self { tables, directory }
    }
}
