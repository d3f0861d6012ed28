//! The one place where Unleash's playground and the SDKs part, and an answer in Unleash's own form
//! follows Unleash.
//!
//! A dependency may list the variants that its parent must have. Where `disabled` is listed, and
//! the parent is switched on but lets nobody in, Unleash's playground takes the dependency as
//! satisfied; the SDKs want the parent to be on, and so do the engine and the documented form.

use vexil_domain::{Dependency, EnvironmentFlag, EnvironmentSnapshot};
use vexil_engine::{Explanation, ParentFinding, VariantOutcome, Verdict};

/// The variant of a flag that gives none.
const NO_VARIANT: &str = "disabled";

/// The explanation as Unleash's playground would have it.
pub(crate) fn unleash_reading(
    mut explanation: Explanation,
    flag: &EnvironmentFlag,
    snapshot: &EnvironmentSnapshot,
) -> Explanation {
    let mut differs = false;
    for (parent, dependency) in explanation.parents.iter_mut().zip(&flag.dependencies) {
        let off = matches!(parent.finding, ParentFinding::Off);
        if !parent.satisfied && off && takes_no_variant(dependency) && is_switched_on(dependency, snapshot) {
            parent.satisfied = true;
            differs = true;
        }
    }
    let holds = explanation.strategies_result == Verdict::True && !explanation.has_unsatisfied_dependency();
    if differs && holds && explanation.enabled_in_environment {
        explanation.enabled = true;
        explanation.variant = chosen(&explanation);
    }
    explanation
}

fn takes_no_variant(dependency: &Dependency) -> bool {
    dependency.enabled && dependency.variants.iter().any(|name| name == NO_VARIANT)
}

fn is_switched_on(dependency: &Dependency, snapshot: &EnvironmentSnapshot) -> bool {
    snapshot
        .flags
        .get(&dependency.parent)
        .is_some_and(|parent| parent.settings.enabled)
}

/// The variant that an enabled flag gives: the deciding strategy's, else the flag's own.
fn chosen(explanation: &Explanation) -> VariantOutcome {
    let of_strategy = explanation.decided_by.and_then(|strategy| {
        let pick = explanation.strategies.get(strategy)?.variants.as_ref()?;
        pick.variant
            .map(|variant| VariantOutcome::OfStrategy { strategy, variant })
    });
    let of_flag = explanation.flag_variants.as_ref().and_then(|pick| pick.variant);
    of_strategy
        .or(of_flag.map(|variant| VariantOutcome::OfFlag { variant }))
        .unwrap_or(VariantOutcome::Disabled)
}
