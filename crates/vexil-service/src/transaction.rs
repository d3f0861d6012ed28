//! Edits: computed on the current serving state, committed only if it is still current, computed anew if not.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use time::OffsetDateTime;
use uuid::Uuid;
use vexil_access::UserId;
use vexil_change_request::{
    ChangeProblem, ChangeRequest, ChangeRequestId, ErrorKind, Outcome, PlannedChange, Scope, overlay,
};
use vexil_domain::{Actor, Snapshot, SnapshotDelta, StrategyId, Write};
use vexil_store::{
    AccessWrites, ApiToken, ApiTokenId, ChangeRequestFilter, Commit, CommitId, Counters, Link, LinkWrite,
    NewEvent, Page, SecretHash, Session, SessionWrite, User,
};

use crate::app::Reader;
use crate::operations::authority::Authority;
use crate::operations::known_fields::Settings;
use crate::operations::{Error, audit, gone_favorites, legal_values};
use crate::served_access::ServedAccess;
use crate::serving_state::ServingState;

/// An edit under construction.
pub struct Transaction<'a> {
    /// The configuration as it will be.
    pub snapshot: Snapshot,
    /// The next ids.
    pub counters: Counters,
    /// The time of the edit.
    pub now: OffsetDateTime,
    /// Who edits.
    pub actor: Actor,
    serving: &'a ServingState,
    store: Reader<'a>,
    change_requests: Vec<Write<ChangeRequestId, ChangeRequest>>,
    tokens: Vec<Write<ApiTokenId, ApiToken>>,
    users: Vec<Write<UserId, User>>,
    sessions: Vec<SessionWrite>,
    links: Vec<LinkWrite>,
    access: AccessWrites,
    events: Vec<NewEvent>,
    applied: Option<ChangeRequestId>,
}

opaque!(Transaction<'_>);

impl<'a> Transaction<'a> {
    pub(crate) fn new(
        serving: &'a ServingState,
        store: Reader<'a>,
        actor: Actor,
        now: OffsetDateTime,
    ) -> Self {
        Self {
            snapshot: serving.snapshot.clone(),
            counters: serving.counters,
            now,
            actor,
            serving,
            store,
            change_requests: Vec::new(),
            tokens: Vec::new(),
            users: Vec::new(),
            sessions: Vec::new(),
            links: Vec::new(),
            access: AccessWrites::default(),
            events: Vec::new(),
            applied: None,
        }
    }

    /// The serving state that the edit starts from.
    #[must_use]
    pub fn serving(&self) -> &'a ServingState {
        self.serving
    }

    /// A change request as this edit leaves it so far.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn change_request(&self, id: ChangeRequestId) -> Result<Option<ChangeRequest>, Error> {
        for put in self.change_requests.iter().rev() {
            match put {
                Write::Upsert(request) if request.id == id => return Ok(Some(ChangeRequest::clone(request))),
                Write::Delete(gone) if *gone == id => return Ok(None),
                _ => {}
            }
        }
        self.store.change_request(id).map_err(Error::from)
    }

    /// Change requests as they were before this edit, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn change_requests(&self, filter: &ChangeRequestFilter) -> Result<Page<ChangeRequest>, Error> {
        self.store.change_requests(filter).map_err(Error::from)
    }

    /// Adds or replaces a change request.
    pub fn put_change_request(&mut self, request: ChangeRequest) {
        self.change_requests.push(Write::Upsert(Arc::new(request)));
    }

    /// Removes a change request.
    pub fn remove_change_request(&mut self, id: ChangeRequestId) {
        self.change_requests.push(Write::Delete(id));
    }

    /// Adds or replaces an API token.
    pub fn put_token(&mut self, token: ApiToken) {
        self.tokens.push(Write::Upsert(Arc::new(token)));
    }

    /// Removes an API token.
    pub fn remove_token(&mut self, id: ApiTokenId) {
        self.tokens.push(Write::Delete(id));
    }

    /// Adds or replaces a user.
    pub fn put_user(&mut self, user: User) {
        self.users.push(Write::Upsert(Arc::new(user)));
    }

    /// All users as this edit leaves them so far, by id; one that it creates is not among them.
    pub fn users(&self) -> impl Iterator<Item = Arc<User>> {
        self.serving.users.iter().filter_map(|user| self.user(user.id))
    }

    /// Removes a user.
    pub fn remove_user(&mut self, id: UserId) {
        self.users.push(Write::Delete(id));
    }

    /// Begins a session, or ends some.
    pub fn write_session(&mut self, write: SessionWrite) {
        self.sessions.push(write);
    }

    /// The sessions of a user as they were before this edit, the latest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, Error> {
        Ok(self.store.sessions_of(user)?)
    }

    /// Roles, groups and settings as this edit leaves them so far.
    #[must_use]
    pub fn access(&self) -> ServedAccess {
        let mut tables = self.serving.access.tables.clone();
        tables.apply(&self.access);
        tables.into()
    }

    /// What is written about roles, groups and settings.
    pub fn access_writes(&mut self) -> &mut AccessWrites {
        &mut self.access
    }

    /// Makes a link, or uses links up.
    pub fn write_link(&mut self, write: LinkWrite) {
        self.links.push(write);
    }

    /// A link as it was before this edit.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn link(&self, secret: SecretHash) -> Result<Option<Link>, Error> {
        Ok(self.store.link(secret)?)
    }

    /// A user as this edit leaves them so far.
    #[must_use]
    pub fn user(&self, id: UserId) -> Option<Arc<User>> {
        for write in self.users.iter().rev() {
            match write {
                Write::Upsert(user) if user.id == id => return Some(Arc::clone(user)),
                Write::Delete(gone) if *gone == id => return None,
                _ => {}
            }
        }
        self.serving.users.get(id).cloned()
    }

    /// Makes the configuration that a change request proposes. The audit log tells of the request.
    pub(crate) fn apply_request(&mut self, request: ChangeRequestId, proposed: Snapshot) {
        self.snapshot = proposed;
        self.applied = Some(request);
    }

    /// Adds an entry to the audit log about something that is in none of what the edit writes. What it does to
    /// the configuration, tokens and users is told by itself.
    pub fn event(&mut self, event: NewEvent) {
        self.events.push(event);
    }

    /// An entry for the audit log, by this edit's actor at its time, about nothing in particular yet.
    #[must_use]
    pub fn new_event(&self, kind: &str) -> NewEvent {
        NewEvent {
            kind: kind.to_owned(),
            created_at: self.now,
            actor: self.actor.clone(),
            project: None,
            environment: None,
            flag: None,
            data: None,
            pre_data: None,
            change_request: None,
        }
    }

    /// An id for a new strategy. Later ids sort behind earlier ones.
    #[must_use]
    pub fn random_strategy_id(&self) -> StrategyId {
        Uuid::now_v7().to_string().into()
    }

    /// Applies changes to the configuration: all of them, or none.
    ///
    /// # Errors
    ///
    /// When any of them cannot be applied; every reason is listed.
    pub fn apply(&mut self, scope: &Scope, changes: &[PlannedChange]) -> Result<Outcome, Error> {
        let outcome = overlay(&self.snapshot, scope, changes);
        if let Some(error) = blocking_error(&outcome) {
            return Err(error);
        }
        self.snapshot = outcome.proposed.clone();
        Ok(outcome)
    }

    /// The settings of the instance as this edit leaves them so far.
    pub(crate) fn settings(&self) -> Cow<'_, Settings> {
        if self.access.settings.is_empty() {
            return Cow::Borrowed(&self.serving.access.tables.settings);
        }
        Cow::Owned(self.access().tables.settings)
    }

    /// Refuses what the edit makes of the configuration, so far as `delta` says, where whoever edits may not, or where it
    /// goes against the values that context fields may have.
    ///
    /// # Errors
    ///
    /// Why.
    pub(crate) fn check(&self, delta: &SnapshotDelta) -> Result<(), Error> {
        let before = &self.serving.snapshot;
        let authority = Authority::new(self.serving, self.now);
        authority.check_edit(&self.actor, before, &self.snapshot)?;
        legal_values::check(before, delta, &self.settings())
    }

    /// What is to be committed, and the snapshot it leads to; `None` when nothing changes. What the edit did is
    /// told to the audit log here, whatever it was.
    ///
    /// # Errors
    ///
    /// When the edit takes effect where whoever edits may not; or when it cannot be put into words, which is
    /// an error of the server.
    pub(crate) fn finish(mut self) -> Result<Option<(Commit, Snapshot)>, Error> {
        let before = &self.serving.snapshot;
        let delta = self.snapshot.since(before);
        for user in gone_favorites::without(self.users(), &delta) {
            self.put_user(user);
        }
        // what was approved was judged by its approvals, and looked at when it was proposed
        if self.applied.is_none() {
            self.check(&delta)?;
        }
        let idle = delta.is_empty()
            && self.change_requests.is_empty()
            && self.tokens.is_empty()
            && self.users.is_empty()
            && self.sessions.is_empty()
            && self.links.is_empty()
            && self.access.is_empty()
            && self.events.is_empty()
            && self.counters == self.serving.counters;
        if idle {
            return Ok(None);
        }
        let mut events = self.derived_events()?;
        events.append(&mut self.events);
        let commit = Commit {
            id: CommitId(Uuid::new_v4().as_u128()),
            expected: self.serving.revision.sequence,
            expected_mark: self.serving.revision.mark,
            counters: self.counters,
            delta,
            // those are known once the next serving state is
            environments: Vec::new(),
            change_requests: self.change_requests,
            tokens: self.tokens,
            users: self.users,
            sessions: self.sessions,
            links: self.links,
            access: self.access,
            events,
        };
        Ok(Some((commit, self.snapshot)))
    }

    fn derived_events(&self) -> Result<Vec<NewEvent>, Error> {
        let serving = self.serving;
        let known = |id: &ApiTokenId| serving.tokens.values().find(|token| token.id == *id).cloned();
        let entries = audit::entries(&audit::Difference {
            before: &serving.snapshot,
            after: &self.snapshot,
            tokens: &changed(&self.tokens, |token| token.id, known),
            users: &changed(&self.users, |user| user.id, |id| serving.users.get(*id).cloned()),
            access: (&serving.access.tables, &self.access().tables),
        })?;
        let event = |entry: audit::Entry| NewEvent {
            project: entry.project,
            environment: entry.environment,
            flag: entry.flag,
            data: entry.data,
            pre_data: entry.pre_data,
            change_request: self.applied,
            ..self.new_event(entry.kind)
        };
        Ok(entries.into_iter().map(event).collect())
    }
}

/// What is written, each once, as it was and as it will be; in the order in which it was first written.
fn changed<K: Copy + Ord, V>(
    writes: &[Write<K, V>],
    key_of: impl Fn(&V) -> K,
    known: impl Fn(&K) -> Option<Arc<V>>,
) -> Vec<audit::BeforeAfter<V>> {
    let mut places: BTreeMap<K, usize> = BTreeMap::new();
    let mut changes = Vec::new();
    for write in writes {
        let (key, after) = match write {
            Write::Upsert(value) => (key_of(value), Some(Arc::clone(value))),
            Write::Delete(key) => (*key, None),
        };
        let place = *places.entry(key).or_insert_with(|| {
            changes.push((known(&key), None));
            changes.len() - 1
        });
        if let Some((_, now)) = changes.get_mut(place) {
            *now = after;
        }
    }
    changes
}

/// The error of a direct edit that is blocked: its kind is that of the first reason.
fn blocking_error(outcome: &Outcome) -> Option<Error> {
    let first = outcome.blocks().next()?;
    let message = sentence(first);
    Some(match first.code.kind() {
        ErrorKind::Invalid => Error::Invalid {
            message,
            details: outcome.blocks().map(detail).collect(),
        },
        kind => Error::of_kind(kind, message),
    })
}

/// One reason, with its place in the body of a direct edit.
fn detail(problem: &ChangeProblem) -> vexil_admin_api::error::ErrorDetail {
    vexil_admin_api::error::ErrorDetail {
        message: sentence(problem),
        path: (!problem.path.is_empty()).then(|| format!("/body{}", problem.path)),
        ..vexil_admin_api::error::ErrorDetail::default()
    }
}

/// One reason in words, with its place where it has one.
fn sentence(problem: &ChangeProblem) -> String {
    if problem.path.is_empty() {
        return problem.message.clone();
    }
    format!("`/body{}`: {}", problem.path, problem.message)
}
