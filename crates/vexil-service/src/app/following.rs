//! Following what other servers commit to the same database: by reading what changed, and without a lock.

use vexil_store::StoreError;

use crate::app::App;
use crate::operations::Error;
use crate::serving_state::ServingState;

impl App {
    /// Takes over what other servers have committed.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn follow(&self) -> Result<(), StoreError> {
        let shared = &*self.shared;
        loop {
            let serving = shared.current.load();
            if shared.store.revision()? == serving.revision {
                return Ok(());
            }
            let changes = shared.store.changes_since(serving.revision.sequence)?;
            let next = match changes {
                Some(changes) if changes.since == Some(serving.revision.mark) => serving.following(&changes),
                _ => {
                    let loaded = ServingState::new(shared.store.load()?);
                    // the database was put back: what was newer is no more
                    shared.newer.forget_after(loaded.revision.sequence);
                    loaded
                }
            };
            // an edit of this server may have been faster; then there may be more to take over
            if shared.current.replace(&serving, next) {
                return Ok(());
            }
        }
    }

    /// Takes over whose access other servers have changed, ahead of everything else they have committed.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn follow_credentials(&self) -> Result<(), StoreError> {
        let shared = &*self.shared;
        let serving = shared.current.load();
        let known = shared.newer.sequence().max(serving.revision.sequence);
        if let Some(changes) = shared.store.credentials_since(known)? {
            shared.newer.add(&serving, changes);
            self.streams.bell.ring();
        }
        Ok(())
    }

    /// Brings everything into the file of the database, where it is one.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        self.shared.store.checkpoint()
    }

    /// Waits until this server serves at least the revision of this sequence number, which another server
    /// made. One that was never made is not waited for.
    pub async fn catch_up_to(&self, sequence: u64) -> Result<(), Error> {
        let behind = || self.shared.current.load().revision.sequence < sequence;
        if !behind() {
            return Ok(());
        }
        let _one = self.shared.catching_up.lock().await;
        if !behind() {
            return Ok(());
        }
        let app = self.clone();
        self.with_store(move || app.follow()).await
    }
}
