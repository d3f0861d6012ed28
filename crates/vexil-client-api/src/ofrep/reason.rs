//! Why a flag is what it is for a context, in the words of OpenFeature.

use serde::Serialize;
use vexil_domain::{ActivationStrategy, EnvironmentFlag, EnvironmentSnapshot, Variant};
use vexil_engine::Verdicts;
use vexil_values::Number;

/// Why a flag is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    /// It is the same for everybody.
    Static,
    /// The context decides.
    TargetingMatch,
    /// A share of users, or the weights of variants, decide.
    Split,
    /// It is off here for everybody.
    Disabled,
}

/// Why a flag is what was concluded.
#[must_use]
pub fn reason(flag: &EnvironmentFlag, verdicts: &Verdicts) -> Reason {
    if !verdicts.enabled_in_environment {
        return Reason::Disabled;
    }
    let settings = &flag.settings;
    let strategies = || settings.strategies.iter().filter(|strategy| !strategy.disabled);
    let decided_by = verdicts
        .decided_by
        .and_then(|place| settings.strategies.get(place));
    let decided_by = decided_by.filter(|_| verdicts.enabled);
    let own = decided_by.map(|strategy| &strategy.variants);
    let variants = own.filter(|own| !own.is_empty()).unwrap_or(&settings.variants);
    let splits = match decided_by {
        Some(strategy) => is_share(strategy) || are_several(variants),
        None if verdicts.enabled => are_several(variants),
        None => strategies().any(is_share),
    };
    if splits {
        return Reason::Split;
    }
    let asks = !flag.dependencies.is_empty() || strategies().any(targets);
    if asks {
        Reason::TargetingMatch
    } else {
        Reason::Static
    }
}

/// Whether a strategy admits some users and not others, by chance.
fn is_share(strategy: &ActivationStrategy) -> bool {
    percentage(strategy).is_some_and(|share| 0.0 < share && share < 100.0)
}

/// How many percent a gradual rollout admits, of those whom it can tell apart.
fn percentage(strategy: &ActivationStrategy) -> Option<f64> {
    let share = match strategy.name.as_str() {
        "flexibleRollout" => strategy.parameters.get("rollout"),
        "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom" => {
            strategy.parameters.get("percentage")
        }
        _ => None,
    };
    share.and_then(|text| Number::parse(text)).map(Number::get)
}

/// Whether weights decide between variants.
fn are_several(variants: &[Variant]) -> bool {
    variants.iter().filter(|variant| variant.weight > 0).count() > 1
}

/// Whether a strategy looks at the context.
fn targets(strategy: &ActivationStrategy) -> bool {
    let is_for_all = matches!(
        strategy.name.as_str(),
        "default"
            | "flexibleRollout"
            | "gradualRolloutUserId"
            | "gradualRolloutSessionId"
            | "gradualRolloutRandom"
    );
    !is_for_all || is_share(strategy) || !strategy.constraints.is_empty() || !strategy.segments.is_empty()
}

/// Whether a flag asks for the user by name, so that nobody without one can get it by that way.
#[must_use]
pub fn needs_user(flag: &EnvironmentFlag, snapshot: &EnvironmentSnapshot) -> bool {
    const USER_ID: &str = "userId";
    let mut strategies = flag
        .settings
        .strategies
        .iter()
        .filter(|strategy| !strategy.disabled);
    strategies.any(|strategy| {
        let segments = strategy
            .segments
            .iter()
            .filter_map(|id| snapshot.segments.get(id));
        let mut constraints = segments
            .flat_map(|segment| &segment.constraints)
            .chain(&strategy.constraints);
        let sticky = strategy.parameters.get("stickiness").map(String::as_str);
        matches!(strategy.name.as_str(), "userWithId" | "gradualRolloutUserId")
            || (sticky == Some(USER_ID) && percentage(strategy).is_some_and(|share| share > 0.0))
            || constraints.any(|constraint| constraint.context_name == USER_ID)
    })
}
