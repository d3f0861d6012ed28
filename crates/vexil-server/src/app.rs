//! The application: what every handler shares.

mod credentials;
mod current;
mod editing;
mod following;
mod seen;
mod tasks;

use std::sync::{Arc, Mutex};

use time::OffsetDateTime;
use uuid::Uuid;
use vexil_domain::Actor;
use vexil_store::{Store, StoreError, to_the_microsecond};

use crate::config::Limits;
use crate::lanes::Lanes;
use crate::memory::Memory;
use crate::operations::Error;
use crate::serving_state::ServingState;
use crate::sign_in::{SignInOptions, SignInState};
use crate::transaction::Transaction;
use crate::usage_writer::UsageWriter;

pub(crate) use credentials::{ById, Credentials};
pub(crate) use tasks::Background;

use credentials::NewerCredentials;
use current::Current;
use seen::Seen;

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> OffsetDateTime + Send + Sync>;

/// Gives seeds that chance is drawn from.
pub type SeedSource = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What every handler shares. Cloning shares it too.
#[derive(Clone)]
pub struct App {
    /// Bounds on what one request may cost.
    pub limits: Limits,
    /// Takes in usage reports.
    pub usage_writer: UsageWriter,
    /// What requests share that sign people in.
    pub(crate) sign_in: Arc<SignInState>,
    pub(crate) lanes: Lanes,
    pub(crate) memory: Memory,
    seeds: SeedSource,
    pages: bool,
    pub(crate) shared: Arc<Shared>,
}

/// What all clones share.
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) current: Current,
    pub(crate) newer: NewerCredentials,
    pub(crate) seen: Seen,
    /// Held while an edit is computed and committed, so that edits of one server never race.
    pub(crate) editing: Mutex<()>,
    /// Held by one who asks the store for a revision that was named, so that it is asked once for all.
    pub(crate) catching_up: tokio::sync::Mutex<()>,
    clock: Clock,
}

impl App {
    /// An application on `store`, with what is in it.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn open(store: Arc<dyn Store>, limits: Limits, clock: Clock) -> Result<Self, StoreError> {
        let serving = ServingState::new(store.load()?);
        Ok(Self {
            limits,
            usage_writer: UsageWriter::start(store.clone()),
            sign_in: Arc::new(SignInState::new(SignInOptions::default(), &clock)),
            lanes: Lanes::default(),
            memory: Memory::default(),
            seeds: Arc::new(|| Uuid::new_v4().as_u64_pair().0),
            pages: true,
            shared: Arc::new(Shared {
                store,
                current: Current::new(serving),
                newer: NewerCredentials::default(),
                seen: Seen::default(),
                editing: Mutex::default(),
                catching_up: tokio::sync::Mutex::default(),
                clock,
            }),
        })
    }

    /// The same application, which gets its seeds from `seeds`.
    #[must_use]
    pub fn with_seeds(self, seeds: SeedSource) -> Self {
        Self { seeds, ..self }
    }

    /// The same application, with the web pages or without them.
    #[must_use]
    pub fn with_pages(self, pages: bool) -> Self {
        Self { pages, ..self }
    }

    /// Whether the web pages are served.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        self.pages
    }

    /// The same application, in which people sign in as `options` say.
    #[must_use]
    pub fn with_sign_in(self, options: SignInOptions) -> Self {
        Self {
            sign_in: Arc::new(SignInState::new(options, &self.shared.clock)),
            ..self
        }
    }

    /// The time, in UTC, as finely as stores keep it.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        to_the_microsecond((self.shared.clock)())
    }

    /// A seed that chance is drawn from: anew for each question, the same within one.
    #[must_use]
    pub fn seed(&self) -> u64 {
        (self.seeds)()
    }

    /// The current serving state.
    #[must_use]
    pub fn serving(&self) -> Arc<ServingState> {
        self.shared.current.load()
    }

    /// Who may come in.
    #[must_use]
    pub(crate) fn credentials(&self) -> Credentials {
        self.shared.newer.with(self.serving())
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.shared.store
    }

    /// Edits: runs `edit` on the current serving state and commits what it leaves, all or nothing. Runs it
    /// again when another server committed in between.
    ///
    /// # Errors
    ///
    /// What `edit` answers, or that the store failed; then nothing has changed.
    pub async fn edit<T: Send + 'static>(
        &self,
        actor: &Actor,
        edit: impl Fn(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let app = self.clone();
        let actor = actor.clone();
        self.change(move || app.edit_blocking(&actor, edit)).await
    }
}
