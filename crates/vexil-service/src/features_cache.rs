//! The client API's answers for one environment, to those who ask and to those who listen: rendered and compressed
//! once, then kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use arc_swap::ArcSwap;
use bytes::Bytes;
use flate2::Compression;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use vexil_client_api::client_delta::{History, write_changes, write_hydration};
use vexil_client_api::client_features::{Query, Segments, write_features};
use vexil_domain::{EnvironmentFlag, EnvironmentName, EnvironmentRevision, EnvironmentSnapshot, ProjectId};
use vexil_engine::{Engine, FlagId};

use crate::bounded::Bounded;
use crate::coding::Coding;
use crate::lanes::Rendering;
use crate::operations::Error;
use crate::packing::{brotli, gzip, zstd};
use crate::tagged::Tagged;

/// Which part of an environment is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Only flags of these projects; `None` for all.
    pub projects: Option<Vec<ProjectId>>,
    /// Only flags whose name starts like this.
    pub name_prefix: Option<String>,
    /// Only flags with one of these tags; `None` for all.
    pub tagged: Option<Tagged>,
    /// Where the constraints of segments are written.
    pub segments: Segments,
    /// Whether it is less than the token may see, as the client chose.
    pub is_narrowed: bool,
}

/// In which form it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The document of all flags.
    Document,
    /// All flags as one change.
    Hydration,
    /// What has changed since a revision that the history knows.
    Changes {
        /// That revision.
        since: EnvironmentRevision,
    },
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// Which part.
    pub(crate) scope: Scope,
    /// In which form.
    pub(crate) form: Form,
    /// Whether it is told as a server-sent event.
    pub(crate) is_event: bool,
}

/// How many bytes are kept of answers for all that a token may see.
const WHOLE: usize = 48 << 20;
/// How many bytes are kept of answers for less than that. Clients choose what; so these have room of their
/// own, and never push out the others.
const NARROWED: usize = 8 << 20;
/// How many bytes are kept of changes. Clients say since when.
const CHANGES: usize = 8 << 20;

/// A text of more bytes than this is let go of when nobody has read it for a while. SDKs that have it ask whether
/// there is another one, which its entity tag tells; only one that starts needs it again.
const LARGE: usize = 4 << 20;

/// What was made from one environment at one revision.
pub(crate) struct Answers {
    whole: Mutex<Kept>,
    narrowed: Mutex<Kept>,
    changes: Mutex<Kept>,
    by_name: OnceLock<FlagsByName>,
}

type Kept = Bounded<Question, Arc<Answer>>;

type FlagsByName = Box<[(Arc<EnvironmentFlag>, FlagId)]>;

impl Default for Answers {
    fn default() -> Self {
        Self {
            whole: Mutex::new(Bounded::new(WHOLE)),
            narrowed: Mutex::new(Bounded::new(NARROWED)),
            changes: Mutex::new(Bounded::new(CHANGES)),
            by_name: OnceLock::new(),
        }
    }
}

/// What answers are made from.
pub(crate) struct Source<'a> {
    /// The flags.
    pub(crate) snapshot: &'a Arc<EnvironmentSnapshot>,
    /// What changed lately.
    pub(crate) history: &'a Arc<History>,
}

/// One answer, made when it is first needed.
pub struct Answer {
    hash: String,
    question: Question,
    revision: EnvironmentRevision,
    environment: EnvironmentName,
    plain: Packed,
    gzip: Packed,
    brotli: Packed,
    zstd: Packed,
}

opaque!(Answer);

/// An answer in one form: for other bytes another entity tag (RFC 9110, section 8.8.3.3).
struct Packed {
    tag: Box<str>,
    text: ArcSwap<OnceCell<Bytes>>,
    /// Whether it was read since [`Answers::let_go`] was last called.
    is_read: AtomicBool,
}

impl Answers {
    /// The flags by name, each with the engine's handle of it.
    pub(crate) fn flags_by_name(
        &self,
        snapshot: &EnvironmentSnapshot,
        engine: &Engine,
    ) -> &[(Arc<EnvironmentFlag>, FlagId)] {
        self.by_name.get_or_init(|| {
            let flags = snapshot.flags.values();
            flags
                .filter_map(|flag| Some((Arc::clone(flag), engine.flag(flag.name.as_str())?)))
                .collect()
        })
    }

    /// The answer to a question.
    pub(crate) fn get(
        &self,
        question: Question,
        environment: &EnvironmentName,
        revision: EnvironmentRevision,
    ) -> Arc<Answer> {
        let mut kept = self.kept(&question);
        if let Some(answer) = kept.get(&question) {
            return answer;
        }
        let answer = Arc::new(Answer::new(question.clone(), environment, revision));
        let bytes = 2 * (size_of::<Answer>() + question.scope.bytes());
        kept.put(question, Arc::clone(&answer), bytes);
        answer
    }

    /// The text of an answer in a form. However many ask for it, it is made once, off the
    /// threads that answer requests, and counted among what is kept.
    ///
    /// # Errors
    ///
    /// When too many answers are being made already.
    pub(crate) async fn make(
        &self,
        rendering: Rendering<'_>,
        answer: &Arc<Answer>,
        source: &Source<'_>,
        coding: Coding,
    ) -> Result<Bytes, Error> {
        let render = || {
            let (of, snapshot, history) = (
                Arc::clone(answer),
                Arc::clone(source.snapshot),
                Arc::clone(source.history),
            );
            self.made(rendering, answer, move || of.render(&snapshot, &history))
        };
        let plain = answer.plain.to_make();
        let plain = plain.get_or_try_init(render).await?;
        let pack: fn(&[u8]) -> Bytes = match coding {
            Coding::Plain => return Ok(plain.clone()),
            Coding::Gzip => |text| gzip(text, Compression::default()),
            Coding::Brotli => brotli,
            Coding::Zstd => zstd,
        };
        let compress = || {
            let plain = plain.clone();
            self.made(rendering, answer, move || pack(&plain))
        };
        let packed = answer.packed(coding).to_make();
        Ok(packed.get_or_try_init(compress).await?.clone())
    }

    /// Lets go of large texts that nobody has read since the last call. Where one is needed again it is made
    /// again.
    pub(crate) fn let_go(&self) {
        for kept in [&self.whole, &self.narrowed, &self.changes] {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.shrink(|answer| {
                let packed = [&answer.plain, &answer.gzip, &answer.brotli, &answer.zstd];
                packed.into_iter().map(Packed::let_go).sum()
            });
        }
    }

    async fn made(
        &self,
        rendering: Rendering<'_>,
        answer: &Answer,
        make: impl FnOnce() -> Bytes + Send + 'static,
    ) -> Result<Bytes, Error> {
        let question = &answer.question;
        let text = rendering.run(question.scope.is_narrowed, make).await?;
        self.kept(question).grow(question, text.len());
        Ok(text)
    }

    fn kept(&self, question: &Question) -> MutexGuard<'_, Kept> {
        let kept = match question.form {
            _ if question.scope.is_narrowed => &self.narrowed,
            Form::Changes { .. } => &self.changes,
            Form::Document | Form::Hydration => &self.whole,
        };
        kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scope {
    /// How many bytes its texts take.
    fn bytes(&self) -> usize {
        let projects = self.projects.iter().flatten();
        let projects: usize = projects
            .map(|project| size_of::<ProjectId>() + project.as_str().len())
            .sum();
        let tagged = self.tagged.as_ref().map_or(0, Tagged::bytes);
        projects + self.name_prefix.as_ref().map_or(0, String::len) + tagged
    }
}

impl Answer {
    fn new(question: Question, environment: &EnvironmentName, revision: EnvironmentRevision) -> Self {
        let hash = hash(&question.scope, environment);
        let state = state(&hash, revision);
        Self {
            hash,
            question,
            revision,
            environment: environment.clone(),
            plain: Packed::new(&state, Coding::Plain),
            gzip: Packed::new(&state, Coding::Gzip),
            brotli: Packed::new(&state, Coding::Brotli),
            zstd: Packed::new(&state, Coding::Zstd),
        }
    }

    fn packed(&self, coding: Coding) -> &Packed {
        match coding {
            Coding::Plain => &self.plain,
            Coding::Gzip => &self.gzip,
            Coding::Brotli => &self.brotli,
            Coding::Zstd => &self.zstd,
        }
    }

    /// The entity tag of a form, quoted.
    pub fn tag(&self, coding: Coding) -> &str {
        &self.packed(coding).tag
    }

    /// Says which state this tells: the entity tag of its plain form without the quotes, and the id of the event.
    pub fn state(&self) -> String {
        state(&self.hash, self.revision)
    }

    /// The revision of which an entity tag or the id of an event speaks, quoted or not; `None` where it speaks of
    /// something else than this is about.
    pub fn revision_in(&self, text: &str) -> Option<EnvironmentRevision> {
        let text = text.trim();
        let text = text.strip_prefix("W/").unwrap_or(text).trim_matches('"');
        let coded = [Coding::Gzip, Coding::Brotli, Coding::Zstd]
            .map(Coding::name)
            .into_iter()
            .flatten();
        let text = coded
            .filter_map(|name| text.strip_suffix(name)?.strip_suffix('-'))
            .next()
            .unwrap_or(text);
        let rest = text.strip_prefix(self.hash.as_str())?.strip_prefix(':')?;
        EnvironmentRevision::parse(rest.strip_suffix(FORMAT)?)
    }

    /// The text in a form, if it has been made.
    pub fn made(&self, coding: Coding) -> Option<Bytes> {
        let packed = self.packed(coding);
        let text = packed.text.load().get().cloned()?;
        packed.is_read.store(true, Ordering::Relaxed);
        Some(text)
    }

    fn render(&self, snapshot: &EnvironmentSnapshot, history: &History) -> Bytes {
        let Question {
            scope,
            form,
            is_event,
        } = &self.question;
        let state = self.state();
        let query = Query {
            projects: scope.projects.as_deref(),
            name_prefix: scope.name_prefix.as_deref(),
            tagged: scope.tagged.as_ref().map(Tagged::asked),
            environment: &self.environment,
            revision: self.revision.number,
            tag: &format!("\"{state}\""),
            hash: &self.hash,
        };
        let changes = match form {
            Form::Changes { since } => history.since(*since),
            Form::Document | Form::Hydration => None,
        };
        let mut out = Vec::new();
        if *is_event {
            let name = if changes.is_some() { UPDATED } else { CONNECTED };
            out.extend_from_slice(format!("id: {state}\nevent: {name}\ndata: ").as_bytes());
        }
        match (form, changes) {
            (Form::Document, _) => write_features(snapshot, scope.segments, &query, &mut out),
            (_, Some(changes)) => write_changes(&changes, snapshot, &query, &mut out),
            (_, None) => write_hydration(snapshot, &query, &mut out),
        }
        if *is_event {
            out.extend_from_slice(b"\n\n");
        }
        if out.len() > LARGE {
            out.shrink_to_fit();
        }
        out.into()
    }
}

impl Packed {
    fn new(state: &str, coding: Coding) -> Self {
        let tag = match coding.name() {
            Some(name) => format!("\"{state}-{name}\""),
            None => format!("\"{state}\""),
        };
        Self {
            tag: tag.into(),
            text: ArcSwap::default(),
            is_read: AtomicBool::new(true),
        }
    }

    /// Where its text is, or comes to be.
    fn to_make(&self) -> Arc<OnceCell<Bytes>> {
        self.is_read.store(true, Ordering::Relaxed);
        self.text.load_full()
    }

    /// How many bytes it let go of.
    fn let_go(&self) -> usize {
        let bytes = self.text.load().get().map_or(0, Bytes::len);
        if bytes <= LARGE || self.is_read.swap(false, Ordering::Relaxed) {
            return 0;
        }
        self.text.store(Arc::default());
        bytes
    }
}

/// How a state ends.
const FORMAT: &str = ":v1";
/// The name of an event that tells everything.
const CONNECTED: &str = "unleash-connected";
/// The name of an event that tells changes.
const UPDATED: &str = "unleash-updated";

/// Says which state of what an answer is about: the entity tag without its quotes, and the id of events.
fn state(hash: &str, revision: EnvironmentRevision) -> String {
    format!("{hash}:{revision}{FORMAT}")
}

/// Tells scopes apart, in eight digits as Unleash does.
fn hash(scope: &Scope, environment: &EnvironmentName) -> String {
    let digest = Sha256::digest(format!("{environment}\n{scope:?}").as_bytes());
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
