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
}

/// One thing that is wrong.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorDetail {
    /// What is wrong, for a person.
    pub message: String,
    /// Where: a JSON pointer that starts with `/body`, `/query` or `/params`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl From<Problem> for ErrorDetail {
    fn from(problem: Problem) -> Self {
        Self {
            message: problem.message,
            path: Some(problem.path),
        }
    }
}

impl From<String> for ErrorDetail {
    fn from(message: String) -> Self {
        Self { message, path: None }
    }
}
