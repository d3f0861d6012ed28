//! Work of handlers, each kind on threads of its own.

use std::sync::Arc;

use vexil_budget::{Budget, Stop};
use vexil_store::StoreError;

use super::{App, Reader};
use crate::lanes::{Lane, Rendering, refused};
use crate::operations::Error;
use crate::pipe;
use crate::pool::{NotDone, current_stop};

/// Documents up to this many bytes are read in no time.
const SHORT: usize = 16 << 10;
const EDIT_LATE: &str = "the edit did not end in time";
const STORE_LATE: &str = "the database did not answer in time";

impl App {
    /// Runs a handler on the threads of a lane.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub async fn handle<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let deadlines = &self.limits.deadlines;
        let (pool, deadline, others) = match lane {
            Lane::Reading => (&self.lanes.reading, deadlines.store, "other reads"),
            // what it waits for has the same deadline, and knows more when it is over
            Lane::Writing => (
                &self.lanes.writing,
                deadlines.edit + deadlines.edit / 4,
                "other edits",
            ),
            Lane::Questions => (&self.lanes.questions, deadlines.question, "other questions"),
        };
        match (pool.run(deadline, work).await, lane) {
            (Ok(done), _) => Ok(done),
            (Err(NotDone::NotEnded), Lane::Writing) => Err(Error::unknown_outcome(EDIT_LATE)),
            (Err(NotDone::NotEnded), Lane::Reading) => Err(Error::unavailable(STORE_LATE)),
            (Err(error), _) => Err(refused(error, others)),
        }
    }

    /// Reads from the store, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// When the store fails, or does not answer in time.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(Reader<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Error> {
        let store = Arc::clone(&self.shared.store);
        self.with_store(move || read(Reader::new(&*store))).await
    }

    /// The same for what reaches the store by itself.
    ///
    /// # Errors
    ///
    /// When the store fails, or does not answer in time.
    pub(crate) async fn with_store<T: Send + 'static>(
        &self,
        read: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Error> {
        if current_stop().is_some() {
            return Ok(read()?);
        }
        Ok(self.handle(Lane::Reading, move |_| read()).await??)
    }

    /// Whether the database answers, and what is written to it now would be found again. Waits for nobody else
    /// who reads or writes.
    ///
    /// # Errors
    ///
    /// When it does not, or not in time.
    pub async fn check(&self) -> Result<(), Error> {
        let store = Arc::clone(&self.shared.store);
        let deadline = self.limits.deadlines.check;
        match self.lanes.checking.run(deadline, move |_| store.check()).await {
            Ok(checked) => Ok(checked?),
            Err(_) => Err(Error::unavailable(STORE_LATE)),
        }
    }

    /// The threads that make what SDKs wait for.
    #[must_use]
    pub fn rendering(&self) -> Rendering<'_> {
        self.lanes.rendering_within(self.limits.deadlines.question)
    }

    /// Asks another server, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub async fn outside<T: Send + 'static>(
        &self,
        ask: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let done = self.lanes.outside.run(self.limits.deadlines.body, move |_| ask());
        done.await.map_err(|error| refused(error, "other sign-ins"))
    }

    /// Reads a document of so many bytes: a large one off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub async fn parse<T: Send + 'static>(
        &self,
        bytes: usize,
        read: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, Error> {
        if bytes <= SHORT {
            return Ok(read(self));
        }
        let app = self.clone();
        let done = self
            .lanes
            .parsing
            .run(self.limits.deadlines.question, move |_| read(&app));
        done.await.map_err(|error| refused(error, "other large requests"))
    }

    /// Compresses an answer that people wait for, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub async fn pack<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.handle(Lane::Reading, move |_| work()).await
    }

    /// Answers a question that takes computing, off the threads that answer requests and within a budget.
    /// Nothing is computed any more for a client that is gone.
    ///
    /// # Errors
    ///
    /// What `work` answers; or when too many wait already, or it takes too long.
    pub async fn question<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let units = self.limits.work;
        if let Some(stop) = current_stop() {
            return work(&Budget::stopped_by(units, stop));
        }
        let work = move |stop: &Stop| work(&Budget::stopped_by(units, stop.clone()));
        self.handle(Lane::Questions, work).await?
    }

    /// The same for work that is bounded by itself.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        if current_stop().is_some() {
            return Ok(work());
        }
        self.handle(Lane::Questions, move |_| work()).await
    }

    /// Answers with what `write` writes piece by piece, while it writes on a thread of its own. It ends early
    /// when nobody reads any more.
    ///
    /// # Errors
    ///
    /// When too many answers are being written already.
    pub fn stream(
        &self,
        write: impl FnOnce(&mut dyn FnMut(Vec<u8>) -> bool) + Send + 'static,
    ) -> Result<pipe::Reader, Error> {
        let (writer, reader) = pipe::pipe(&self.lanes.questions, &Stop::default());
        let started = self
            .lanes
            .questions
            .start(move || write(&mut |piece: Vec<u8>| writer.write(piece.into())));
        started.map_err(|error| refused(error, "other questions"))?;
        Ok(reader)
    }

    /// Edits by `work`, one after another, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// What `work` answers; or when too many wait already. When it takes too long, it is not known whether it
    /// was done.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (editing, deadline) = (&self.lanes.editing, self.limits.deadlines.edit);
        let work = move |_: &Stop| work();
        match editing.run(deadline, work).await {
            Ok(done) => done,
            Err(NotDone::NotEnded) => Err(Error::unknown_outcome(EDIT_LATE)),
            Err(error) => Err(refused(error, "other edits")),
        }
    }
}
