//! The application: what every handler shares.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use time::OffsetDateTime;
use tokio::task::spawn_blocking;
use uuid::Uuid;
use vexil_domain::Actor;
use vexil_store::{CommitError, Store, StoreError, to_the_microsecond};

use crate::config::Limits;
use crate::operations::Error;
use crate::serving_state::ServingState;
use crate::sign_in::{SignInOptions, SignInState};
use crate::transaction::Transaction;
use crate::usage_writer::UsageWriter;

/// How often an edit is computed anew because another server was faster, before it is given up.
const ATTEMPTS: usize = 100;

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
    seeds: SeedSource,
    pages: bool,
    shared: Arc<Shared>,
}

struct Shared {
    store: Arc<dyn Store>,
    serving: ArcSwap<ServingState>,
    /// Held while an edit is computed and committed, so that edits of one server never race.
    writing: Mutex<()>,
    clock: Clock,
}

impl App {
    /// An application on `store`, with what is in it.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn open(store: Arc<dyn Store>, limits: Limits, clock: Clock) -> Result<Self, StoreError> {
        let serving = load(&*store)?;
        Ok(Self {
            limits,
            usage_writer: UsageWriter::start(store.clone()),
            sign_in: Arc::new(SignInState::new(SignInOptions::default(), &clock)),
            seeds: Arc::new(|| Uuid::new_v4().as_u64_pair().0),
            pages: true,
            shared: Arc::new(Shared {
                store,
                serving: ArcSwap::from_pointee(serving),
                writing: Mutex::new(()),
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
        self.shared.serving.load_full()
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.shared.store
    }

    /// Reads from the store, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Error> {
        let store = Arc::clone(&self.shared.store);
        blocking(move || Ok(read(&*store)?)).await
    }

    /// Does work that takes longer than the threads that answer requests have.
    ///
    /// # Errors
    ///
    /// When the server is about to stop.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        blocking(move || Ok(work())).await
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
        blocking(move || app.edit_blocking(&actor, edit)).await
    }

    /// The same on a thread that may block.
    ///
    /// # Errors
    ///
    /// What `edit` answers, or that the store failed; then nothing has changed.
    pub fn edit_blocking<T>(
        &self,
        actor: &Actor,
        edit: impl Fn(&mut Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let shared = &*self.shared;
        let _writing = shared.writing.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..ATTEMPTS {
            let serving = shared.serving.load_full();
            let mut tx = Transaction::new(&serving, &*shared.store, actor.clone(), self.now());
            let value = match edit(&mut tx) {
                Ok(value) => value,
                // what is refused on an old serving state may be right on the current one
                Err(_) if matches!(self.catch_up(), Ok(true)) => continue,
                Err(error) => return Err(error),
            };
            let Some((commit, snapshot)) = tx.finish() else {
                return Ok(value);
            };
            match shared.store.commit(&commit) {
                Ok(revision) => {
                    self.sign_in.sessions.forget_ended(&commit.sessions);
                    let next = serving.after(revision, snapshot, &commit);
                    shared.serving.store(Arc::new(next));
                    return Ok(value);
                }
                Err(CommitError::Stale { .. }) => {
                    self.catch_up()?;
                }
                Err(error @ CommitError::Store(_)) => {
                    // the commit may have arrived although its answer did not
                    if let Err(also) = self.catch_up() {
                        tracing::warn!("the database could not be read after a failed commit: {also}");
                    }
                    return Err(error.into());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::unavailable(format!(
            "other servers were faster {ATTEMPTS} times"
        )))
    }

    /// Loads the serving state anew if another server has committed, and says whether. Must not run beside
    /// an edit of this server, except from within it.
    fn catch_up(&self) -> Result<bool, Error> {
        let shared = &*self.shared;
        let current = shared.store.revision()?;
        if current == shared.serving.load().revision {
            return Ok(false);
        }
        shared.serving.store(Arc::new(load(&*shared.store)?));
        Ok(true)
    }

    /// Takes over what other servers have committed to the same database.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn refresh(&self) -> Result<(), Error> {
        let current = self.shared.store.revision()?;
        if current == self.shared.serving.load().revision {
            return Ok(());
        }
        let _writing = self.shared.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up().map(drop)
    }
}

/// Reads everything, as of one revision.
fn load(store: &dyn Store) -> Result<ServingState, StoreError> {
    loop {
        let loaded = store.load()?;
        let tokens = store.tokens()?;
        let users = store.users()?;
        if store.revision()? == loaded.revision {
            return Ok(ServingState::new(loaded, tokens, users));
        }
    }
}

/// Runs `work` on a thread that may block.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    match spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(Error::internal(error)),
    }
}
