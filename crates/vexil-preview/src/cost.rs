//! What it takes to decide a flag once, told from the sizes of its parts alone.

use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, FlagName, Variant};

/// Units of work to decide a flag on all these sides, parents included: one for each strategy,
/// constraint, variant and override. The values of a constraint are found by hash or by one walk over
/// short texts, and count a sixteenth each.
pub(crate) fn of(flag: &FlagName, sides: &[&EnvironmentSnapshot]) -> u64 {
    let one = |side: &&EnvironmentSnapshot| {
        let flag = side.flags.get(flag)?;
        let parents = flag.dependencies.iter();
        let parents = parents.filter_map(|it| side.flags.get(&it.parent));
        let parents: u64 = parents.map(|parent| alone(side, parent)).sum();
        Some(alone(side, flag) + parents)
    };
    sides.iter().filter_map(one).sum::<u64>() + 1
}

/// Units of work to copy and compile everything that decides a flag on one side, parents included: one
/// for each value that a constraint, an override or a parameter compares with.
pub(crate) fn to_copy(flag: &EnvironmentFlag, side: &EnvironmentSnapshot) -> u64 {
    let parents = flag.dependencies.iter();
    let parents = parents
        .filter_map(|it| side.flags.get(&it.parent))
        .map(|parent| &**parent);
    std::iter::once(flag)
        .chain(parents)
        .map(|flag| copied(flag, side))
        .sum()
}

fn copied(flag: &EnvironmentFlag, side: &EnvironmentSnapshot) -> u64 {
    let listed = |variants: &[Variant]| -> usize {
        let overrides = variants.iter().flat_map(|variant| &variant.overrides);
        variants.len() + overrides.map(|one| 1 + one.values.len()).sum::<usize>()
    };
    let mut units = 1 + listed(&flag.settings.variants);
    for strategy in &flag.settings.strategies {
        let segments = strategy.segments.iter().filter_map(|id| side.segments.get(id));
        let shared = segments.flat_map(|segment| &segment.constraints);
        let constraints = strategy.constraints.iter().chain(shared);
        let values: usize = constraints.map(|it| 4 + it.values.len()).sum();
        // lists in parameters are text, with a comma between members
        let parameters: usize = strategy.parameters.values().map(|text| 1 + text.len() / 8).sum();
        units += 4 + values + parameters + listed(&strategy.variants);
    }
    units as u64
}

fn alone(side: &EnvironmentSnapshot, flag: &EnvironmentFlag) -> u64 {
    let mut units = flag.settings.variants.len();
    for strategy in &flag.settings.strategies {
        let segments = strategy.segments.iter().filter_map(|id| side.segments.get(id));
        let shared = segments.flat_map(|segment| &segment.constraints);
        let constraints = strategy.constraints.iter().chain(shared);
        let constraints: usize = constraints.map(|it| 1 + it.values.len() / 16).sum();
        units += 1 + strategy.variants.len() + constraints;
    }
    units as u64
}
