//! Users, their personal access tokens and grants: what is sent, and how they are shown.

use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;

use super::timestamp::Timestamp;
use vexil_client_api::json::{Node, Problem, Problems, same_where_given};

/// A role, as it is sent: by its id, or by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoleReference {
    /// Its id.
    Id(i64),
    /// Its name.
    Name(String),
}

impl std::fmt::Display for RoleReference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// The members of a user. Those that are not read belong to the documents that a user is shown in.
const USER: &[&str] = &[
    "username",
    "email",
    "name",
    "password",
    "rootRole",
    "sendEmail",
    "id",
    "accountType",
    "activeSessions",
    "createdAt",
    "deletedSessions",
    "emailSent",
    "imageUrl",
    "inviteLink",
    "isAPI",
    "isService",
    "loginAttempts",
    "permissions",
    "scimId",
    "seatType",
    "seenAt",
];

/// What is sent to create or change a user. What is not said stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserForm {
    /// The id of an existing one, where it is said; it cannot be changed.
    pub id: Option<i64>,
    /// The name to sign in with.
    pub username: Option<String>,
    /// The email address.
    pub email: Option<String>,
    /// The name shown to people.
    pub name: Option<String>,
    /// The root role.
    pub root_role: Option<RoleReference>,
    /// The password in plain text.
    pub password: Option<String>,
    /// Whether the user is to be told by e-mail, where that can be sent.
    pub send_email: bool,
}

impl UserForm {
    /// Reads a user that is to be created, who must have a root role.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read_new(body: &Value) -> Result<Self, Vec<Problem>> {
        Self::read(body, true)
    }

    /// Reads what shall change of a user.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read_changes(body: &Value) -> Result<Self, Vec<Problem>> {
        Self::read(body, false)
    }

    fn read(body: &Value, role_needed: bool) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, USER).is_none() {
            return problems.finish(None);
        }
        let role = node.get("rootRole");
        let root_role = if role.is_absent() && !role_needed {
            None
        } else {
            read_role(&role, &mut problems)
        };
        let text = |key: &str, problems: &mut Problems| {
            let text = node.get(key).optional_text(problems);
            text.map(|text| text.trim().to_owned())
                .filter(|text| !text.is_empty())
        };
        let email = text("email", &mut problems);
        if email.as_deref().is_some_and(|email| !is_email(email)) {
            let value = node.get("email").value().cloned().unwrap_or_default();
            problems.refuse("/body/email", "must be a valid email", &value);
        }
        let id = node.get("id");
        let id = (!role_needed && !id.is_absent()).then(|| id.integer(&mut problems, i64::MIN, i64::MAX));
        let form = Self {
            id: id.flatten(),
            username: text("username", &mut problems),
            email,
            name: text("name", &mut problems),
            root_role,
            password: node.get("password").optional_text(&mut problems),
            send_email: node
                .get("sendEmail")
                .optional_boolean(&mut problems)
                .unwrap_or(true),
        };
        problems.finish(Some(form))
    }
}

fn is_email(text: &str) -> bool {
    let plain = text.chars().all(|c| !c.is_whitespace() && !c.is_control());
    let parts = text.rsplit_once('@');
    plain && parts.is_some_and(|(local, host)| !local.is_empty() && !host.is_empty())
}

/// A role, by id or by name. A number in a text is an id.
pub(crate) fn read_role(node: &Node<'_>, problems: &mut Problems) -> Option<RoleReference> {
    match node.value().and_then(Value::as_str) {
        Some(text) if text.trim().parse::<i64>().is_err() && !text.trim().is_empty() => {
            Some(RoleReference::Name(text.trim().to_owned()))
        }
        _ => node.integer(problems, 0, i64::MAX).map(RoleReference::Id),
    }
}

/// Reads a password: `{"password": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_password(body: &Value) -> Result<String, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node
        .object_of(&mut problems, &["password", "confirmPassword", "oldPassword"])
        .is_none()
    {
        return problems.finish(None);
    }
    let password = node.get("password").text(&mut problems);
    same_where_given(&mut problems, &node.get("password"), &node.get("confirmPassword"));
    problems.finish(password)
}

/// Reads what a personal access token shall be: `{"description": …, "expiresAt": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_personal_token(body: &Value) -> Result<(String, OffsetDateTime), Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node
        .object_of(&mut problems, &["description", "expiresAt"])
        .is_none()
    {
        return problems.finish(None);
    }
    let description = node.get("description").non_empty_text(&mut problems);
    let expires_at = node.get("expiresAt").instant(&mut problems);
    problems.finish(description.zip(expires_at))
}

/// A permission that is granted: its name, and the environment it holds in; `None` for all.
pub type GrantForm = (String, Option<String>);

/// Reads what a user shall be granted: `{"permissions": [{"permission": …, "environment"?: …}]}`.
/// Names other than `known` are refused.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_grants(body: &Value, known: &[&str]) -> Result<Vec<GrantForm>, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["permissions"]).is_none() {
        return problems.finish(None);
    }
    let items = node.get("permissions").array(&mut problems).unwrap_or_default();
    let mut grants = Vec::new();
    for item in items {
        if item
            .object_of(&mut problems, &["permission", "environment"])
            .is_none()
        {
            continue;
        }
        let permission = item.get("permission").word(&mut problems, known);
        let environment = item.get("environment").nullable().optional_text(&mut problems);
        grants.extend(permission.map(|permission| (permission, environment)));
    }
    problems.finish(Some(grants))
}

/// A user.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserDocument {
    /// Always `User`.
    pub account_type: &'static str,
    /// Identifies the user.
    pub id: i64,
    /// The name shown to people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name to sign in with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The email address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// When the user last asked for something.
    pub seen_at: Option<Timestamp>,
    /// Always 0.
    pub login_attempts: u64,
    /// When the user was created.
    pub created_at: Timestamp,
    /// The id of the root role.
    pub root_role: i64,
    /// Always empty: nobody's address is sent to who draws pictures for it.
    pub image_url: &'static str,
    /// Always `None`, as the members below: there is no SCIM, and there are no seats and surveys.
    pub scim_id: Option<String>,
    /// Always `None`.
    pub seat_type: Option<String>,
    /// Always `None`.
    pub company_role: Option<String>,
    /// Always `None`.
    pub product_updates_email_consent: Option<bool>,
}

/// A personal access token.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonalTokenDocument {
    /// Identifies the token.
    pub id: i64,
    /// What it is for.
    pub description: String,
    /// From when on it is no longer accepted.
    pub expires_at: Timestamp,
    /// Whose it is.
    pub user_id: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used.
    pub seen_at: Option<Timestamp>,
    /// The whole secret, told once, when the token is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}
