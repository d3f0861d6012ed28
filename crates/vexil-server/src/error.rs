//! The one mapping from what went wrong to an HTTP answer.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use uuid::Uuid;
use vexil_admin_api::error::{ErrorBody, ErrorDetail};
use vexil_client_api::json::Problem;

/// Why a request was refused. Every kind has one status and one name, as in Unleash.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// 400: the request holds something that is wrong.
    #[error("{message}")]
    BadData {
        /// The headline.
        message: String,
        /// Everything that is wrong.
        details: Vec<ErrorDetail>,
    },
    /// 401: nobody is asking.
    #[error(
        "You must log in to use Vexil. Your request had no authorization header, so we could not authorize you. Send an API token in it."
    )]
    AuthenticationRequired,
    /// 401: the token is not known, or has expired.
    #[error("{0}")]
    Unauthorized(String),
    /// 403: the caller may not do this.
    #[error("{message}")]
    Forbidden {
        /// What is refused and why.
        message: String,
        /// The permissions that would have allowed it.
        permissions: Vec<String>,
    },
    /// 403: the operation goes against a rule of the data.
    #[error("{0}")]
    InvalidOperation(String),
    /// 404: there is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// 409: the name is taken.
    #[error("{0}")]
    NameExists(String),
    /// 409: the state of things does not allow it.
    #[error("{0}")]
    Conflict(String),
    /// 413: the body is too large.
    #[error("The request body is larger than the {limit} bytes that are accepted.")]
    TooLarge {
        /// The bound, in bytes.
        limit: usize,
    },
    /// 415: the body is of a type that is not read here.
    #[error(
        "We do not accept the content-type you provided ({0}). Try using one of the content-types we do accept instead (application/json) and make sure the body is in the corresponding format."
    )]
    ContentType(String),
    /// 503: the database could not be asked; nothing was changed.
    #[error("The database is not available at the moment. Nothing was changed; try again.")]
    Unavailable {
        /// What was being done, and why it failed; for the log.
        log: String,
    },
    /// 500: a fault of the server.
    #[error(
        "Something went wrong in the server. Nothing was changed. The id of this answer finds the cause in the server's log."
    )]
    Internal {
        /// The cause; for the log.
        log: String,
    },
}

/// The headline of answers to malformed requests.
const INVALID_REQUEST: &str = "Request validation failed: your request body or params contain invalid data. Refer to the `details` list for more information.";

impl ApiError {
    /// 400 with one cause.
    pub fn bad_data(message: impl Into<String>) -> Self {
        let message = message.into();
        Self::BadData {
            details: vec![message.clone().into()],
            message,
        }
    }

    /// 400 for a request with faults.
    pub fn invalid(problems: Vec<Problem>) -> Self {
        Self::BadData {
            message: INVALID_REQUEST.to_owned(),
            details: problems.into_iter().map(ErrorDetail::from).collect(),
        }
    }

    /// 403 naming the permission that is missing.
    pub fn missing_permission(permission: &str) -> Self {
        Self::missing_permissions(&[permission])
    }

    /// 403 naming the permissions of which any one would do.
    pub fn missing_permissions(permissions: &[&str]) -> Self {
        let quoted: Vec<String> = permissions.iter().map(|one| format!("\"{one}\"")).collect();
        let needed = match quoted.as_slice() {
            [one] => format!("the {one} permission"),
            several => format!("one of the following permissions: {}", several.join(", ")),
        };
        Self::Forbidden {
            message: format!(
                "You don't have the required permissions to perform this operation. To perform this action, you need {needed}."
            ),
            permissions: permissions.iter().map(|&one| one.to_owned()).collect(),
        }
    }

    /// 404 for a flag.
    pub fn no_flag(name: &str, project: &str) -> Self {
        Self::NotFound(format!(
            "There's no feature named \"{name}\" in project \"{project}\"."
        ))
    }

    fn name(&self) -> &'static str {
        match self {
            Self::BadData { .. } => "BadDataError",
            Self::AuthenticationRequired => "AuthenticationRequired",
            Self::Unauthorized(_) => "UnauthorizedError",
            Self::Forbidden { .. } => "PermissionError",
            Self::InvalidOperation(_) => "InvalidOperationError",
            Self::NotFound(_) => "NotFoundError",
            Self::NameExists(_) => "NameExistsError",
            Self::Conflict(_) => "ConflictError",
            Self::TooLarge { .. } => "PayloadTooLargeError",
            Self::ContentType(_) => "ContentTypeError",
            Self::Unavailable { .. } => "ServiceUnavailableError",
            Self::Internal { .. } => "UnknownError",
        }
    }

    /// The body of the answer.
    pub(crate) fn body(&self) -> ErrorBody {
        let message = self.to_string();
        let (details, permissions) = match self {
            Self::BadData { details, .. } => (details.clone(), Vec::new()),
            Self::Forbidden { permissions, .. } => (vec![message.clone().into()], permissions.clone()),
            _ => (vec![message.clone().into()], Vec::new()),
        };
        ErrorBody {
            id: Uuid::new_v4().to_string(),
            name: self.name(),
            message,
            details,
            permissions,
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::BadData { .. } => StatusCode::BAD_REQUEST,
            Self::AuthenticationRequired | Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden { .. } | Self::InvalidOperation(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::NameExists(_) | Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::ContentType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let body = self.body();
        if let Self::Internal { log } | Self::Unavailable { log } = self {
            tracing::error!(answer = body.id, cause = log, "request failed");
        }
        HttpResponse::build(self.status_code()).json(body)
    }
}

/// The text of an error with all its causes, for the log.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
