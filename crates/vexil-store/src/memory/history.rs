//! What each of the last commits touched.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::{Commit, FOLLOWED_COMMITS, Revision};

/// The last commits, the newest last.
#[derive(Debug, Clone, Default)]
pub(super) struct History(pub(super) VecDeque<(Revision, Arc<Commit>)>);

impl History {
    pub(super) fn add(&mut self, commit: &Commit, made: Revision) {
        self.0.push_back((made, Arc::new(commit.clone())));
        let commits = usize::try_from(FOLLOWED_COMMITS).unwrap_or(usize::MAX);
        while self.0.len() > commits {
            self.0.pop_front();
        }
    }

    /// The mark of the commit that made `sequence`, where it is known.
    pub(super) fn mark(&self, sequence: u64) -> Option<u32> {
        if sequence == 0 {
            return Some(0);
        }
        let made = self.0.iter().map(|(made, _)| made);
        made.rev()
            .find(|made| made.sequence == sequence)
            .map(|made| made.mark)
    }

    pub(super) fn since(&self, sequence: u64) -> impl Iterator<Item = &Commit> {
        let later = move |(made, _): &&(Revision, Arc<Commit>)| made.sequence > sequence;
        self.0.iter().filter(later).map(|(_, commit)| &**commit)
    }
}
