//! What a production environment decides, told without the code that is tested.

use std::collections::BTreeMap;

use vexil_domain::{Context, EnvironmentName, FlagName, FlagSettings, Snapshot};
use vexil_engine::{Ambient, Engine};

/// What each flag that is on says in production: who is let in, with what. What is off says nothing.
pub(crate) type Outcome = BTreeMap<FlagName, String>;

/// The flags that say something else, with what they said and say.
pub(crate) type Effect = BTreeMap<FlagName, (Option<String>, Option<String>)>;

/// Which flags change for which of some users, from what to what: two ways to say the same have one effect.
pub(crate) type Noticed = BTreeMap<(FlagName, u32), (bool, bool)>;

pub(crate) fn noticed(before: &Snapshot, after: &Snapshot) -> Noticed {
    let production = EnvironmentName::from("production");
    let sides = [before, after].map(|side| side.in_environment(&production));
    let engines = sides.each_ref().map(|side| Engine::compile(side).0);
    let ambient = Ambient::new(super::START, 0);
    let mut found = Noticed::new();
    let [was, is] = &sides;
    for name in was.flags.keys().chain(is.flags.keys()) {
        for user in 0..60 {
            let mut context = Context::default();
            context.set("userId", user.to_string());
            context.set("country", ["NO", "SE", "DK"][user as usize % 3]);
            let [was, is] = engines
                .each_ref()
                .map(|engine| engine.is_enabled(name.as_str(), &context, &ambient));
            if was != is {
                found.insert((name.clone(), user), (was, is));
            }
        }
    }
    found
}

pub(crate) fn outcome(snapshot: &Snapshot) -> Outcome {
    let production = EnvironmentName::from("production");
    let mut outcome = Outcome::new();
    let in_use = snapshot
        .environments
        .get(&production)
        .is_some_and(|it| it.enabled);
    let live = snapshot
        .flags
        .values()
        .filter(|flag| in_use && !flag.is_archived());
    for flag in live {
        let project = snapshot.projects.get(&flag.project);
        let is_there = project.is_some_and(|project| project.environments.contains_key(&production));
        let settings = flag
            .environments
            .get(&production)
            .filter(|settings| is_there && settings.enabled);
        if let Some(settings) = settings {
            let said = said(snapshot, settings);
            outcome.insert(flag.name.clone(), format!("{said} {:?}", flag.dependencies));
        }
    }
    outcome
}

fn said(snapshot: &Snapshot, settings: &FlagSettings) -> String {
    let mut said = format!("{:?}", settings.variants);
    for strategy in settings.strategies.iter().filter(|strategy| !strategy.disabled) {
        let segments = strategy
            .segments
            .iter()
            .map(|id| snapshot.segments.get(id).map(|segment| &segment.constraints));
        let segments: Vec<_> = segments.collect();
        said += &format!(
            " {} {:?} {:?} {segments:?} {:?}",
            strategy.name, strategy.parameters, strategy.constraints, strategy.variants
        );
    }
    said
}

pub(crate) fn effect(before: &Outcome, after: &Outcome) -> Effect {
    let names = before.keys().chain(after.keys());
    names
        .map(|name| {
            (
                name.clone(),
                (before.get(name).cloned(), after.get(name).cloned()),
            )
        })
        .filter(|(_, (was, is))| was != is)
        .collect()
}
