//! Usage counts.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Packed, Retention, Rows, Width};

use crate::StoreError;

/// Tells one process that appends usage from all others. It draws it at random when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriterId(pub i64);

/// What the sender of a report calls it, so that it can send it again without counting it twice.
/// Made of the sender's own text and of who sent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReportKey(pub [u8; 32]);

/// Reports that arrived together, as they are appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageBatch {
    /// Who appends.
    pub writer: WriterId,
    /// The number of the batch. A writer counts its own from 1 on, and appends one after the other.
    pub number: u64,
    /// Whether it was sent before and its outcome is not known. It is not appended twice then.
    pub again: bool,
    /// What was counted.
    pub counts: Packed,
    /// What the senders call their reports, as far as they do.
    pub keys: Vec<ReportKey>,
    /// When it is appended.
    pub now: OffsetDateTime,
}

/// What became of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    /// It is stored.
    Stored,
    /// It is not: these reports in it were stored before.
    Known(Vec<ReportKey>),
}

/// What a step of folding came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folding {
    /// There is nothing to be folded.
    Idle,
    /// Another process is at it.
    Elsewhere,
    /// A step was made, and there are more.
    More,
    /// The last step was made.
    Done,
}

/// What was appended and is not folded yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InboxSize {
    /// How many batches.
    pub rows: u64,
    /// How many bytes they have, packed.
    pub bytes: u64,
}

/// Which counts to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageQuery {
    /// Those of these flags.
    pub flags: Vec<FlagName>,
    /// By the minute, the hour or the day.
    pub width: Width,
    /// Minutes, hours or days that start at this instant or later.
    pub since: OffsetDateTime,
    /// Whether it matters who reported them.
    pub applications: Applications,
}

/// Whether applications are told apart in counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applications {
    /// Each has its own rows.
    Apart,
    /// One row for all of them, whose application has no name. Less is read that way.
    Together,
}

/// Whose reports to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reported {
    /// Those of flags that are in the configuration neither live nor archived.
    Unknown,
    /// Those of these flags.
    Flags(Vec<FlagName>),
    /// Those of these applications.
    Applications(Vec<String>),
}

/// Who reported a flag, and when last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportedBy {
    /// The flag.
    pub flag: FlagName,
    /// The environment.
    pub environment: EnvironmentName,
    /// The application.
    pub application: String,
    /// The start of the last minute that was reported.
    pub last: OffsetDateTime,
}

/// The start of the last minute in which a flag was reported in an environment.
pub type LastSeen = BTreeMap<(FlagName, EnvironmentName), OffsetDateTime>;

/// How long the keys of reports are remembered.
pub const REPORT_KEYS_KEPT: time::Duration = time::Duration::hours(24);

/// Keeps usage counts.
///
/// What is appended counts at once; folding it into minutes changes nothing of what is read, and
/// makes reading and the store smaller. Minutes become part of hours, and hours of days, when they are
/// old enough ([`UsageStore::tidy_usage`]).
///
/// Counts are tied to names: those of a flag or an environment go with the commit that removes it.
pub trait UsageStore {
    /// Appends a batch, in one transaction. Sums stop at [`vexil_metrics::Count::MAX`].
    ///
    /// # Errors
    ///
    /// When the database fails, or a name cannot be stored; then nothing was appended, except that
    /// after [`StoreError::UnknownOutcome`] it may have been: append it [`UsageBatch::again`].
    fn append_usage(&self, batch: &UsageBatch) -> Result<Appended, StoreError>;

    /// Folds some of what was appended into minutes. A step takes a fraction of a second; any number
    /// of processes may fold, and stop at any moment.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn fold_usage(&self) -> Result<Folding, StoreError>;

    /// How much there is to be folded. A store that folds at once has nothing there.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn inbox_size(&self) -> Result<InboxSize, StoreError> {
        Ok(InboxSize::default())
    }

    /// Makes minutes that are no longer kept at `now` part of hours, and hours of days, and deletes
    /// what is no longer kept at all: a small step of it. Returns whether there is more to do.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn tidy_usage(&self, now: OffsetDateTime, retention: &Retention) -> Result<bool, StoreError>;

    /// Reads counts. Minutes are there for as long as [`Retention::MINUTES`] says, hours for
    /// [`Retention::HOURS`].
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn usage(&self, wanted: &UsageQuery) -> Result<Rows, StoreError>;

    /// Reads counts, and which applications reported those flags, by name: everyone whose last report is still kept.
    /// Both are of one state of the store.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn usage_and_applications(&self, wanted: &UsageQuery) -> Result<(Rows, BTreeSet<String>), StoreError>;

    /// Who reported, ordered by flag, environment and application. Everyone is there whose last
    /// report is still kept.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn reported_by(&self, whose: &Reported) -> Result<Vec<ReportedBy>, StoreError>;

    /// When flags were last reported: these, or all.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn last_seen(&self, flags: Option<&[FlagName]>) -> Result<LastSeen, StoreError>;

    /// The names of all applications that reported.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn reporting_applications(&self) -> Result<BTreeSet<String>, StoreError>;
}
