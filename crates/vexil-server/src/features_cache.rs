//! The client API's answer for one environment: rendered and compressed once, then kept.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use actix_web::http::header::HeaderValue;
use bytes::Bytes;
use flate2::Compression;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use vexil_client_api::client_features::{Query, Segments, write_features};
use vexil_domain::{EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, ProjectId};
use vexil_engine::{Engine, FlagId};

use crate::bounded::Bounded;
use crate::gzip::gzip;
use crate::lanes::Rendering;
use crate::operations::Error;

/// Which part of an environment is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    /// Only flags of these projects; `None` for all.
    pub(crate) projects: Option<Vec<ProjectId>>,
    /// Only flags whose name starts like this.
    pub(crate) name_prefix: Option<String>,
    /// Where the constraints of segments are written.
    pub(crate) segments: Segments,
    /// Whether it is less than the token may see, as the client chose.
    pub(crate) is_narrowed: bool,
}

/// How many bytes are kept of answers for all that a token may see.
const WHOLE: usize = 48 << 20;
/// How many bytes are kept of answers for less than that. Clients choose what; so these have room of their
/// own, and never push out the others.
const NARROWED: usize = 8 << 20;

/// What was made from one environment at one revision.
pub(crate) struct Answers {
    whole: Mutex<Bounded<Scope, Arc<Answer>>>,
    narrowed: Mutex<Bounded<Scope, Arc<Answer>>>,
    by_name: OnceLock<Box<[(Arc<EnvironmentFlag>, FlagId)]>>,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            whole: Mutex::new(Bounded::new(WHOLE)),
            narrowed: Mutex::new(Bounded::new(NARROWED)),
            by_name: OnceLock::new(),
        }
    }
}

/// One answer, made when it is first needed.
pub(crate) struct Answer {
    /// Its entity tag, quoted.
    pub(crate) tag: HeaderValue,
    hash: String,
    scope: Scope,
    revision: u64,
    environment: EnvironmentName,
    plain: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
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

    /// The answer for a scope.
    pub(crate) fn get(&self, scope: Scope, environment: &EnvironmentName, revision: u64) -> Arc<Answer> {
        let mut kept = self.kept(&scope);
        if let Some(answer) = kept.get(&scope) {
            return answer;
        }
        let answer = Arc::new(Answer::new(scope.clone(), environment, revision));
        let bytes = 2 * (size_of::<Answer>() + scope.bytes());
        kept.put(scope, Arc::clone(&answer), bytes);
        answer
    }

    /// The JSON text of an answer, compressed where `compressed` says so. However many ask for it, it is made once, off the
    /// threads that answer requests, and counted among what is kept.
    ///
    /// # Errors
    ///
    /// When too many answers are being made already.
    pub(crate) async fn make(
        &self,
        rendering: Rendering<'_>,
        answer: &Arc<Answer>,
        snapshot: &Arc<EnvironmentSnapshot>,
        compressed: bool,
    ) -> Result<Bytes, Error> {
        let render = || {
            let (of, snapshot) = (Arc::clone(answer), Arc::clone(snapshot));
            self.made(rendering, answer, move || of.render(&snapshot))
        };
        let plain = answer.plain.get_or_try_init(render).await?;
        if !compressed {
            return Ok(plain.clone());
        }
        let compress = || {
            let plain = plain.clone();
            self.made(rendering, answer, move || gzip(&plain, Compression::default()))
        };
        Ok(answer.gzip.get_or_try_init(compress).await?.clone())
    }

    async fn made(
        &self,
        rendering: Rendering<'_>,
        answer: &Answer,
        make: impl FnOnce() -> Bytes + Send + 'static,
    ) -> Result<Bytes, Error> {
        let text = rendering.run(answer.scope.is_narrowed, make).await?;
        self.kept(&answer.scope).grow(&answer.scope, text.len());
        Ok(text)
    }

    fn kept(&self, scope: &Scope) -> MutexGuard<'_, Bounded<Scope, Arc<Answer>>> {
        let kept = if scope.is_narrowed {
            &self.narrowed
        } else {
            &self.whole
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
        projects + self.name_prefix.as_ref().map_or(0, String::len)
    }
}

impl Answer {
    fn new(scope: Scope, environment: &EnvironmentName, revision: u64) -> Self {
        let hash = hash(&scope, environment);
        let tag = HeaderValue::try_from(tag(&hash, revision))
            .unwrap_or_else(|_never| HeaderValue::from_static("*"));
        Self {
            tag,
            hash,
            scope,
            revision,
            environment: environment.clone(),
            plain: OnceCell::new(),
            gzip: OnceCell::new(),
        }
    }

    /// The JSON text, if it has been made.
    pub(crate) fn made(&self, gzip: bool) -> Option<Bytes> {
        if gzip {
            self.gzip.get().cloned()
        } else {
            self.plain.get().cloned()
        }
    }

    fn render(&self, snapshot: &EnvironmentSnapshot) -> Bytes {
        let tag = tag(&self.hash, self.revision);
        let query = Query {
            projects: self.scope.projects.as_deref(),
            name_prefix: self.scope.name_prefix.as_deref(),
            environment: &self.environment,
            revision: self.revision,
            tag: &tag,
            hash: &self.hash,
        };
        let mut out = Vec::new();
        write_features(snapshot, self.scope.segments, &query, &mut out);
        out.into()
    }
}

fn tag(hash: &str, revision: u64) -> String {
    format!("\"{hash}:{revision}:v1\"")
}

/// Tells scopes apart, in eight digits as Unleash does.
fn hash(scope: &Scope, environment: &EnvironmentName) -> String {
    let digest = Sha256::digest(format!("{environment}\n{scope:?}").as_bytes());
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}
