//! The application: what every handler shares.

mod answers;
mod clocks;
mod credentials;
mod current;
mod editing;
mod following;
mod reader;
mod seen;
mod stop;
mod tasks;
mod usage_folding;
mod work;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex};

use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_domain::Actor;
use vexil_store::{
    ApiTokenId, PersonalTokenId, Registration, Store, StoreError, UsersSeen, to_the_microsecond,
};

use crate::answer_counts::AnswerCounts;
use crate::clock::{Clock, SeedSource};
use crate::edge_clients::EdgeClients;
use crate::front_ends::FrontEndOptions;
use crate::lanes::Lanes;
use crate::limits::Limits;
use crate::mail::{MailError, MailOptions, Mailer};
use crate::memory::Memory;
use crate::numbers::Numbers;
use crate::operations::Error;
use crate::recent_contexts::RecentContexts;
use crate::reported_names::ReportedNames;
use crate::sealing::{Sealer, ShortKey};
use crate::serving_state::ServingState;
use crate::sign_in::{SignInOptions, SignInState};
use crate::single_sign_on::{OidcSettings, SignOnState};
use crate::streams::Streams;
use crate::transaction::Transaction;
use crate::usage_writer::UsageWriter;

pub use clocks::ClockError;
pub use credentials::{ById, Credentials};
pub use reader::Reader;
pub use tasks::Background;

use credentials::NewerCredentials;
use current::Current;
use seen::Seen;

/// What every handler shares. Cloning shares it too.
#[derive(Clone)]
pub struct App {
    /// Bounds on what one request may cost.
    pub limits: Limits,
    /// Takes in usage reports.
    pub usage_writer: UsageWriter,
    /// What requests share that sign people in.
    pub sign_in: Arc<SignInState>,
    pub(crate) lanes: Lanes,
    /// How much memory answers may take that nobody has read yet.
    pub memory: Memory,
    /// Places for those who listen.
    pub streams: Streams,
    front_ends: Arc<FrontEndOptions>,
    /// The proxies that may get tokens.
    pub edge_clients: Arc<EdgeClients>,
    /// The contexts of the last hour, of which the operator has allowed some fields to be kept.
    pub recent_contexts: Arc<RecentContexts>,
    seeds: SeedSource,
    pages: bool,
    counts_answers: bool,
    for_unleash_ui: bool,
    secrets: Secrets,
    /// Single sign-on that is under way, and what is known of its provider.
    pub sign_on: Arc<SignOnState>,
    shared: Arc<Shared>,
}

opaque!(App);

/// The name of the setting of single sign-on.
pub(crate) const SIGN_ON: &str = "single-sign-on";
/// The name of the setting of the pages from which front ends may ask, with commas between them.
pub const ORIGINS: &str = "front-end-origins";
/// The name of the setting that switches passwords off.
pub(crate) const NO_PASSWORDS: &str = "no-passwords";

/// Which secrets are kept, sealed, to be read again.
#[derive(Debug, Clone, Default)]
struct Secrets {
    sealer: Option<Sealer>,
    /// Whether those of API tokens are.
    of_tokens: bool,
}

/// What all clones share. Only what lies below this module can write to the store.
struct Shared {
    store: Arc<dyn Store>,
    current: Current,
    newer: NewerCredentials,
    seen: Seen,
    reported_names: ReportedNames,
    numbers: Numbers,
    answer_counts: AnswerCounts,
    /// Held while an edit is computed and committed, so that edits of one server never race.
    editing: Mutex<()>,
    /// Held by one who asks the store for a revision that was named, so that it is asked once for all.
    catching_up: tokio::sync::Mutex<()>,
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
        let reported_names = ReportedNames::default();
        reported_names.load(Reader::new(&*store))?;
        let streams = Streams::new(limits.streams);
        let current = Current::new(serving, streams.bell.clone());
        Ok(Self {
            limits,
            usage_writer: UsageWriter::start(store.clone(), clock.clone()),
            sign_in: Arc::new(SignInState::new(SignInOptions::default(), &clock)),
            lanes: Lanes::default(),
            memory: Memory::default(),
            streams,
            front_ends: Arc::default(),
            edge_clients: Arc::default(),
            recent_contexts: Arc::default(),
            seeds: Arc::new(chance),
            pages: true,
            counts_answers: false,
            for_unleash_ui: false,
            secrets: Secrets::default(),
            sign_on: Arc::default(),
            shared: Arc::new(Shared {
                store,
                current,
                newer: NewerCredentials::default(),
                seen: Seen::default(),
                reported_names,
                numbers: Numbers::default(),
                answer_counts: AnswerCounts::default(),
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

    /// The same application with a key that secrets are sealed with to be read again; those of API tokens among them
    /// where `of_tokens` says so.
    ///
    /// # Errors
    ///
    /// When the key is too short.
    pub fn with_secret_key(self, key: &str, of_tokens: bool) -> Result<Self, ShortKey> {
        let sealer = Some(Sealer::new(key)?);
        let secrets = Secrets { sealer, of_tokens };
        Ok(Self { secrets, ..self })
    }

    /// Seals secrets that are to be read again, where an operator has given a key.
    #[must_use]
    pub fn sealer(&self) -> Option<&Sealer> {
        self.secrets.sealer.as_ref()
    }

    /// Whether the secrets of API tokens are shown again to those who may see the tokens.
    #[must_use]
    pub fn lists_secrets(&self) -> bool {
        self.secrets.of_tokens
    }

    /// The same application, which answers as Unleash's own pages need it, or not.
    #[must_use]
    pub fn with_unleash_ui(self, for_unleash_ui: bool) -> Self {
        Self {
            for_unleash_ui,
            ..self
        }
    }

    /// The same application, in which people sign in at a provider as the environment says.
    #[must_use]
    pub fn with_sign_on(self, settings: OidcSettings) -> Self {
        Self {
            sign_on: Arc::new(SignOnState::configured(settings)),
            ..self
        }
    }

    /// How people sign in at a provider, if they do: as the environment says, else as an admin has set.
    #[must_use]
    pub fn sign_on_settings(&self) -> Option<OidcSettings> {
        self.sign_on.configured.clone().or_else(|| {
            let serving = self.serving();
            let stored = serving.access.tables.settings.get(SIGN_ON)?;
            OidcSettings::read_stored(&stored.value, self.sealer())
        })
    }

    /// From which pages front ends may ask: as an admin has set, else as the operator has.
    pub fn front_ends(&self) -> Arc<FrontEndOptions> {
        let serving = self.serving();
        let set = serving.access.tables.settings.get(ORIGINS);
        set.and_then(|set| {
            let origins: Vec<String> = set.value.split(',').map(str::to_owned).collect();
            FrontEndOptions::new(&origins, self.front_ends.max_age).ok()
        })
        .map_or_else(|| Arc::clone(&self.front_ends), Arc::new)
    }

    /// Whether people may sign in with a password.
    #[must_use]
    pub fn takes_passwords(&self) -> bool {
        self.sign_in.options.passwords && !self.serving().access.tables.settings.contains_key(NO_PASSWORDS)
    }

    /// Whether answers are made for Unleash's own pages.
    #[must_use]
    pub fn is_for_unleash_ui(&self) -> bool {
        self.for_unleash_ui
    }

    /// Whether the web pages are served.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        self.pages
    }

    /// The same with proxies that may get tokens by themselves.
    #[must_use]
    pub fn with_edge_clients(self, clients: EdgeClients) -> Self {
        Self {
            edge_clients: Arc::new(clients),
            ..self
        }
    }

    /// The same application, which lets pages ask as `options` say.
    #[must_use]
    pub fn with_front_ends(self, options: FrontEndOptions) -> Self {
        Self {
            front_ends: Arc::new(options),
            ..self
        }
    }

    /// The same application, which keeps these fields of the contexts that front ends ask for, for an hour.
    #[must_use]
    pub fn with_recent_contexts(self, fields: &[String]) -> Self {
        Self {
            recent_contexts: Arc::new(RecentContexts::of(fields)),
            ..self
        }
    }

    /// The same application, in which people sign in as `options` say.
    #[must_use]
    pub fn with_sign_in(self, options: SignInOptions) -> Self {
        Self {
            sign_in: Arc::new(SignInState::new(options, &self.shared.clock)),
            ..self
        }
    }

    /// The same application, which sends e-mail.
    ///
    /// # Errors
    ///
    /// When it cannot, as it was set up.
    pub fn with_mail(self, mail: &MailOptions) -> Result<Self, MailError> {
        let options = self.sign_in.options.clone();
        let mailer = Mailer::new(mail, &options)?;
        let state = SignInState::new(options, &self.shared.clock).with_mailer(mailer);
        Ok(Self {
            sign_in: Arc::new(state),
            ..self
        })
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
    pub fn credentials(&self) -> Credentials {
        self.shared.newer.with(self.serving())
    }

    /// The store, to read, on a thread that may block.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(&*self.shared.store)
    }

    /// The names that SDKs have reported.
    pub(crate) fn reported_names(&self) -> &ReportedNames {
        &self.shared.reported_names
    }

    /// What the server counts of itself.
    #[must_use]
    pub fn numbers(&self) -> &Numbers {
        &self.shared.numbers
    }

    /// Notes the use of an API token.
    pub fn saw_token(&self, id: ApiTokenId, now: OffsetDateTime) {
        self.shared.seen.token(id, now);
    }

    /// Notes that a user asked for something with a personal access token.
    pub fn saw_user(&self, id: UserId, token: PersonalTokenId, now: OffsetDateTime) {
        self.shared.seen.user(id, token, now);
    }

    /// When tokens were last used, as stored and since.
    pub(crate) async fn tokens_seen(&self) -> Result<BTreeMap<ApiTokenId, OffsetDateTime>, Error> {
        let shared = Arc::clone(&self.shared);
        self.with_store(move || shared.seen.tokens(Reader::new(&*shared.store)))
            .await
    }

    /// When users and their tokens were last seen, as stored and since.
    pub(crate) async fn users_seen(&self) -> Result<UsersSeen, Error> {
        let shared = Arc::clone(&self.shared);
        self.with_store(move || shared.seen.users(Reader::new(&*shared.store)))
            .await
    }

    /// Stores which instances of applications have started.
    pub(crate) async fn register(&self, started: Vec<Registration>) -> Result<(), Error> {
        let store = Arc::clone(&self.shared.store);
        self.with_store(move || store.register(&started)).await
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

/// A number that nobody can foresee; for chance, not for secrets.
fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}
