//! What is asked of the difference that a change request makes.

use serde_json::Value;
use time::OffsetDateTime;
use vexil_preview::{ContextMatrix, Population};

use super::context::{PlaygroundContext, Reading, Values};
use super::part::Part;
use vexil_client_api::json::{Node, Problems};

/// Seeds are whole numbers that every JSON reader keeps exact: below 2^53.
pub const SEED_BOUND: u64 = 1 << 53;
/// The most synthetic users that can be asked for.
pub const MOST_USERS: u32 = 1_000_000;

/// `POST /api/admin/playground/change-request/{id}/diff`.
#[derive(Debug)]
pub struct DiffQuestion {
    /// The contexts to compare; none of its own where only suggested ones are asked for.
    pub matrix: ContextMatrix,
    /// Top-level context fields that were left out since they are no text.
    pub invalid: Vec<String>,
    /// The context as it was sent.
    pub context: Option<Value>,
    /// Whether values suggested from the change are tried as well.
    pub suggest: bool,
    /// Synthetic users to count the change over.
    pub population: Option<Population>,
    /// What chance is drawn from; `None` leaves it to the server.
    pub seed: Option<u64>,
    /// The time to evaluate at, where a context does not say one; `None` for the present.
    pub now: Option<OffsetDateTime>,
}

/// `POST /api/admin/playground/change-request/{id}/diff/explain`.
#[derive(Debug)]
pub struct ExplainQuestion {
    /// The question whose cell is to be explained.
    pub diff: DiffQuestion,
    /// The flag.
    pub flag: String,
    /// The number of the combination; `None` where the context is the one to explain, commas and all.
    pub combination: Option<u128>,
}

impl Part for DiffQuestion {
    fn members() -> Vec<&'static str> {
        vec!["context", "suggest", "population", "seed", "now"]
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        Self::read_at(node, Values::SplitOrListed, problems)
    }
}

impl DiffQuestion {
    fn read_at(node: &Node<'_>, values: Values, problems: &mut Problems) -> Option<Self> {
        let suggest = node.get("suggest").optional_boolean(problems).unwrap_or(false);
        let context = node.get("context");
        let read = if suggest && context.is_absent() {
            None
        } else {
            PlaygroundContext::read(&context, Reading::Documented, values, problems)
        };
        let seed = read_seed(&node.get("seed"), problems);
        let now = node.get("now").nullable();
        let now = if now.is_absent() {
            None
        } else {
            now.instant(problems)
        };
        let population = read_population(&node.get("population"), problems);
        let (matrix, invalid) = read.map(|read| (read.matrix, read.invalid)).unwrap_or_default();
        Some(Self {
            matrix,
            invalid,
            context: context.value().cloned(),
            suggest,
            population,
            seed,
            now,
        })
    }
}

impl Part for ExplainQuestion {
    fn members() -> Vec<&'static str> {
        [DiffQuestion::members(), vec!["flag", "combination"]].concat()
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let number = node.get("combination").nullable();
        let combination = read_combination(&number, problems);
        let values = match number.is_absent() {
            true => Values::Whole,
            false => Values::SplitOrListed,
        };
        let diff = DiffQuestion::read_at(node, values, problems);
        let flag = node.get("flag").nullable().non_empty_text(problems);
        diff.zip(flag).map(|(diff, flag)| Self {
            diff,
            flag,
            combination,
        })
    }
}

fn read_seed(node: &Node<'_>, problems: &mut Problems) -> Option<u64> {
    let node = node.nullable();
    if node.is_absent() {
        return None;
    }
    let seed = node.integer(problems, 0, SEED_BOUND as i64 - 1)?;
    u64::try_from(seed).ok()
}

fn read_population(node: &Node<'_>, problems: &mut Problems) -> Option<Population> {
    if node.is_absent() {
        return None;
    }
    node.object_of(problems, &["size", "seed"])?;
    let size = node.get("size").integer(problems, 1, i64::from(MOST_USERS))?;
    let seed = read_seed(&node.get("seed"), problems).unwrap_or_default();
    Some(Population {
        size: u32::try_from(size).ok()?,
        seed,
    })
}

fn read_combination(node: &Node<'_>, problems: &mut Problems) -> Option<u128> {
    if node.is_absent() {
        return None;
    }
    let text = node.text(problems)?;
    let number = text.parse::<u128>().ok();
    if number.is_none() {
        problems.refuse(
            node.path(),
            "must be the number of a combination",
            &Value::String(text),
        );
    }
    number
}
