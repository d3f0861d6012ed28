//! Why an operation was not done: facts and causes, whoever asked and by whatever way.

use std::error::Error as Cause;
use std::sync::Arc;
use std::time::Duration;

use vexil_admin_api::error::ErrorDetail;
use vexil_admin_api::patch::PatchError;
use vexil_budget::Exhausted;
use vexil_change_request::{ErrorKind, StepError};
use vexil_client_api::json::Problem;
use vexil_store::{CommitError, StoreError};

/// When it makes sense to ask a database again that could not be asked.
const RETRY_DATABASE: Duration = Duration::from_secs(5);

/// When it makes sense to ask again a server that does as much as it can.
pub const RETRY_BUSY: Duration = Duration::from_secs(1);

/// What the server is busy with where something was begun and did not end in its time.
pub(crate) const TOO_LONG: &str =
    "more than it can do in the time that there is for this: ask for less at once, or later";

/// When somebody may look again whether maintenance has ended.
const MAINTAINED: Duration = Duration::from_secs(60);

/// The headline of what lists several problems.
const SEVERAL: &str = "Request validation failed: your request body or params contain invalid data. Refer to the `details` list for more information.";

/// Why an operation was not done. Unless it says otherwise, nothing was changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// What was asked is wrong in itself.
    #[error("{message}")]
    Invalid {
        /// The headline.
        message: String,
        /// Everything that is wrong.
        details: Vec<ErrorDetail>,
    },
    /// Whoever asks may not do this.
    #[error("{message}")]
    Forbidden {
        /// What is refused and why.
        message: String,
        /// The permissions of which any one would do.
        permissions: Vec<String>,
    },
    /// It is for people, and a token asks.
    #[error("{0}")]
    NotAPerson(&'static str),
    /// It goes against a rule of the data, whoever asks.
    #[error("{0}")]
    InvalidOperation(String),
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// The name is taken.
    #[error("{0}")]
    NameExists(String),
    /// The state of things does not allow it.
    #[error("{0}")]
    Conflict(String),
    /// Somebody has the role.
    #[error("{0}")]
    RoleInUse(String),
    /// There is no password.
    #[error("The password must not be empty.")]
    NoPassword,
    /// The password is not good enough.
    #[error("{}", .0.first().copied().unwrap_or("The password is not good enough."))]
    WeakPassword(Vec<&'static str>),
    /// Whoever asks has asked too often.
    #[error("{message}")]
    TooManyRequests {
        /// What there was too much of.
        message: String,
        /// When it makes sense to ask again.
        retry_after: Duration,
    },
    /// The server does as much as it can already.
    #[error("The server is busy with {doing}. Nothing was changed; try again.")]
    Busy {
        /// What it does too much of, such as `other previews`.
        doing: &'static str,
        /// When it makes sense to ask again.
        retry_after: Duration,
    },
    /// Nobody may change anything for now, because an administrator has said so.
    #[error(
        "The server is in maintenance: nothing can be changed until an administrator ends it. Nothing was changed."
    )]
    Maintenance,
    /// What the operation needs cannot be reached.
    #[error("The database is not available at the moment. Nothing was changed; try again.")]
    Unavailable {
        /// When it makes sense to ask again.
        retry_after: Duration,
        /// Why not; for the log.
        #[source]
        source: Arc<dyn Cause + Send + Sync>,
    },
    /// The database broke off while the edit was stored: it may have taken effect, or not.
    #[error(
        "The database broke off while this was being stored, so it may have taken effect or not. Look before you send it again."
    )]
    UnknownOutcome {
        /// What happened; for the log.
        #[source]
        source: Arc<dyn Cause + Send + Sync>,
    },
    /// An error of the server.
    #[error(
        "Something went wrong in the server. Nothing was changed. The id of this answer finds the cause in the server's log."
    )]
    Internal {
        /// What happened; for the log.
        #[source]
        source: Arc<dyn Cause + Send + Sync>,
    },
}

impl Error {
    /// One thing is wrong with what was asked.
    pub fn invalid(message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Invalid {
            details: vec![message.clone().into()],
            message,
        }
    }

    /// The permission that whoever asks lacks.
    #[must_use]
    pub fn missing_permission(permission: &str) -> Self {
        Self::missing_permissions(&[permission])
    }

    /// Whoever asks lacks all of these permissions, of which any one would do.
    #[must_use]
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

    /// A project has no such flag.
    #[must_use]
    pub fn no_flag(name: &str, project: &str) -> Self {
        Self::NotFound(format!(
            "There's no feature named \"{name}\" in project \"{project}\"."
        ))
    }

    /// An error of the server.
    pub fn internal(cause: impl Into<Box<dyn Cause + Send + Sync>>) -> Self {
        Self::Internal {
            source: Arc::from(cause.into()),
        }
    }

    /// Nobody knows whether what was asked was done.
    pub fn unknown_outcome(cause: impl Into<Box<dyn Cause + Send + Sync>>) -> Self {
        Self::UnknownOutcome {
            source: Arc::from(cause.into()),
        }
    }

    /// The database, or what stands before it, cannot be reached.
    pub fn unavailable(cause: impl Into<Box<dyn Cause + Send + Sync>>) -> Self {
        Self::Unavailable {
            retry_after: RETRY_DATABASE,
            source: Arc::from(cause.into()),
        }
    }

    /// What stands against a change, in words.
    #[must_use]
    pub fn of_kind(kind: ErrorKind, message: String) -> Self {
        match kind {
            ErrorKind::Invalid => Self::invalid(message),
            ErrorKind::Forbidden => Self::Forbidden {
                message,
                permissions: Vec::new(),
            },
            ErrorKind::Rule => Self::InvalidOperation(message),
            ErrorKind::Missing => Self::NotFound(message),
            ErrorKind::Conflict => Self::Conflict(message),
        }
    }

    /// When the same may succeed without anything being put right, if it may.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests { retry_after, .. }
            | Self::Busy { retry_after, .. }
            | Self::Unavailable { retry_after, .. } => Some(*retry_after),
            Self::Maintenance => Some(MAINTAINED),
            _ => None,
        }
    }

    /// What the log is to know and whoever asked is not: the cause with its own causes.
    #[must_use]
    pub fn cause(&self) -> Option<String> {
        match self {
            Self::Unavailable { source, .. }
            | Self::UnknownOutcome { source }
            | Self::Internal { source } => Some(chain(source)),
            _ => None,
        }
    }
}

/// Everything that is wrong with a document.
impl From<Vec<Problem>> for Error {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Invalid {
            message: SEVERAL.to_owned(),
            details: problems.into_iter().map(ErrorDetail::from).collect(),
        }
    }
}

/// A question that costs more than one may, or takes too long.
impl From<Exhausted> for Error {
    fn from(error: Exhausted) -> Self {
        match error {
            Exhausted::Late | Exhausted::Cancelled => Self::Busy {
                doing: TOO_LONG,
                retry_after: RETRY_BUSY,
            },
            error => Self::invalid(format!(
                "Rejecting the request, which would be too much work: {error}. Ask for less at once."
            )),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unstorable(problem) => Self::invalid(format!("{problem}.")),
            StoreError::Backend { .. }
            | StoreError::Full { .. }
            | StoreError::ReadOnly { .. }
            | StoreError::Damaged { .. }
            | StoreError::Moved
            | StoreError::Newer { .. } => Self::unavailable(error),
            StoreError::UnknownOutcome { .. } => Self::UnknownOutcome {
                source: Arc::new(error),
            },
            _ => Self::internal(error),
        }
    }
}

/// A commit based on an old revision is for the editor to repeat; what gets here is final.
impl From<CommitError> for Error {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Store(error) => error.into(),
            error => Self::Conflict(format!("The edit was refused: {error}.")),
        }
    }
}

/// A patch that does not fit its document.
impl From<PatchError> for Error {
    fn from(error: PatchError) -> Self {
        match error {
            PatchError::Unfit(problem) => Self::from(vec![problem]),
            error @ PatchError::TestFailed { .. } => {
                Self::Conflict(format!("The patch was not applied: {error}."))
            }
            error => Self::invalid(format!("The patch was not applied: {error}.")),
        }
    }
}

/// A step that a change request does not allow.
impl From<StepError> for Error {
    fn from(error: StepError) -> Self {
        let message = sentence(&error.to_string());
        match error {
            StepError::NoPermission { permission, .. } => Self::Forbidden {
                message,
                permissions: vec![permission.to_owned()],
            },
            other => Self::of_kind(other.kind(), message),
        }
    }
}

/// The text of an error as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

/// The text of an error with all its causes, for the log.
pub fn chain(error: &dyn Cause) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
