//! Where answers come from: files, or a server.

use serde_json::{Map, Value};
use time::OffsetDateTime;
use vexil_admin_api::playground::{DiffQuestion, ExplainQuestion, Part, PlaygroundWarnings, ProofQuestion};
use vexil_budget::Budget;
use vexil_service::operations::{
    Error,
    diff::{BeforeAfter, Draw},
    proof::Asked,
};

use super::error::{CommandError, parse};
use super::preview_remote::{Remote, proof};

/// How much work the proof below a preview may take.
const PROOF_BUDGET: u64 = 20_000_000;

/// Where previews come from.
pub(super) enum Source {
    Files {
        sides: Box<BeforeAfter>,
        head: Map<String, Value>,
        limit: u64,
    },
    Server(Remote),
}

impl Source {
    /// The difference, as JSON text; a server tries the contexts of the last hour too, where that is wanted.
    pub(super) fn diff(&self, body: &Value, recent: bool) -> Result<String, CommandError> {
        match self {
            Self::Server(remote) => remote.ask(if recent { "diff?contexts=recent" } else { "diff" }, body),
            Self::Files { sides, head, limit } => {
                let question = DiffQuestion::read(body).map_err(Error::from)?;
                Ok(sides.diff(
                    &question,
                    draw(&question),
                    *limit,
                    &Budget::unlimited(),
                    head,
                    &PlaygroundWarnings::default(),
                )?)
            }
        }
    }

    /// The proof of whom the change touches.
    pub(super) fn proof(&self, body: &Value) -> Result<Value, CommandError> {
        match self {
            Self::Server(remote) => proof(&remote.ask("proof", body)?),
            Self::Files { sides, head, .. } => {
                let question = ProofQuestion::read(body).map_err(Error::from)?;
                let budget = Budget::new(PROOF_BUDGET);
                let asked = Asked {
                    question: &question,
                    now: OffsetDateTime::now_utc(),
                    head,
                    warnings: &PlaygroundWarnings::default(),
                };
                Ok(sides.proof(asked, &budget)?)
            }
        }
    }

    /// One cell, explained.
    pub(super) fn explain(&self, body: &Value) -> Result<Value, CommandError> {
        match self {
            Self::Server(remote) => parse(remote.ask("diff/explain", body)?.as_bytes(), "the answer"),
            Self::Files { sides, .. } => {
                let question = ExplainQuestion::read(body).map_err(Error::from)?;
                Ok(sides.explain(&question, draw(&question.diff), &Budget::unlimited())?)
            }
        }
    }
}

fn draw(question: &DiffQuestion) -> Draw {
    Draw {
        now: question.now.unwrap_or_else(OffsetDateTime::now_utc),
        seed: question.seed.unwrap_or_default(),
    }
}
