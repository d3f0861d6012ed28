//! Everything that is in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::{SnapshotDelta, Write};

use super::history::History;
use super::sign_ins::SignIns;
use super::usage::Usage;
use crate::{Changes, Commit, CredentialChanges, Event, FOLLOWED_COMMITS, Instance, InstanceKey, Loaded};

#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) loaded: Loaded,
    pub(super) history: History,
    pub(super) change_requests: BTreeMap<ChangeRequestId, Arc<ChangeRequest>>,
    pub(super) sign_ins: SignIns,
    pub(super) events: Vec<Event>,
    pub(super) usage: Usage,
    pub(super) instances: BTreeMap<InstanceKey, Instance>,
}

impl State {
    pub(super) fn changes_since(&self, sequence: u64) -> Option<Changes> {
        let revision = self.loaded.revision;
        let commits = revision.sequence.checked_sub(sequence)?;
        if commits > FOLLOWED_COMMITS {
            return None;
        }
        let snapshot = &self.loaded.snapshot;
        let delta = SnapshotDelta {
            projects: self.now(
                sequence,
                &snapshot.projects,
                |it| &it.delta.projects,
                |it| it.id.clone(),
            ),
            environments: self.now(
                sequence,
                &snapshot.environments,
                |it| &it.delta.environments,
                |it| it.name.clone(),
            ),
            flags: self.now(
                sequence,
                &snapshot.flags,
                |it| &it.delta.flags,
                |it| it.name.clone(),
            ),
            segments: self.now(sequence, &snapshot.segments, |it| &it.delta.segments, |it| it.id),
            strategy_types: self.now(
                sequence,
                &snapshot.strategy_types,
                |it| &it.delta.strategy_types,
                |it| it.name.clone(),
            ),
            tag_types: self.now(
                sequence,
                &snapshot.tag_types,
                |it| &it.delta.tag_types,
                |it| it.name.clone(),
            ),
        };
        Some(Changes {
            since: self.history.mark(sequence),
            revision,
            counters: self.loaded.counters,
            delta,
            environments: self.loaded.environments.clone(),
            credentials: CredentialChanges {
                sequence: revision.sequence,
                tokens: self.now(sequence, &self.loaded.tokens, |it| &it.tokens, |it| it.id),
                users: self.now(sequence, &self.loaded.users, |it| &it.users, |it| it.id),
                access: (self.history.since(sequence).any(|it| !it.access.is_empty()))
                    .then(|| self.loaded.access.clone()),
            },
        })
    }

    /// The present value of everything that commits since `sequence` touched, by key.
    fn now<K: Ord + Clone, V>(
        &self,
        sequence: u64,
        values: &BTreeMap<K, Arc<V>>,
        writes: impl Fn(&Commit) -> &[Write<K, V>],
        key_of: impl Fn(&V) -> K,
    ) -> Vec<Write<K, V>> {
        let touched = self.history.since(sequence).flat_map(writes);
        let keys: BTreeSet<K> = touched
            .map(|write| match write {
                Write::Upsert(value) => key_of(value),
                Write::Delete(key) => key.clone(),
            })
            .collect();
        keys.into_iter()
            .map(|key| match values.get(&key) {
                Some(value) => Write::Upsert(Arc::clone(value)),
                None => Write::Delete(key),
            })
            .collect()
    }

    pub(super) fn was_committed(&self, commit: &Commit) -> bool {
        self.history
            .0
            .iter()
            .any(|(made, it)| made.sequence.checked_sub(1) == Some(commit.expected) && it.id == commit.id)
    }
}
