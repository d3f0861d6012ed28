//! The one place where Unleash's playground and the SDKs part, and an answer in Unleash's own form
//! follows Unleash.
//!
//! A dependency may list the variants that its parent must have. Where `disabled` is listed, and
//! the parent is switched on but lets nobody in, Unleash's playground takes the dependency as
//! satisfied; the SDKs want the parent to be on, and so do the engine and the documented form.

use vexil_domain::{Dependency, EnvironmentFlag, EnvironmentSnapshot};
use vexil_engine::{Verdict, Verdicts};

/// The variant of a flag that gives none.
const NO_VARIANT: &str = "disabled";

/// Turns the verdicts into those that Unleash's playground would have.
pub(crate) fn read_as_unleash(
    verdicts: &mut Verdicts,
    flag: &EnvironmentFlag,
    snapshot: &EnvironmentSnapshot,
) {
    let mut differs = false;
    for (parent, dependency) in verdicts.parents.iter_mut().zip(&flag.dependencies) {
        let takes = parent.off && takes_no_variant(dependency) && is_switched_on(dependency, snapshot);
        if !parent.satisfied && takes {
            parent.satisfied = true;
            differs = true;
        }
    }
    let holds = verdicts.strategies_result == Verdict::True && !verdicts.has_unsatisfied_dependency();
    if differs && holds && verdicts.enabled_in_environment {
        verdicts.enabled = true;
        verdicts.variant = verdicts.variant_when_on();
    }
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
