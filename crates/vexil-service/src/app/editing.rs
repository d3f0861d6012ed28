//! Edits: computed on the serving state of the moment, committed only if that is still the last one, computed
//! anew if not.

use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

use vexil_budget::Exhausted;
use vexil_domain::Actor;
use vexil_store::{Commit, CommitError, StoreError};

use crate::app::App;
use crate::operations::Error;
use crate::serving_state::ServingState;
use crate::transaction::Transaction;

/// How often an edit is computed anew because other servers were faster, before they have to wait for it.
const OVERTAKEN: usize = 3;

/// How often a database is asked what became of an edit, and how long it is left alone in between.
const ASKED: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// An edit that was computed and not committed yet.
struct Computed<T> {
    value: T,
    /// What is to be committed, and where that leads; `None` when nothing changes.
    step: Option<(Commit, ServingState)>,
}

impl App {
    /// Edits, on a thread that may block: runs `edit` on the current serving state and commits what it
    /// leaves, all or nothing. Runs it again when another server committed in between; when that goes on,
    /// the others have to wait.
    ///
    /// # Errors
    ///
    /// What `edit` answers, or that the store failed. Nothing has changed then, except after
    /// [`Error::UnknownOutcome`], when it may have.
    pub fn edit_blocking<T>(
        &self,
        actor: &Actor,
        edit: impl Fn(&mut Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let _editing = self.shared.editing.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..OVERTAKEN {
            if let Some(value) = self.attempt(actor, &edit)? {
                return Ok(value);
            }
        }
        self.edit_in_turn(actor, &edit)
    }

    /// Runs an edit on the current serving state and keeps nothing of it.
    ///
    /// # Errors
    ///
    /// What `edit` answers; or when too many edits wait already, or it takes too long.
    pub async fn rehearse<T: Send + 'static>(
        &self,
        actor: &Actor,
        edit: impl FnOnce(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (app, actor) = (self.clone(), actor.clone());
        let rehearsed = self.change(move || {
            let serving = app.shared.current.load();
            edit(&mut Transaction::new(&serving, app.reader(), actor, app.now()))
        });
        match rehearsed.await {
            Err(Error::UnknownOutcome { .. }) => Err(Error::from(Exhausted::Late)),
            rehearsed => rehearsed,
        }
    }

    /// Edits, unless another server is faster; then the serving state is brought up to date.
    fn attempt<T>(
        &self,
        actor: &Actor,
        edit: &impl Fn(&mut Transaction<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let shared = &*self.shared;
        let serving = shared.current.load();
        let computed = match self.compute_edit(&serving, actor, edit) {
            Ok(computed) => computed,
            Err(error) => {
                // what is refused on an old serving state may be right on the current one
                let followed = self.follow().is_ok();
                let old = followed && shared.current.load().revision != serving.revision;
                return if old { Ok(None) } else { Err(error) };
            }
        };
        let Some((commit, next)) = computed.step else {
            return Ok(Some(computed.value));
        };
        let begun = Instant::now();
        let committed = shared.store.commit(&commit);
        shared.numbers.commits.add(begun.elapsed());
        match committed {
            Ok(_) => {}
            Err(CommitError::Stale { .. }) => {
                self.follow()?;
                return Ok(None);
            }
            Err(error) => self.settle(&commit, error)?,
        }
        self.publish(&commit, next);
        Ok(Some(computed.value))
    }

    /// Edits while nobody else can.
    fn edit_in_turn<T>(
        &self,
        actor: &Actor,
        edit: &impl Fn(&mut Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let shared = &*self.shared;
        let mut computed = Err(Error::unavailable("an edit did not get its turn"));
        let mut sent = None;
        let outcome = shared.store.commit_in_turn(&mut || {
            computed = self.follow().map_err(Error::from).and_then(|()| {
                let serving = shared.current.load();
                self.compute_edit(&serving, actor, edit)
            });
            let (commit, _) = computed.as_ref().ok()?.step.as_ref()?;
            sent = Some(commit.clone());
            sent.clone()
        });
        if let Err(error) = outcome {
            match &sent {
                Some(commit) => self.settle(commit, error)?,
                None => return Err(error.into()),
            }
        }
        let Computed { value, step } = computed?;
        if let Some((commit, next)) = step {
            self.publish(&commit, next);
        }
        Ok(value)
    }

    fn compute_edit<T>(
        &self,
        serving: &ServingState,
        actor: &Actor,
        edit: &impl Fn(&mut Transaction<'_>) -> Result<T, Error>,
    ) -> Result<Computed<T>, Error> {
        let mut tx = Transaction::new(serving, self.reader(), actor.clone(), self.now());
        let value = edit(&mut tx)?;
        let step = tx.finish()?.map(|(mut commit, snapshot)| {
            let next = serving.with(&mut commit, snapshot);
            (commit, next)
        });
        Ok(Computed { value, step })
    }

    /// Serves what a commit has led to.
    fn publish(&self, commit: &Commit, next: ServingState) {
        self.sign_in.sessions.forget_ended(&commit.sessions);
        self.shared.current.publish(next);
    }

    /// What a commit that failed comes to: where the database did not say whether it was carried out, it is
    /// asked again, since it may have been.
    fn settle(&self, commit: &Commit, error: CommitError) -> Result<(), Error> {
        let CommitError::Store(StoreError::UnknownOutcome { .. }) = &error else {
            return Err(error.into());
        };
        for _ in 0..ASKED {
            match self.shared.store.was_committed(commit) {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(Error::unavailable(error)),
                Err(_) => {
                    #[expect(clippy::disallowed_methods, reason = "edits run on threads of their own")]
                    thread::sleep(PAUSE);
                }
            }
        }
        Err(error.into())
    }
}
