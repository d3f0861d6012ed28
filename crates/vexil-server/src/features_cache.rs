//! The client API's answer for one environment: rendered and compressed once, then kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use actix_web::http::header::HeaderValue;
use bytes::Bytes;
use flate2::Compression;
use sha2::{Digest, Sha256};
use vexil_client_api::client_features::{Query, Segments, write_features};
use vexil_domain::{EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, ProjectId};
use vexil_engine::{Engine, FlagId};

use crate::compression;

/// Which part of an environment is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    /// Only flags of these projects; `None` for all.
    pub(crate) projects: Option<Vec<ProjectId>>,
    /// Only flags whose name starts like this.
    pub(crate) name_prefix: Option<String>,
    /// Where the constraints of segments are written.
    pub(crate) segments: Segments,
}

/// What was made from one environment at one revision.
#[derive(Default)]
pub(crate) struct Answers {
    by_scope: Mutex<HashMap<Scope, Arc<Answer>>>,
    by_name: OnceLock<Box<[(Arc<EnvironmentFlag>, FlagId)]>>,
}

/// One answer, made when it is first needed.
pub(crate) struct Answer {
    /// Its entity tag, quoted.
    pub(crate) tag: HeaderValue,
    hash: String,
    scope: Scope,
    revision: u64,
    environment: EnvironmentName,
    plain: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
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

    /// The answer for a scope. Those for a name prefix are not kept, since clients choose it freely.
    pub(crate) fn get(&self, scope: Scope, environment: &EnvironmentName, revision: u64) -> Arc<Answer> {
        if scope.name_prefix.is_some() {
            return Arc::new(Answer::new(scope, environment, revision));
        }
        let mut known = self.by_scope.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.get(&scope) {
            return Arc::clone(answer);
        }
        let answer = Arc::new(Answer::new(scope.clone(), environment, revision));
        known.insert(scope, Arc::clone(&answer));
        answer
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
            plain: OnceLock::new(),
            gzip: OnceLock::new(),
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

    /// The JSON text, compressed with `gzip`.
    pub(crate) fn make(&self, snapshot: &EnvironmentSnapshot, gzip: bool) -> Bytes {
        let plain = self.plain.get_or_init(|| self.render(snapshot));
        if gzip {
            self.gzip
                .get_or_init(|| compression::gzip(plain, Compression::default()))
                .clone()
        } else {
            plain.clone()
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
