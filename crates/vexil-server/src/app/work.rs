//! Work of handlers, each kind on threads of its own.

use std::sync::Arc;

use vexil_budget::{Budget, Stop};
use vexil_store::StoreError;

use super::{App, Reader};
use crate::lanes::refused;
use crate::operations::Error;
use crate::pipe;
use crate::pool::{NotDone, Pool};

impl App {
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
        let work = move |_: &Stop| read();
        match self.lanes.reading.run(self.limits.deadlines.store, work).await {
            Ok(read) => Ok(read?),
            Err(NotDone::NotEnded) => Err(Error::unavailable("the database did not answer in time")),
            Err(error) => Err(refused(error, "other reads")),
        }
    }

    /// Makes what an SDK waits for, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub(crate) async fn render<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.run(&self.lanes.rendering, "other answers", move |_| work())
            .await
    }

    /// Compresses an answer that people wait for, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub(crate) async fn pack<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.run(&self.lanes.reading, "other answers", move |_| work())
            .await
    }

    /// Answers a question that takes computing, off the threads that answer requests and within a budget.
    /// Nothing is computed any more for a client that is gone.
    ///
    /// # Errors
    ///
    /// What `work` answers; or when too many wait already, or it takes too long.
    pub(crate) async fn question<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let units = self.limits.work;
        let work = move |stop: &Stop| work(&Budget::stopped_by(units, stop.clone()));
        self.run(&self.lanes.questions, "other questions", work).await?
    }

    /// The same for work that is bounded by itself.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.run(&self.lanes.questions, "other questions", move |_| work())
            .await
    }

    /// Answers with what `write` writes piece by piece, while it writes on a thread of its own. It ends early
    /// when nobody reads any more.
    ///
    /// # Errors
    ///
    /// When too many answers are being written already.
    pub(crate) fn stream(
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

    /// Edits by `work`, off the threads that answer requests.
    ///
    /// # Errors
    ///
    /// What `work` answers; or when too many wait already. When it takes too long, it is not known whether it
    /// was done.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let work = move |_: &Stop| work();
        match self.lanes.editing.run(self.limits.deadlines.edit, work).await {
            Ok(done) => done,
            Err(NotDone::NotEnded) => Err(Error::unknown_outcome("the edit did not end in time")),
            Err(error) => Err(refused(error, "other edits")),
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        lane: &Pool,
        doing: &'static str,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let done = lane.run(self.limits.deadlines.question, work).await;
        done.map_err(|error| refused(error, doing))
    }
}
