//! Roles, groups, what projects are to people, how people may sign up, and settings of the instance.
//!
//! There are few of them, so they are read whole: on load, and again when a commit touched any.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_access::{Group, GroupId, ProjectMode, Role, RoleId, UserId};
use vexil_domain::{ProjectId, Write};

use crate::SecretHash;
use crate::write_all::write_all;

/// Everything that says who has access, but for what users hold themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccessTables {
    /// The custom roles.
    pub roles: BTreeMap<RoleId, Arc<Role>>,
    /// The groups.
    pub groups: BTreeMap<GroupId, Arc<Group>>,
    /// The settings of projects that have any.
    pub projects: BTreeMap<ProjectId, Arc<ProjectSettings>>,
    /// The links with which people sign up.
    pub sign_up_links: BTreeMap<SignUpLinkId, Arc<SignUpLink>>,
    /// Settings of the instance, by name. What a value means is for the server to know.
    pub settings: BTreeMap<String, Arc<Setting>>,
}

/// A setting of the instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// What is set about a project beside its flags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSettings {
    /// The project.
    pub project: ProjectId,
    /// What it is to people who have no role in it.
    pub mode: ProjectMode,
    /// How many flags it may have; `None` for any number.
    pub feature_limit: Option<u32>,
    /// What the names of new flags must be like.
    pub naming: Option<FlagNaming>,
    /// What links of new flags lead to.
    pub link_templates: Vec<LinkTemplate>,
}

/// What the names of new flags of a project must be like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlagNaming {
    /// The regular expression that they must match, whole.
    pub pattern: String,
    /// A name that does.
    pub example: Option<String>,
    /// What it means, for people.
    pub description: Option<String>,
}

/// A link that new flags of a project get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTemplate {
    /// Its title.
    pub title: Option<String>,
    /// Where it leads, with gaps for the project and the flag.
    pub url: String,
}

/// Identifies a link with which people sign up. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignUpLinkId(pub i64);

/// A link with which anybody who has it makes an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignUpLink {
    /// Identifies the link.
    pub id: SignUpLinkId,
    /// The hash of the secret in it.
    pub secret_hash: SecretHash,
    /// The secret, sealed by the server, where it keeps secrets to show them again.
    pub sealed_secret: Option<Vec<u8>>,
    /// What it is for, for people.
    pub name: String,
    /// Whether it works.
    pub enabled: bool,
    /// The root role of accounts made with it.
    pub role: RoleId,
    /// Who made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// From when on it no longer works.
    pub expires_at: OffsetDateTime,
    /// Who has made an account with it.
    pub users: BTreeSet<UserId>,
}

/// What a commit does to [`AccessTables`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccessWrites {
    /// Custom roles put or taken away.
    pub roles: Vec<Write<RoleId, Role>>,
    /// Groups put or taken away.
    pub groups: Vec<Write<GroupId, Group>>,
    /// Settings of projects put or taken away.
    pub projects: Vec<Write<ProjectId, ProjectSettings>>,
    /// Links for signing up put or taken away.
    pub sign_up_links: Vec<Write<SignUpLinkId, SignUpLink>>,
    /// Settings of the instance put or taken away.
    pub settings: Vec<Write<String, Setting>>,
}

impl AccessWrites {
    /// Whether nothing is written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.roles.is_empty()
            && self.groups.is_empty()
            && self.projects.is_empty()
            && self.sign_up_links.is_empty()
            && self.settings.is_empty()
    }
}

impl AccessTables {
    /// Writes what a commit says.
    pub fn apply(&mut self, writes: &AccessWrites) {
        write_all(&mut self.roles, &writes.roles, |role| role.id);
        write_all(&mut self.groups, &writes.groups, |group| group.id);
        write_all(&mut self.projects, &writes.projects, |it| it.project.clone());
        write_all(&mut self.sign_up_links, &writes.sign_up_links, |link| link.id);
        write_all(&mut self.settings, &writes.settings, |it| it.name.clone());
    }
}
