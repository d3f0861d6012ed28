//! What the engine could not understand of what is compared, so that nobody takes for decided what was only closed.

use std::collections::{BTreeMap, BTreeSet};

use vexil_admin_api::playground::NotUnderstood;
use vexil_domain::{EnvironmentSnapshot, FlagName, SegmentId};
use vexil_engine::{Engine, Problem, Warning};

/// As answers say it, by place; what is so on several sides is said once.
pub(crate) fn told(
    sides: impl IntoIterator<Item = (Option<&'static str>, Vec<Warning>)>,
) -> Vec<NotUnderstood> {
    let mut found: BTreeMap<(String, String), Vec<&'static str>> = BTreeMap::new();
    for (name, warnings) in sides {
        for Warning { place, problem } in warnings {
            let known = found.entry((place.to_string(), problem.to_string()));
            let known = known.or_default();
            known.extend(name.filter(|name| !known.contains(name)));
        }
    }
    let told = found.into_iter().map(|((place, message), sides)| NotUnderstood {
        sides,
        place,
        message,
    });
    told.collect()
}

/// What the engine does not understand of some flags and of the segments that they use.
pub(crate) fn not_understood(snapshot: &EnvironmentSnapshot, flags: &[FlagName]) -> Vec<Warning> {
    let mut part = EnvironmentSnapshot::default();
    let mut wanted: Vec<&FlagName> = flags.iter().collect();
    while let Some(name) = wanted.pop() {
        if part.flags.contains_key(name) {
            continue;
        }
        let Some(flag) = snapshot.flags.get(name) else {
            continue;
        };
        part.flags.insert(name.clone(), flag.clone());
        wanted.extend(flag.dependencies.iter().map(|dependency| &dependency.parent));
        let strategies = flag.settings.strategies.iter();
        let ids: BTreeSet<SegmentId> = strategies.flat_map(|it| it.segments.iter().copied()).collect();
        let segments = ids
            .into_iter()
            .filter_map(|id| snapshot.segments.get_key_value(&id));
        part.segments
            .extend(segments.map(|(id, segment)| (*id, segment.clone())));
    }
    of_engine(Engine::compile(&part).1)
}

/// What is to be warned of. Custom strategies are not: a comparison says itself where an application decides.
pub(crate) fn of_engine(mut warnings: Vec<Warning>) -> Vec<Warning> {
    warnings.retain(|warning| !matches!(warning.problem, Problem::UnknownStrategy { .. }));
    warnings
}
