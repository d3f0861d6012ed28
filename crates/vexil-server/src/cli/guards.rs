//! What must hold of a proof, and what is said of it.

use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::playground::{Part, PlaygroundWarnings, ProofQuestion};
use vexil_budget::Budget;
use vexil_service::operations::{Error, diff::BeforeAfter, proof::Asked};

use super::error::CommandError;
use super::markdown::markdown;
use super::output;
use super::prove_text::text;
use crate::whole_numbers::whole;

/// How much work a proof may take where nobody says.
const USUAL_BUDGET: u64 = 50_000_000;

/// What must hold, and how the answer is printed.
#[derive(Debug, Clone, Args)]
pub(super) struct GuardArguments {
    /// Contexts that must not change, such as `plan=enterprise`.
    #[arg(long, value_name = "FIELD=VALUES;...")]
    never: Vec<String>,
    /// Contexts, such as `country=NO,SE`, beside which no other may change.
    #[arg(long, value_name = "FIELD=VALUES;...")]
    only: Vec<String>,
    /// The largest share, of users who differ in what is hashed only, that may change.
    #[arg(long, value_name = "PERCENTAGE", allow_hyphen_values = true)]
    at_most: Option<String>,
    /// The effect that is expected, such as `sha256:9f3c…`.
    #[arg(long, value_name = "DIGEST", value_parser = digest)]
    expect_effect: Option<String>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    /// Print the answer as Markdown, for a comment.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// How much work may be done, in units of some hundred nanoseconds, by default 50,000,000. A server that is asked has its own limit.
    #[arg(long, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    budget: Option<u64>,
}

impl GuardArguments {
    /// The guards as the body of a question.
    pub(super) fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("never".to_owned(), json!(self.never));
        body.insert("only".to_owned(), json!(self.only));
        if let Some(share) = &self.at_most {
            body.insert("atMost".to_owned(), json!(share));
        }
        Value::Object(body)
    }

    /// The guards as a question.
    pub(super) fn question(&self) -> Result<ProofQuestion, CommandError> {
        Ok(ProofQuestion::read(&self.body()).map_err(Error::from)?)
    }

    /// How much work may be done.
    pub(super) fn budget(&self) -> Budget {
        Budget::new(self.budget.unwrap_or(USUAL_BUDGET))
    }

    /// That a server is not told how much work it may do.
    pub(super) fn for_server(&self) -> Result<(), CommandError> {
        match self.budget {
            None => Ok(()),
            Some(_) => Err(CommandError(
                "a server has its own limit: leave out `--budget`".to_owned(),
            )),
        }
    }

    /// What was asked for, by name, and whether it was.
    pub(super) fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--never", !self.never.is_empty()),
            ("--only", !self.only.is_empty()),
            ("--at-most", self.at_most.is_some()),
            ("--expect-effect", self.expect_effect.is_some()),
            ("--json", self.json),
            ("--markdown", self.markdown),
        ]
    }

    /// The proof as a document.
    pub(super) fn proof(&self, sides: &BeforeAfter, head: Map<String, Value>) -> Result<Value, CommandError> {
        let question = self.question()?;
        let asked = Asked {
            question: &question,
            now: OffsetDateTime::now_utc(),
            head: &head,
            warnings: &PlaygroundWarnings::default(),
        };
        Ok(self.judged(sides.proof(asked, &self.budget())?))
    }

    /// The document with what became of the expected effect among its guards.
    pub(super) fn judged(&self, mut document: Value) -> Value {
        let Some(expected) = &self.expect_effect else {
            return document;
        };
        let verdict = match document.get("effect").and_then(Value::as_str) {
            Some(effect) if effect == expected => "holds",
            Some(_) => "broken",
            None => "undecided",
        };
        let finding = json!({ "guard": format!("effect {expected}"), "verdict": verdict });
        if let Some(guards) = document.get_mut("guards").and_then(Value::as_array_mut) {
            guards.push(finding);
        }
        document
    }

    /// Prints the document as it is wanted.
    pub(super) fn print(&self, document: &Value, out: &mut impl Write) -> Result<(), CommandError> {
        let printed = match (self.json, self.markdown) {
            (true, _) => format!("{document}\n"),
            (_, true) => markdown(document),
            _ => text(document),
        };
        output::write(out, &printed)
    }

    /// The exit code that a document means.
    pub(super) fn code(document: &Value) -> u8 {
        let guards = document.get("guards").and_then(Value::as_array);
        let verdict = |wanted: &str| {
            let mut guards = guards.into_iter().flatten();
            guards.any(|guard| guard.get("verdict").and_then(Value::as_str) == Some(wanted))
        };
        let complete = document.get("complete") == Some(&Value::Bool(true));
        if verdict("broken") {
            1
        } else if verdict("undecided") || !complete {
            3
        } else {
            0
        }
    }
}

/// Reads the digest of an effect as proofs write it.
fn digest(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix("sha256:").unwrap_or_default();
    if digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    Err(
        "it must be `sha256:` and 64 hexadecimal digits, as `vexil prove` prints it behind `effect`"
            .to_owned(),
    )
}
