//! How large a question is, told from names and sizes alone, before anything is compiled or computed for it.

use std::sync::Arc;

use vexil_admin_api::playground::Projects;
use vexil_domain::{EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, FeatureFlag};
use vexil_preview::ContextMatrix;

use crate::limits::Limits;
use crate::operations::Error;
use crate::serving_state::ServingState;

/// About what an entry takes in an answer beside what its flag and its context say, in bytes.
const ENTRY: u64 = 320;
/// The same for a strategy.
const STRATEGY: u64 = 240;
/// The same for a constraint.
const CONSTRAINT: u64 = 160;

/// How much there is to evaluate and to answer.
pub(super) struct Size {
    environments: u64,
    flags: u64,
    combinations: u128,
    /// About how many bytes the answer takes.
    bytes: u128,
}

impl Size {
    /// The size of a question about environments as they are.
    pub(super) fn of_current(
        serving: &ServingState,
        names: &[EnvironmentName],
        projects: &Projects,
        matrix: &ContextMatrix,
    ) -> Self {
        let mut missing = 0;
        let mut entries = 0;
        let mut known: Vec<(&EnvironmentSnapshot, u64)> = Vec::new();
        for name in names {
            let Some(found) = serving.environment(name.as_str()) else {
                missing += 1;
                continue;
            };
            match known
                .iter_mut()
                .find(|(other, _)| std::ptr::eq(*other, &*found.snapshot))
            {
                Some((_, times)) => *times += 1,
                None => known.push((&found.snapshot, 1)),
            }
        }
        let live = || {
            serving
                .snapshot
                .flags
                .values()
                .filter(|flag| is_wanted(flag, projects))
        };
        if missing > 0 {
            entries += missing * live().count() as u64 * ENTRY;
        }
        for (snapshot, times) in &known {
            entries += times * written(snapshot, projects);
        }
        let first = names.first().and_then(|name| serving.environment(name.as_str()));
        let flags = match first {
            Some(environment) => environment
                .snapshot
                .flags
                .values()
                .filter(|flag| admits(projects, flag))
                .count(),
            None => live().count(),
        };
        Self::new(names.len(), flags, entries, matrix)
    }

    /// The size of a question about an environment as it would be.
    pub(super) fn of_proposed(
        snapshot: &EnvironmentSnapshot,
        projects: &Projects,
        matrix: &ContextMatrix,
    ) -> Self {
        let flags = snapshot
            .flags
            .values()
            .filter(|flag| admits(projects, flag))
            .count();
        Self::new(1, flags, written(snapshot, projects), matrix)
    }

    fn new(environments: usize, flags: usize, entries: u64, matrix: &ContextMatrix) -> Self {
        let combinations = matrix.count();
        let times = (environments as u128).saturating_mul(flags as u128);
        let contexts = times.saturating_mul(u128::from(context_bytes(matrix)));
        Self {
            environments: environments as u64,
            flags: flags as u64,
            combinations,
            bytes: (u128::from(entries) + contexts).saturating_mul(combinations),
        }
    }

    /// Refuses what would cost or answer more than it may.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Error> {
        let limit = limits.evaluations;
        let Self {
            environments,
            flags,
            combinations,
            bytes,
        } = self;
        // without flags nothing is evaluated, but the question is as large all the same
        let product = u128::from(*environments)
            .saturating_mul(u128::from((*flags).max(1)))
            .saturating_mul(*combinations);
        if product > u128::from(limit) {
            let product = match product {
                u128::MAX => "too many".to_owned(),
                product => product.to_string(),
            };
            return Err(Error::invalid(format!(
                "Rejecting evaluation as it would generate {product} combinations exceeding {limit} limit. Please reduce the number of selected environments ({environments}), features ({flags}), context field combinations ({combinations})."
            )));
        }
        if *bytes > u128::from(limits.answer_bytes) {
            let (bytes, most) = (bytes >> 20, limits.answer_bytes >> 20);
            return Err(Error::invalid(format!(
                "Rejecting evaluation as its answer would take about {bytes} MiB, and {most} MiB are the most. Please reduce the number of selected environments ({environments}), features ({flags}), context field combinations ({combinations})."
            )));
        }
        Ok(())
    }
}

fn is_wanted(flag: &FeatureFlag, projects: &Projects) -> bool {
    let here = match projects {
        Projects::All => true,
        Projects::These(these) => these.contains(&flag.project),
    };
    here && !flag.is_archived()
}

/// Whether a flag is in one of the projects.
pub(super) fn admits(projects: &Projects, flag: &EnvironmentFlag) -> bool {
    match projects {
        Projects::All => true,
        Projects::These(these) => these.contains(&flag.project),
    }
}

/// About how many bytes one entry of each wanted flag takes, all together.
fn written(snapshot: &EnvironmentSnapshot, projects: &Projects) -> u64 {
    let wanted = snapshot.flags.values().filter(|flag| admits(projects, flag));
    wanted.map(|flag| entry(flag, snapshot)).sum()
}

fn entry(flag: &Arc<EnvironmentFlag>, snapshot: &EnvironmentSnapshot) -> u64 {
    let mut bytes = ENTRY;
    for strategy in &flag.settings.strategies {
        let segments = strategy
            .segments
            .iter()
            .filter_map(|id| snapshot.segments.get(id));
        let shared = segments.flat_map(|segment| &segment.constraints);
        for constraint in strategy.constraints.iter().chain(shared) {
            let values = constraint.values.iter().chain(&constraint.value);
            bytes += CONSTRAINT + values.map(|value| value.len() as u64 + 3).sum::<u64>();
        }
        let parameters = strategy.parameters.iter();
        bytes += STRATEGY
            + parameters
                .map(|(name, value)| (name.len() + value.len()) as u64)
                .sum::<u64>();
    }
    bytes
}

/// Up to so many bytes, all contexts are laid out for the engine.
const LAID_OUT: u128 = 8 << 20;
/// What a value of a laid out context takes beside its text.
const VALUE: u128 = 64;

/// Whether all contexts of so many fields may be laid out at once, for each of the views.
pub(super) fn may_be_laid_out(matrix: &ContextMatrix, fields: usize, views: usize) -> bool {
    let context = u128::from(context_bytes(matrix)).saturating_add(VALUE.saturating_mul(fields as u128));
    matrix
        .count()
        .saturating_mul(context)
        .saturating_mul(views as u128)
        <= LAID_OUT
}

/// How many bytes a context takes at most.
fn context_bytes(matrix: &ContextMatrix) -> u64 {
    let field = |field: &vexil_preview::MatrixField| {
        let longest = field.values.iter().map(String::len).max().unwrap_or(0);
        (field.name.len() + longest + 6) as u64
    };
    matrix.fields().iter().map(field).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_laid_out_by_what_they_take_and_not_by_their_number() {
        let matrix = |text: &str, users: usize| {
            let mut matrix = ContextMatrix::new();
            matrix.set_text("appName", text);
            matrix.set("userId", (0..users).map(|user| user.to_string()).collect());
            matrix
        };
        let long = "x".repeat(100_000);
        assert!(may_be_laid_out(&matrix("shop", 10_000), 2, 1));
        assert!(!may_be_laid_out(&matrix("shop", 10_000), 2, 10));
        assert!(may_be_laid_out(&matrix(&long, 80), 2, 1));
        assert!(!may_be_laid_out(&matrix(&long, 90), 2, 1));
        assert!(!may_be_laid_out(&matrix("shop", 10_000), usize::MAX, usize::MAX));
    }
}
