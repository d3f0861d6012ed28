//! Two environments, or two states, as the two sides of a comparison.
//!
//! Strategies have ids of their own in each environment. What is left to chance is drawn by id, so both
//! sides get ids by place: equal flags are then equal, chance included.

use std::sync::Arc;

use vexil_domain::{
    EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, FlagSettings, ProjectId, Snapshot,
};
use vexil_engine::Engine;

use super::diff::BeforeAfter;
use super::environment_view::EnvironmentView;

/// Two environments of one instance. Of one project, where that is said, with the parents of its flags.
pub(crate) fn environments(
    snapshot: &Snapshot,
    before: &EnvironmentName,
    after: &EnvironmentName,
    project: Option<&ProjectId>,
) -> BeforeAfter {
    let side = |name: &EnvironmentName| {
        let mut all = snapshot.in_environment(name);
        if let Some(project) = project {
            let kept = |flag: &EnvironmentFlag| {
                let is_parent = all.flags.values().any(|child| {
                    child.project == *project
                        && child
                            .dependencies
                            .iter()
                            .any(|dependency| dependency.parent == flag.name)
                });
                flag.project == *project || is_parent
            };
            let kept: Vec<_> = all.flags.values().filter(|flag| kept(flag)).cloned().collect();
            all.flags = kept.into_iter().map(|flag| (flag.name.clone(), flag)).collect();
        }
        (name.clone(), all)
    };
    two(side(before), side(after), project.cloned())
}

/// Two states.
pub(crate) fn two(
    (before_name, before): (EnvironmentName, EnvironmentSnapshot),
    (after_name, after): (EnvironmentName, EnvironmentSnapshot),
    project: Option<ProjectId>,
) -> BeforeAfter {
    let view = |name: EnvironmentName, snapshot: EnvironmentSnapshot| {
        let snapshot = numbered(snapshot);
        let (engine, _) = Engine::compile(&snapshot);
        EnvironmentView::new(name, snapshot, engine)
    };
    BeforeAfter {
        before: view(before_name, before),
        after: view(after_name, after),
        project: project.unwrap_or_else(|| "default".into()),
    }
}

/// The same with the place of each strategy as its id.
fn numbered(mut snapshot: EnvironmentSnapshot) -> EnvironmentSnapshot {
    for flag in snapshot.flags.values_mut() {
        let mut settings = FlagSettings::clone(&flag.settings);
        let enabled = settings
            .strategies
            .iter_mut()
            .filter(|strategy| !strategy.disabled);
        for (place, strategy) in enabled.enumerate() {
            strategy.id = place.to_string().into();
        }
        Arc::make_mut(flag).settings = Arc::new(settings);
    }
    snapshot
}
