//! API tokens: what is sent to create them, and how they are shown.

use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, ProjectId};

use super::timestamp::Timestamp;
use vexil_client_api::json::{Node, Problem, Problems};

/// What a token shall be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The administration API.
    Admin,
    /// SDKs on servers.
    Client,
    /// SDKs in browsers and apps.
    Frontend,
}

/// The members of a token. Those that are not read come from older clients (`username`), or belong to the documents
/// that a token is shown in.
const TOKEN: &[&str] = &[
    "tokenName",
    "type",
    "environment",
    "projects",
    "project",
    "expiresAt",
    "username",
    "secret",
    "alias",
    "createdAt",
    "seenAt",
];

/// A token that is to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// The name shown to people.
    pub name: String,
    /// What it is for.
    pub purpose: Purpose,
    /// Whether what it is for was called `backend`, as it is shown from then on; Unleash has two words for one thing.
    pub is_called_backend: bool,
    /// The environment it is for, as it was sent: `*` is all.
    pub environment: Option<String>,
    /// The projects it is for, each once; empty for all.
    pub projects: Vec<ProjectId>,
    /// From when on it is no longer accepted.
    pub expires_at: Option<OffsetDateTime>,
}

const TYPES: [&str; 4] = ["client", "backend", "frontend", "admin"];

impl NewToken {
    /// Reads the body of a request. The type may be in any case.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, TOKEN).is_none() {
            return problems.finish(None);
        }
        let name = node.get("tokenName").non_empty_text(&mut problems);
        let purpose = read_purpose(&node.get("type"), &mut problems);
        let word = node.get("type").value().and_then(Value::as_str);
        let is_called_backend = word.is_some_and(|word| word.eq_ignore_ascii_case("backend"));
        let environment = node.get("environment").optional_text(&mut problems);
        let projects = read_projects(&node, &mut problems);
        let expires_at = node.get("expiresAt").nullable();
        let expires_at = if expires_at.is_absent() {
            None
        } else {
            expires_at.instant(&mut problems)
        };
        let token = name.zip(purpose).map(|(name, purpose)| Self {
            name,
            purpose,
            is_called_backend,
            environment,
            projects,
            expires_at,
        });
        problems.finish(token)
    }
}

/// Reads when a token shall end: `{"expiresAt": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_expiry(body: &Value) -> Result<OffsetDateTime, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["expiresAt"]).is_none() {
        return problems.finish(None);
    }
    let instant = node.get("expiresAt").instant(&mut problems);
    problems.finish(instant)
}

fn read_purpose(node: &Node<'_>, problems: &mut Problems) -> Option<Purpose> {
    let text = node.text(problems)?;
    match text.to_ascii_lowercase().as_str() {
        "client" | "backend" => Some(Purpose::Client),
        "frontend" => Some(Purpose::Frontend),
        "admin" => Some(Purpose::Admin),
        // names the words that would do
        _ => node.word(problems, &TYPES).and(None),
    }
}

/// The projects; where `*` is among them, they are all.
fn read_projects(node: &Node<'_>, problems: &mut Problems) -> Vec<ProjectId> {
    let several = node.get("projects");
    let names = if several.is_absent() {
        node.get("project").optional_text(problems).into_iter().collect()
    } else {
        let items = several.array(problems);
        if items.as_ref().is_some_and(Vec::is_empty) {
            problems.refuse(
                several.path(),
                "must NOT have fewer than 1 items",
                &Value::Array(Vec::new()),
            );
        }
        items
            .unwrap_or_default()
            .iter()
            .filter_map(|item| item.non_empty_text(problems))
            .collect::<Vec<_>>()
    };
    // of two words for how far it reaches the narrower one is not passed over
    let one = node.get("project");
    let unlike = |one: &str| !one.is_empty() && !names.is_empty() && !names.iter().any(|name| name == one);
    if let Some(text) = one.value().and_then(Value::as_str).filter(|text| unlike(text)) {
        let problem = "must be one of `projects`, where both are given";
        problems.refuse(one.path(), problem, &Value::from(text));
    }
    if names.iter().any(|name| name == "*") {
        return Vec::new();
    }
    let mut projects: Vec<ProjectId> = names.into_iter().map(ProjectId::from).collect();
    projects.sort();
    projects.dedup();
    projects
}

/// A token.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenDocument<'a> {
    id: i64,
    secret: &'a str,
    token_name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    project: &'a str,
    projects: Vec<&'a str>,
    environment: &'a str,
    expires_at: Option<Timestamp>,
    created_at: Timestamp,
    alias: Option<&'a str>,
    seen_at: Option<Timestamp>,
    secure: bool,
}

/// What there is to show of a token.
#[derive(Debug, Clone, Copy)]
pub struct TokenParts<'a> {
    /// Identifies the token.
    pub id: i64,
    /// The whole secret, or what is shown in its place.
    pub secret: &'a str,
    /// The name shown to people.
    pub name: &'a str,
    /// `admin`, `client` or `frontend`.
    pub kind: &'a str,
    /// The projects it is for; empty for all.
    pub projects: &'a [ProjectId],
    /// The environment it is for; `None` for all.
    pub environment: Option<&'a EnvironmentName>,
    /// From when on it is no longer accepted.
    pub expires_at: Option<OffsetDateTime>,
    /// When it was created.
    pub created_at: OffsetDateTime,
    /// When it was last used.
    pub seen_at: Option<OffsetDateTime>,
}

impl<'a> TokenDocument<'a> {
    /// Shows a token.
    #[must_use]
    pub fn of(parts: &TokenParts<'a>) -> Self {
        let projects: Vec<&str> = match parts.projects {
            [] => vec!["*"],
            some => some.iter().map(ProjectId::as_str).collect(),
        };
        Self {
            id: parts.id,
            secret: parts.secret,
            token_name: parts.name,
            kind: parts.kind,
            project: projects.first().copied().unwrap_or("*"),
            projects,
            environment: parts.environment.map_or("*", EnvironmentName::as_str),
            expires_at: parts.expires_at.map(Timestamp),
            created_at: parts.created_at.into(),
            alias: None,
            seen_at: parts.seen_at.map(Timestamp),
            secure: true,
        }
    }
}
