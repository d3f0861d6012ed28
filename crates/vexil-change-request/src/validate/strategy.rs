//! Checks of activation strategies.

use vexil_domain::{Constraint, Parameters, SegmentId, Variant};
use vexil_values::Number;

use super::{Problem, Problems, SEGMENTS_PER_STRATEGY};
use crate::ProblemCode::{ParameterInvalid, SegmentLimit};

/// What is wrong with a strategy's content, by the places of Unleash's document. That its type and
/// its segments exist is for [`crate::overlay`] to check.
#[must_use]
pub fn strategy(
    kind: &str,
    given: &Parameters,
    constraints: &[Constraint],
    segments: &[SegmentId],
    variants: &[Variant],
) -> Vec<Problem> {
    let mut problems = Problems {
        found: parameters("/parameters", kind, given),
    };
    problems
        .found
        .extend(super::constraints("/constraints", constraints));
    if segments.len() > SEGMENTS_PER_STRATEGY {
        let count = segments.len();
        let message = format!("must name at most {SEGMENTS_PER_STRATEGY} segments, not {count}");
        problems.add("/segments", SegmentLimit, message);
    }
    problems.found.extend(super::variants("/variants", variants));
    problems.found
}

/// What is wrong with the parameters of a strategy of type `kind`, which stand at `path`: shares
/// must be percentages, and a rollout that names none takes no parameter that it does not know: what was meant as
/// one, such as `rolout`, would let in everybody.
#[must_use]
pub fn parameters(path: &str, kind: &str, given: &Parameters) -> Vec<Problem> {
    const OF_A_ROLLOUT: [&str; 3] = ["rollout", "stickiness", "groupId"];
    let mut problems = Problems::default();
    if kind == "flexibleRollout" && given.get("rollout").is_none() {
        // the first stands for all: there may be very many
        if let Some((name, _)) = given
            .iter()
            .find(|(name, _)| !OF_A_ROLLOUT.contains(&name.as_str()))
        {
            let name: String = name.chars().take(100).collect();
            let place = name.replace('~', "~0").replace('/', "~1");
            let message = "is no parameter of flexibleRollout, which has rollout, stickiness and groupId; without rollout everybody would be let in";
            problems.add(format!("{path}/{place}"), ParameterInvalid, message);
        }
    }
    let share = match kind {
        "flexibleRollout" => "rollout",
        "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom" => "percentage",
        _ => return problems.found,
    };
    if let Some(value) = given.get(share)
        && !is_percentage(value)
    {
        let message = format!("must be a percentage, 0 to 100, not `{value}`");
        problems.add(format!("{path}/{share}"), ParameterInvalid, message);
    }
    problems.found
}

/// Whether the text is a percentage, 0 to 100, in plain decimal form.
fn is_percentage(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && Number::parse(text).is_some_and(|value| (0.0..=100.0).contains(&value.get()))
}
