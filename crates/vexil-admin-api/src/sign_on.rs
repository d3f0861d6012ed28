//! How people sign in at a provider: what is sent to set it up.

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems, at_most_one};

use super::user::{RoleReference, read_role};

/// What shall be set about single sign-on. What is not said stays as it is.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct OidcForm {
    /// Whether people may sign in this way.
    pub enabled: Option<bool>,
    /// The address of the provider.
    pub discover_url: Option<String>,
    /// What the provider calls this server.
    pub client_id: Option<String>,
    /// What proves to the provider that it is this server.
    pub secret: Option<String>,
    /// Whether somebody who signs in for the first time gets an account.
    pub auto_create: Option<bool>,
    /// Whether signing out here signs out there too.
    pub single_sign_out: Option<bool>,
    /// The root role of accounts made that way.
    pub default_role: Option<RoleReference>,
    /// The domains of email addresses that are let in, with commas between them.
    pub email_domains: Option<String>,
    /// Whether groups are taken over.
    pub group_syncing: Option<bool>,
    /// The claim that lists them.
    pub group_path: Option<String>,
    /// Whether the scope `groups` is asked for.
    pub groups_scope: Option<bool>,
}

/// So that no log shows the secret.
impl std::fmt::Debug for OidcForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OidcForm(…)")
    }
}

/// The members of the document. Those that are not read belong to documents that are sent back.
const MEMBERS: &[&str] = &[
    "enabled",
    "discoverUrl",
    "clientId",
    "secret",
    "autoCreate",
    "enableSingleSignOut",
    "defaultRootRoleId",
    "defaultRootRole",
    "emailDomains",
    "enableGroupSyncing",
    "groupJsonPath",
    "addGroupsScope",
    "idTokenSigningAlgorithm",
    "acrValues",
    "setByEnvironment",
];

impl OidcForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, MEMBERS).is_none() {
            return problems.finish(None);
        }
        let flag = |name: &str, problems: &mut Problems| {
            let place = node.get(name);
            (!place.is_absent()).then(|| place.boolean(problems)).flatten()
        };
        let text = |name: &str, problems: &mut Problems| node.get(name).nullable().optional_text(problems);
        let roles = [node.get("defaultRootRoleId"), node.get("defaultRootRole")];
        at_most_one(&mut problems, "which role new accounts get", &roles);
        let [id, name] = roles;
        let role = if id.is_absent() { name } else { id };
        refuse_unsupported(&node, &mut problems);
        let form = Self {
            enabled: flag("enabled", &mut problems),
            discover_url: text("discoverUrl", &mut problems),
            client_id: text("clientId", &mut problems),
            secret: text("secret", &mut problems),
            auto_create: flag("autoCreate", &mut problems),
            single_sign_out: flag("enableSingleSignOut", &mut problems),
            default_role: (!role.is_absent())
                .then(|| read_role(&role, &mut problems))
                .flatten(),
            email_domains: text("emailDomains", &mut problems),
            group_syncing: flag("enableGroupSyncing", &mut problems),
            group_path: text("groupJsonPath", &mut problems).filter(|path| !path.is_empty()),
            groups_scope: flag("addGroupsScope", &mut problems),
        };
        problems.finish(Some(form))
    }
}

/// Refuses what would ask the provider for more than is asked: whoever sets it would take it to be in force.
fn refuse_unsupported(node: &Node<'_>, problems: &mut Problems) {
    for (member, only) in [("idTokenSigningAlgorithm", "RS256"), ("acrValues", "")] {
        let place = node.get(member).nullable();
        if let Some(value) = place.value().filter(|value| *value != only) {
            let rule = format!("is not supported but for \"{only}\": leave it out");
            problems.refuse(place.path(), &rule, value);
        }
    }
}

/// Reads whether something is switched on: `{"enabled": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_enabled(body: &Value) -> Result<bool, Vec<Problem>> {
    read_switch(body, "enabled")
}

/// Reads whether passwords are switched off: `{"disabled": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_disabled(body: &Value) -> Result<bool, Vec<Problem>> {
    read_switch(body, "disabled")
}

fn read_switch(body: &Value, name: &str) -> Result<bool, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &[name]).is_none() {
        return problems.finish(None);
    }
    let value = node.get(name).boolean(&mut problems);
    problems.finish(value)
}
