//! The one shape of every error answer.

use serde::Serialize;

use vexil_client_api::json::Problem;

/// The body of every answer that is not a success.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorBody {
    /// Identifies this answer, so that it can be found in the log.
    pub id: String,
    /// The kind of error, such as `BadDataError`.
    pub name: &'static str,
    /// What is wrong, for a person.
    pub message: String,
    /// Everything that is wrong, at least one item.
    pub details: Vec<ErrorDetail>,
    /// The permissions that would have allowed the request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<String>,
    /// How to sign in, where nobody is asking.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub sign_in: Option<HowToSignIn>,
}

/// How somebody may sign in, as Unleash's pages read it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HowToSignIn {
    /// Where to.
    pub path: String,
    /// Always `password`: the form that the pages show.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether the form for a password is not the first thing to show.
    pub default_hidden: bool,
    /// Other ways.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<SignInWay>,
}

/// A way to sign in beside a password.
#[derive(Debug, Clone, Serialize)]
pub struct SignInWay {
    /// Which.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What a button says.
    pub message: String,
    /// Where it leads.
    pub path: String,
}

/// One thing that is wrong.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ErrorDetail {
    /// What is wrong, for a person.
    pub message: String,
    /// Where: a JSON pointer that starts with `/body`, `/query` or `/params`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The rules that a password breaks.
    #[serde(rename = "validationErrors", skip_serializing_if = "Vec::is_empty")]
    pub broken_rules: Vec<&'static str>,
}

impl From<Problem> for ErrorDetail {
    fn from(problem: Problem) -> Self {
        Self {
            message: problem.message,
            path: Some(problem.path),
            ..Self::default()
        }
    }
}

impl From<String> for ErrorDetail {
    fn from(message: String) -> Self {
        Self {
            message,
            ..Self::default()
        }
    }
}
