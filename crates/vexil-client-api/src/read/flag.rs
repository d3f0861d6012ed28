//! Flags. One without a name is left out; one whose switch cannot be understood is off.

use std::borrow::Cow;
use std::sync::Arc;

use serde_core::de::MapAccess;
use vexil_domain::{ActivationStrategy, Dependency, EnvironmentFlag, FlagName, FlagSettings, Variant};

use super::raw::DEFAULT_KIND;
use super::raw::RawVariant;
use super::raw::Text;
use super::raw::{RawFlag, RawStrategy};
use super::reader::{Key, LenientDeserialize, List, Reader, members, skip};
use super::scalar::{Boolean, Name, Project, texts};
use super::strategy::{strategies, unreadable};

impl<'de> LenientDeserialize<'de> for RawFlag<'de> {
    const WANTED: &'static str = "a flag";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let before = reader.problems.len();
        let mut name: Option<Name<FlagName>> = None;
        let mut project: Option<Project> = None;
        let (mut kind, mut description): (Option<Text>, Option<Text>) = (None, None);
        let (mut enabled, mut stale, mut impression_data): (
            Option<Boolean>,
            Option<Boolean>,
            Option<Boolean>,
        ) = (None, None, None);
        let mut ways: Option<List<RawStrategy>> = None;
        let mut list: Option<List<RawVariant>> = None;
        let mut parents: Option<List<RawDependency>> = None;
        members!(reader, map, {
            "name" => name,
            "project" => project,
            "type" => kind,
            "description" => description,
            "enabled" => enabled,
            "stale" => stale,
            "impressionData" => impression_data,
            "strategies" => ways,
            "variants" => list,
            "dependencies" => parents,
        });
        let Some(name) = name else {
            reader.note("must have a `name`; the flag is left out");
            return Ok(None);
        };
        if enabled.is_none() && reader.problems.len() == before {
            reader.note_at("enabled", "is missing; the flag is off");
        }
        let dependencies = dependencies(reader, before, parents);
        let mut strategies = ways.map(|list| strategies(reader, list)).unwrap_or_default();
        if is_broken(reader, before, ".strategies") {
            strategies.push(unreadable(reader));
        }
        Ok(Some(Self {
            name: name.0,
            project: project.map_or_else(|| reader.project("default"), |project| project.0),
            kind: kind.map(|kind| kind.0),
            description: description.map(|text| text.0),
            enabled: enabled.is_some_and(|flag| flag.0),
            stale: stale.is_some_and(|flag| flag.0),
            impression_data: impression_data.is_some_and(|flag| flag.0),
            dependencies,
            strategies,
            variants: list.map(|list| list.0).unwrap_or_default(),
        }))
    }
}

impl From<RawFlag<'_>> for EnvironmentFlag {
    fn from(raw: RawFlag<'_>) -> Self {
        Self {
            name: raw.name,
            project: raw.project,
            kind: raw
                .kind
                .map_or_else(|| DEFAULT_KIND.into(), |kind| Arc::from(&*kind)),
            description: raw.description.map(Cow::into_owned),
            stale: raw.stale,
            impression_data: raw.impression_data,
            dependencies: raw.dependencies,
            settings: Arc::new(FlagSettings {
                enabled: raw.enabled,
                strategies: raw.strategies.into_iter().map(ActivationStrategy::from).collect(),
                variants: raw.variants.into_iter().map(Variant::from).collect(),
            }),
        }
    }
}

/// Whether a problem since `before` is with this part as a whole.
fn is_broken(reader: &Reader, before: usize, part: &str) -> bool {
    let problems = reader.problems.get(before..).unwrap_or_default();
    problems.iter().any(|problem| problem.place.ends_with(part))
}

/// The dependencies of a list; one that could not be read as a whole is never satisfied.
fn dependencies(reader: &Reader, before: usize, list: Option<List<RawDependency>>) -> Vec<Dependency> {
    let items = list.map(|list| list.0).unwrap_or_default();
    let mut dependencies: Vec<Dependency> = items.into_iter().map(|item| item.0).collect();
    if is_broken(reader, before, ".dependencies") {
        dependencies.push(no_parent());
    }
    dependencies
}

struct RawDependency(Dependency);

impl<'de> LenientDeserialize<'de> for RawDependency {
    const WANTED: &'static str = "a dependency";

    fn fallback(_: &Reader) -> Option<Self> {
        Some(Self(no_parent()))
    }

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let before = reader.problems.len();
        let mut parent: Option<Name<FlagName>> = None;
        let mut enabled: Option<Boolean> = None;
        let mut variants: Option<List<Text>> = None;
        members!(reader, map, { "feature" => parent, "enabled" => enabled, "variants" => variants });
        let Some(parent) = parent else {
            reader.note("must have a `feature`; the flag is off");
            return Ok(None);
        };
        if reader.problems.len() > before {
            return Ok(None);
        }
        Ok(Some(Self(Dependency {
            parent: parent.0,
            enabled: enabled.is_none_or(|flag| flag.0),
            variants: variants.map(|list| texts(list.0)).unwrap_or_default(),
        })))
    }
}

/// A dependency that is never satisfied, for what could not be read: no flag has an empty name.
fn no_parent() -> Dependency {
    Dependency {
        parent: "".into(),
        enabled: true,
        variants: Vec::new(),
    }
}
