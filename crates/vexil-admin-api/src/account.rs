//! One's own account, and links with which people get one: what is sent.

use serde_json::Value;
use time::OffsetDateTime;
use vexil_client_api::json::{Node, Problem, Problems, same_where_given};

use super::user::{RoleReference, read_role};

/// A new password for oneself.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnPassword {
    /// The one that counts until now.
    pub old: String,
    /// The one that shall count.
    pub new: String,
}

/// A password that is set with a link.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordByLink {
    /// The secret of the link.
    pub token: String,
    /// The password.
    pub password: String,
}

/// Somebody who signs up with a link.
#[derive(Clone, PartialEq, Eq)]
pub struct SignUp {
    /// The name to sign in with.
    pub username: Option<String>,
    /// The email address.
    pub email: Option<String>,
    /// The name shown to people.
    pub name: Option<String>,
    /// The password.
    pub password: String,
}

macro_rules! silent {
    ($($name:ident)*) => {$(
        /// So that no log shows what was typed.
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    )*};
}

silent! { OwnPassword PasswordByLink SignUp }

/// A link for signing up that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSignUpLink {
    /// What it is for.
    pub name: String,
    /// From when on it no longer works.
    pub expires_at: OffsetDateTime,
    /// The root role of whoever signs up; Viewer where none is said.
    pub root_role: Option<RoleReference>,
}

/// What shall change of a link for signing up. What is not said stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignUpLinkChange {
    /// Whether it works.
    pub enabled: Option<bool>,
    /// From when on it no longer works.
    pub expires_at: Option<OffsetDateTime>,
}

/// What somebody answers when the pages ask for an opinion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackForm {
    /// What was asked; `None` where the path says it.
    pub id: Option<String>,
    /// Whether not to be asked again.
    pub never_show: bool,
}

/// How long the name of a notice or of a question may be.
pub const LONGEST_NOTICE: usize = 100;

impl OwnPassword {
    /// Reads `{"oldPassword": …, "password": …, "confirmPassword": …}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body, and two passwords that differ.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["oldPassword", "password", "confirmPassword"])
            .is_none()
        {
            return problems.finish(None);
        }
        let old = node.get("oldPassword").text(&mut problems);
        let new = node.get("password").text(&mut problems);
        let again = node.get("confirmPassword");
        again.text(&mut problems);
        same_where_given(&mut problems, &node.get("password"), &again);
        problems.finish(old.zip(new).map(|(old, new)| Self { old, new }))
    }
}

impl PasswordByLink {
    /// Reads `{"token": …, "password": …}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, &["token", "password"]).is_none() {
            return problems.finish(None);
        }
        let token = node.get("token").non_empty_text(&mut problems);
        let password = node.get("password").text(&mut problems);
        let both = token.zip(password);
        problems.finish(both.map(|(token, password)| Self { token, password }))
    }
}

/// Reads `{"email": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_email(body: &Value) -> Result<String, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["email"]).is_none() {
        return problems.finish(None);
    }
    let email = node.get("email").non_empty_text(&mut problems);
    problems.finish(email)
}

/// A user who is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserReference {
    /// By number.
    Id(i64),
    /// By username or email address.
    Login(String),
}

/// Reads `{"id": …}`: the id of a user, or what they sign in with.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_user(body: &Value) -> Result<UserReference, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["id"]).is_none() {
        return problems.finish(None);
    }
    let id = node.get("id");
    let read = if id.value().is_some_and(Value::is_string) {
        id.non_empty_text(&mut problems).map(UserReference::Login)
    } else {
        id.integer(&mut problems, i64::MIN, i64::MAX)
            .map(UserReference::Id)
    };
    problems.finish(read)
}

/// Reads `{"ids": […]}`: the ids of users.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_user_ids(body: &Value) -> Result<Vec<i64>, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["ids"]).is_none() {
        return problems.finish(None);
    }
    let listed = node.get("ids").array(&mut problems).unwrap_or_default();
    let ids = listed
        .iter()
        .filter_map(|item| item.integer(&mut problems, i64::MIN, i64::MAX));
    let ids = ids.collect();
    problems.finish(Some(ids))
}

impl SignUp {
    /// Reads `{"email" or "username": …, "name"?: …, "password": …}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let user = super::user::UserForm::read_changes(body)?;
        let mut problems = Problems::new();
        let node = Node::body(body);
        let password = node.get("password").text(&mut problems);
        let role = node.get("rootRole");
        if !role.is_absent() {
            let path = role.path();
            problems.add(
                path,
                format!("`{path}` would be passed over: the link says which role new people get."),
            );
        }
        problems.finish(password.map(|password| Self {
            username: user.username,
            email: user.email,
            name: user.name,
            password,
        }))
    }
}

impl NewSignUpLink {
    /// Reads `{"name": …, "expiresAt": …, "rootRole"?: …}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["name", "expiresAt", "rootRole"])
            .is_none()
        {
            return problems.finish(None);
        }
        let name = node.get("name").non_empty_text(&mut problems);
        let expires_at = node.get("expiresAt").instant(&mut problems);
        let role = node.get("rootRole");
        let root_role = if role.is_absent() {
            None
        } else {
            read_role(&role, &mut problems)
        };
        problems.finish(name.zip(expires_at).map(|(name, expires_at)| Self {
            name,
            expires_at,
            root_role,
        }))
    }
}

impl SignUpLinkChange {
    /// Reads `{"enabled"?: …, "expiresAt"?: …}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, &["enabled", "expiresAt"]).is_none() {
            return problems.finish(None);
        }
        let enabled = node.get("enabled");
        let enabled = (!enabled.is_absent())
            .then(|| enabled.boolean(&mut problems))
            .flatten();
        let end = node.get("expiresAt");
        let expires_at = (!end.is_absent()).then(|| end.instant(&mut problems)).flatten();
        problems.finish(Some(Self { enabled, expires_at }))
    }
}

impl FeedbackForm {
    /// Reads `{"feedbackId"?: …, "neverShow"?: …}`. Who gives it and when, which pages say besides, is known already.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["feedbackId", "neverShow", "userId", "given"])
            .is_none()
        {
            return problems.finish(None);
        }
        let id = node.get("feedbackId");
        let id = (!id.is_absent())
            .then(|| id.non_empty_text(&mut problems))
            .flatten();
        let never = node.get("neverShow");
        let never_show = (!never.is_absent())
            .then(|| never.boolean(&mut problems))
            .flatten();
        problems.finish(Some(Self {
            id,
            never_show: never_show.unwrap_or(false),
        }))
    }
}
