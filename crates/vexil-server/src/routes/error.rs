//! The one mapping from what went wrong to an HTTP answer.

use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpResponse, ResponseError};
use uuid::Uuid;
use vexil_admin_api::error::{ErrorBody, ErrorDetail, HowToSignIn};
use vexil_service::operations::Error;

use crate::log::Throttle;

/// What is told of failures in the log.
static FAILURES: Throttle = Throttle::new();

/// Why a request was refused: at the door, or by the operation that it asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// The operation was not done.
    #[error(transparent)]
    Operation(#[from] Error),
    /// Nobody is asking.
    #[error(
        "You must log in to use Vexil. Your request had no authorization header, so we could not authorize you. Send an API token in it."
    )]
    AuthenticationRequired(Box<HowToSignIn>),
    /// The token is not known, or has expired.
    #[error("{0}")]
    Unauthorized(String),
    /// The name or the password is wrong; which of them is not told.
    #[error(
        "The combination of password and username you provided is invalid. If you have forgotten your password, ask an admin of this server for a new one."
    )]
    PasswordMismatch,
    /// A link does not work: it was used, has expired, or never was one.
    #[error(
        "The link does not work: it was used already, or it has expired. Ask an admin of this server for a new one."
    )]
    UnusableLink,
    /// No answer in a form that the client takes.
    #[error("The answer is {offered}, which the request does not accept.")]
    NotAcceptable {
        /// What the answer would be.
        offered: &'static str,
    },
    /// The head of the request is no HTTP/1.1.
    #[error("The head of the request cannot be read.")]
    HeadUnreadable,
    /// The head of the request is too large.
    #[error("The head of the request is larger than is accepted.")]
    HeadTooLarge,
    /// The request took too long to arrive.
    #[error("The request did not arrive in time.")]
    TooSlow,
    /// The body is too large.
    #[error("The request body is larger than the {limit} bytes that are accepted.")]
    TooLarge {
        /// The bound, in bytes.
        limit: usize,
    },
    /// The body is of a type that is not read here.
    #[error(
        "We do not accept the content-type you provided ({0}). Try using one of the content-types we do accept instead (application/json) and make sure the body is in the corresponding format."
    )]
    ContentType(String),
    /// The body is compressed in a way that is not read here.
    #[error("The request body is encoded as `{given}`; send it plain or as one of: {known}.")]
    ContentCoding {
        /// What `Content-Encoding` says.
        given: String,
        /// What is read here.
        known: &'static str,
    },
}

impl ApiError {
    /// The status and the name, as Unleash has them. This is the only place that knows.
    fn kind(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Operation(error) => match error {
                Error::Invalid { .. } => (StatusCode::BAD_REQUEST, "BadDataError"),
                Error::Forbidden { .. } => (StatusCode::FORBIDDEN, "PermissionError"),
                Error::NotAPerson(_) => (StatusCode::FORBIDDEN, "ForbiddenError"),
                Error::InvalidOperation(_) => (StatusCode::FORBIDDEN, "InvalidOperationError"),
                Error::NotFound(_) => (StatusCode::NOT_FOUND, "NotFoundError"),
                Error::NameExists(_) => (StatusCode::CONFLICT, "NameExistsError"),
                Error::RoleInUse(_) => (StatusCode::BAD_REQUEST, "RoleInUseError"),
                Error::NoPassword => (StatusCode::BAD_REQUEST, "PasswordUndefinedError"),
                Error::WeakPassword(_) => (StatusCode::BAD_REQUEST, "OwaspValidationError"),
                Error::Conflict(_) => (StatusCode::CONFLICT, "ConflictError"),
                Error::TooManyRequests { .. } => (StatusCode::TOO_MANY_REQUESTS, "TooManyRequestsError"),
                Error::Busy { .. } | Error::Maintenance | Error::Unavailable { .. } => {
                    (StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailableError")
                }
                Error::UnknownOutcome { .. } => (StatusCode::GATEWAY_TIMEOUT, "UnknownOutcomeError"),
                Error::Internal { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "UnknownError"),
            },
            Self::AuthenticationRequired(_) => (StatusCode::UNAUTHORIZED, "AuthenticationRequired"),
            Self::Unauthorized(_) => (StatusCode::UNAUTHORIZED, "UnauthorizedError"),
            Self::PasswordMismatch => (StatusCode::UNAUTHORIZED, "PasswordMismatch"),
            Self::UnusableLink => (StatusCode::UNAUTHORIZED, "InvalidTokenError"),
            Self::NotAcceptable { .. } => (StatusCode::NOT_ACCEPTABLE, "NotAcceptableError"),
            Self::HeadUnreadable => (StatusCode::BAD_REQUEST, "BadDataError"),
            Self::HeadTooLarge => (
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "HeaderFieldsTooLargeError",
            ),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, "RequestTimeoutError"),
            Self::TooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLargeError"),
            Self::ContentType(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentTypeError"),
            Self::ContentCoding { .. } => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentCodingError"),
        }
    }

    /// The body of the answer.
    fn body(&self) -> ErrorBody {
        let message = self.to_string();
        let one = |message: &String| vec![ErrorDetail::from(message.clone())];
        let (details, permissions) = match self {
            Self::Operation(Error::Invalid { details, .. }) => (details.clone(), Vec::new()),
            Self::Operation(Error::WeakPassword(problems)) => (vec![weak_password(problems)], Vec::new()),
            Self::Operation(Error::Forbidden { permissions, .. }) => (one(&message), permissions.clone()),
            _ => (one(&message), Vec::new()),
        };
        let sign_in = match self {
            Self::AuthenticationRequired(how) => Some(HowToSignIn::clone(how)),
            _ => None,
        };
        ErrorBody {
            id: Uuid::new_v4().to_string(),
            name: self.kind().1,
            message,
            details,
            permissions,
            sign_in,
        }
    }

    /// The answer where there is no request to answer: its status and its JSON text.
    pub(crate) fn plain(&self) -> (StatusCode, Vec<u8>) {
        let text = serde_json::to_vec(&self.body()).unwrap_or_default();
        (self.kind().0, text)
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Operation(error) => error.retry_after(),
            _ => None,
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.kind().0
    }

    fn error_response(&self) -> HttpResponse {
        let body = self.body();
        if let Self::Operation(error) = self
            && let Some(cause) = error.cause()
            && let Some(passed_over) = FAILURES.admit(Instant::now())
        {
            tracing::error!(answer = body.id, cause, passed_over, "request failed");
        }
        let mut response = HttpResponse::build(self.status_code());
        if let Some(wait) = self.retry_after() {
            // whole seconds, of which none would mean at once
            response.insert_header((RETRY_AFTER, wait.as_secs().max(1)));
        }
        response.json(body)
    }
}

/// Every rule that a password breaks, as Unleash's pages read them.
fn weak_password(problems: &[&'static str]) -> ErrorDetail {
    ErrorDetail {
        message: problems.first().copied().unwrap_or_default().to_owned(),
        broken_rules: problems.to_vec(),
        ..ErrorDetail::default()
    }
}

#[cfg(test)]
mod tests;
