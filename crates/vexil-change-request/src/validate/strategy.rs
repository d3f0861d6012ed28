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

/// What is wrong with the parameters of a strategy of type `kind`, which stand at `path`: shares must be percentages.
#[must_use]
pub fn parameters(path: &str, kind: &str, given: &Parameters) -> Vec<Problem> {
    let mut problems = Problems::default();
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

/// The parameters of the types that are decided here, whatever an instance says of them.
#[must_use]
pub fn own_parameters(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "default" => &[],
        "flexibleRollout" => &["rollout", "stickiness", "groupId"],
        "userWithId" => &["userIds"],
        "remoteAddress" => &["IPs"],
        "applicationHostname" => &["hostNames"],
        "gradualRolloutUserId" | "gradualRolloutSessionId" => &["percentage", "groupId"],
        "gradualRolloutRandom" => &["percentage"],
        _ => return None,
    })
}

/// The first parameter that a type which is decided here does not have, and which is not as `kept` has it: nothing would
/// look at it, and whoever sent it meant to narrow with it. One without a value narrows nothing. What custom types have
/// is for the applications that know them to say, which are told all parameters.
#[must_use]
pub fn unknown_parameter(
    path: &str,
    kind: &str,
    given: &Parameters,
    kept: Option<&Parameters>,
) -> Option<Problem> {
    let own = own_parameters(kind)?;
    // the first stands for all: there may be very many
    let (name, _) = given.iter().find(|(name, value)| {
        !value.is_empty()
            && !own.contains(&name.as_str())
            && kept.and_then(|kept| kept.get(name.as_str())) != Some(value)
    })?;
    let name: String = name.chars().take(100).collect();
    let place = name.replace('~', "~0").replace('/', "~1");
    let which = match own {
        [] => {
            "which has none; use flexibleRollout for a share, and constraints for certain contexts".to_owned()
        }
        own => format!("which has {}; nothing would look at it", own.join(", ")),
    };
    let message = format!("is no parameter of the strategy type `{kind}`, {which}");
    Some(Problem::at(format!("{path}/{place}"), ParameterInvalid, message))
}

/// Whether the text is a percentage, 0 to 100, in plain decimal form.
fn is_percentage(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && Number::parse(text).is_some_and(|value| (0.0..=100.0).contains(&value.get()))
}
