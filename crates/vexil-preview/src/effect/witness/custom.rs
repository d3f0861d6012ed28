//! Flags whose custom strategies answer.

use std::sync::Arc;

use vexil_domain::{EnvironmentSnapshot, FlagName, FlagSettings};
use vexil_engine::Engine;

use super::Finder;
use super::shown::CustomAnswer;
use crate::effect::rules::{self, Dimension};

impl<const N: usize> Finder<'_, '_, '_, N> {
    /// Both sides with custom strategies that answer, where there are any.
    pub(super) fn answered(&self, says: &[CustomAnswer]) -> Option<[(EnvironmentSnapshot, Engine); 2]> {
        let dimensions = &self.walk.asked.rules.dimensions;
        if !dimensions.iter().any(|it| matches!(it, Dimension::Custom { .. })) {
            return None;
        }
        let sides = [self.comparison.before, self.comparison.after];
        Some(sides.map(|side| answering(side.snapshot, self.flag, says)))
    }
}

/// A flag with its parents, alone, where custom strategies say what `says` tells.
pub(crate) fn answering(
    snapshot: &EnvironmentSnapshot,
    flag: &FlagName,
    says: &[CustomAnswer],
) -> (EnvironmentSnapshot, Engine) {
    let mut alone = EnvironmentSnapshot {
        segments: snapshot.segments.clone(),
        ..EnvironmentSnapshot::default()
    };
    let own = snapshot.flags.get(flag);
    let parents = own
        .iter()
        .flat_map(|flag| &flag.dependencies)
        .filter_map(|it| snapshot.flags.get(&it.parent));
    for flag in own.into_iter().chain(parents) {
        let mut flag = vexil_domain::EnvironmentFlag::clone(flag);
        let mut settings = FlagSettings::clone(&flag.settings);
        for strategy in &mut settings.strategies {
            if rules::is_custom(strategy) {
                let yes = says.iter().any(|one| one.is_of(strategy) && one.says);
                strategy.name = if yes { "default" } else { "remoteAddress" }.to_owned();
                strategy.parameters.remove("IPs");
            }
        }
        flag.settings = Arc::new(settings);
        alone.flags.insert(flag.name.clone(), Arc::new(flag));
    }
    let (engine, _) = Engine::compile(&alone);
    (alone, engine)
}
