//! What an edit did to a flag.

use std::collections::BTreeSet;

use serde_json::json;
use vexil_admin_api::flag_document::FlagSummary;
use vexil_domain::{
    ActivationStrategy, EnvironmentName, FeatureFlag, FlagName, FlagSettings, SettingsByEnvironment, Write,
};

use super::entry::{Entries, Entry};
use super::{tags, upkeep};

pub(super) fn flag(earlier: Option<&FeatureFlag>, put: &Write<FlagName, FeatureFlag>) -> Entries {
    let now = match (earlier, put) {
        (_, Write::Upsert(now)) => now,
        (Some(was), Write::Delete(_)) => {
            return Ok(vec![
                about(was, "feature-deleted").with_earlier(&FlagSummary::of(was))?,
            ]);
        }
        (None, Write::Delete(_)) => return Ok(Vec::new()),
    };
    let mut entries = Vec::new();
    let empty;
    let was = match earlier {
        Some(was) => was,
        None => {
            entries.push(about(now, "feature-created").with(&FlagSummary::of(now))?);
            empty = bare(now);
            &empty
        }
    };
    entries.extend(project(was, now)?);
    entries.extend(itself(was, now)?);
    entries.extend(dependencies(was, now)?);
    entries.extend(tags::of_flag(was, now)?);
    entries.extend(upkeep::entries(was, now, |kind| about(now, kind))?);
    let names: BTreeSet<&EnvironmentName> = was.environments.keys().chain(now.environments.keys()).collect();
    let none = FlagSettings::default();
    for name in names {
        let before = was.environments.get(name).map_or(&none, AsRef::as_ref);
        let after = now.environments.get(name).map_or(&none, AsRef::as_ref);
        entries.extend(settings(now, name, before, after)?);
    }
    if entries.is_empty() && *was != **now {
        // nothing that has a word of its own
        let entry = about(now, "feature-updated").with(&FlagSummary::of(now))?;
        entries.push(entry.with_earlier(&FlagSummary::of(was))?);
    }
    Ok(entries)
}

/// The flag as it says of itself, with nothing that belongs to it.
fn bare(flag: &FeatureFlag) -> FeatureFlag {
    FeatureFlag {
        dependencies: Vec::new(),
        tags: BTreeSet::new(),
        links: Vec::new(),
        completed: None,
        environments: SettingsByEnvironment::new(),
        ..flag.clone()
    }
}

fn about(flag: &FeatureFlag, kind: &'static str) -> Entry {
    let mut entry = Entry::new(kind).in_project(Some(&flag.project));
    entry.flag = Some(flag.name.clone());
    entry
}

/// That a flag was moved, told in both projects.
fn project(was: &FeatureFlag, now: &FeatureFlag) -> Entries {
    if was.project == now.project {
        return Ok(Vec::new());
    }
    let moved = json!({ "oldProject": was.project.as_str(), "newProject": now.project.as_str() });
    let told = |flag| about(flag, "feature-project-change").with(&moved);
    Ok(vec![told(was)?, told(now)?])
}

fn itself(was: &FeatureFlag, now: &FeatureFlag) -> Entries {
    let mut entries = Vec::new();
    match (was.is_archived(), now.is_archived()) {
        (false, true) => entries.push(about(now, "feature-archived")),
        (true, false) => entries.push(about(now, "feature-revived")),
        _ => {}
    }
    let told = |flag: &FeatureFlag| (flag.kind.clone(), flag.description.clone(), flag.impression_data);
    if told(was) != told(now) {
        let entry = about(now, "feature-metadata-updated");
        entries.push(
            entry
                .with(&FlagSummary::of(now))?
                .with_earlier(&FlagSummary::of(was))?,
        );
    }
    if was.stale != now.stale {
        entries.push(about(
            now,
            if now.stale {
                "feature-stale-on"
            } else {
                "feature-stale-off"
            },
        ));
    }
    match (was.potentially_stale, now.potentially_stale) {
        (false, true) => entries.push(about(now, "feature-potentially-stale-on")),
        (true, false) => entries.push(about(now, "feature-potentially-stale-off")),
        _ => {}
    }
    Ok(entries)
}

fn dependencies(was: &FeatureFlag, now: &FeatureFlag) -> Entries {
    let mut entries = Vec::new();
    for dependency in now
        .dependencies
        .iter()
        .filter(|dependency| !was.dependencies.contains(dependency))
    {
        entries.push(about(now, "feature-dependency-added").with(dependency)?);
    }
    if now.dependencies.is_empty() && !was.dependencies.is_empty() {
        entries.push(about(now, "feature-dependencies-removed").with_earlier(&was.dependencies)?);
        return Ok(entries);
    }
    let kept = |parent: &FlagName| {
        now.dependencies
            .iter()
            .any(|dependency| dependency.parent == *parent)
    };
    for gone in was
        .dependencies
        .iter()
        .filter(|dependency| !kept(&dependency.parent))
    {
        entries.push(about(now, "feature-dependency-removed").with_earlier(gone)?);
    }
    Ok(entries)
}

fn settings(
    flag: &FeatureFlag,
    environment: &EnvironmentName,
    was: &FlagSettings,
    now: &FlagSettings,
) -> Entries {
    let here = |kind| about(flag, kind).in_environment(environment);
    let mut entries = Vec::new();
    for gone in was
        .strategies
        .iter()
        .filter(|strategy| find(now, strategy).is_none())
    {
        entries.push(here("feature-strategy-remove").with_earlier(gone)?);
    }
    let mut moved = false;
    for strategy in &now.strategies {
        match find(was, strategy) {
            None => entries.push(here("feature-strategy-add").with(strategy)?),
            Some(old) if differs(old, strategy) => {
                entries.push(
                    here("feature-strategy-update")
                        .with(strategy)?
                        .with_earlier(old)?,
                );
            }
            Some(old) => moved |= old.sort_order != strategy.sort_order,
        }
    }
    if moved {
        let entry = here("strategy-order-changed").with(&order(now))?;
        entries.push(entry.with_earlier(&order(was))?);
    }
    if was.variants != now.variants {
        let entry =
            here("feature-environment-variants-updated").with(&json!({ "variants": now.variants }))?;
        entries.push(entry.with_earlier(&json!({ "variants": was.variants }))?);
    }
    if was.enabled != now.enabled {
        let kind = if now.enabled {
            "feature-environment-enabled"
        } else {
            "feature-environment-disabled"
        };
        entries.push(here(kind));
    }
    Ok(entries)
}

fn find<'a>(settings: &'a FlagSettings, strategy: &ActivationStrategy) -> Option<&'a ActivationStrategy> {
    settings.strategies.iter().find(|other| other.id == strategy.id)
}

/// Whether more than the place is different.
fn differs(was: &ActivationStrategy, now: &ActivationStrategy) -> bool {
    let moved = ActivationStrategy {
        sort_order: now.sort_order,
        ..was.clone()
    };
    moved != *now
}

fn order(settings: &FlagSettings) -> serde_json::Value {
    let ids: Vec<&str> = settings
        .strategies
        .iter()
        .map(|strategy| strategy.id.as_str())
        .collect();
    json!({ "strategyIds": ids })
}

#[cfg(test)]
mod tests;
