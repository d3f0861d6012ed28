//! Activation strategies. One that cannot be understood becomes one that never holds.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_core::de::MapAccess;
use vexil_domain::{ActivationStrategy, SegmentId, StrategyId, Variant};

use super::constraint::{never, owned};
use super::raw::RawConstraint;
use super::raw::RawVariant;
use super::raw::{Parameters, RawStrategy, Text};
use super::reader::{Key, LenientDeserialize, List, Reader, Seed, members, skip};
use super::scalar::{Boolean, Integer, Name};

impl<'de> LenientDeserialize<'de> for RawStrategy<'de> {
    const WANTED: &'static str = "a strategy";

    fn fallback(reader: &Reader) -> Option<Self> {
        Some(unreadable(reader))
    }

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let before = reader.problems.len();
        let (mut name, mut title): (Option<Text>, Option<Text>) = (None, None);
        let mut id: Option<Name<StrategyId>> = None;
        let mut disabled: Option<Boolean> = None;
        let mut sort_order: Option<Integer> = None;
        let mut parameters: Option<Parameters> = None;
        let mut conditions: Option<List<RawConstraint>> = None;
        let mut segments: Option<List<Integer>> = None;
        let mut list: Option<List<RawVariant>> = None;
        members!(reader, map, {
            "id" => id,
            "name" => name,
            "title" => title,
            "disabled" => disabled,
            "sortOrder" => sort_order,
            "parameters" => parameters,
            "constraints" => conditions,
            "segments" => segments,
            "variants" => list,
        });
        let Some(name) = name else {
            if reader.problems.len() == before {
                reader.note("must have a `name`");
            }
            return Ok(None);
        };
        let segments = segments.map(|list| list.0).unwrap_or_default();
        let mut constraints = conditions.map(|list| list.0).unwrap_or_default();
        let narrowed = reader
            .problems
            .get(before..)
            .unwrap_or_default()
            .iter()
            .any(|problem| {
                [".constraints", ".segments", ".disabled", ".parameters"]
                    .iter()
                    .any(|part| problem.place.contains(part))
            });
        if narrowed {
            constraints.push(never());
        }
        Ok(Some(Self {
            id: id.map_or_else(|| reader.ids.none.clone(), |id| id.0),
            name: name.0,
            title: title.map(|title| title.0),
            disabled: disabled.is_some_and(|flag| flag.0),
            sort_order: sort_order.map_or(0, |order| order.0.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
            parameters: parameters.unwrap_or_default(),
            constraints,
            segments: segments.into_iter().map(|id| SegmentId(id.0)).collect(),
            variants: list.map(|list| list.0).unwrap_or_default(),
        }))
    }
}

impl From<RawStrategy<'_>> for ActivationStrategy {
    fn from(raw: RawStrategy<'_>) -> Self {
        let pair = |(name, value): (Cow<'_, str>, Cow<'_, str>)| (name.into_owned(), value.into_owned());
        Self {
            id: raw.id,
            name: raw.name.into_owned(),
            title: raw.title.map(Cow::into_owned),
            disabled: raw.disabled,
            sort_order: raw.sort_order,
            parameters: raw.parameters.0.into_iter().map(pair).collect(),
            constraints: raw.constraints.into_iter().map(owned).collect(),
            segments: raw.segments,
            variants: raw.variants.into_iter().map(Variant::from).collect(),
        }
    }
}

/// The strategies of a list. Those without an id get their place in the list as theirs.
pub(super) fn strategies<'de>(
    reader: &mut Reader,
    List(mut list): List<RawStrategy<'de>>,
) -> Vec<RawStrategy<'de>> {
    for (place, strategy) in list.iter_mut().enumerate() {
        if strategy.id.as_str().is_empty() {
            strategy.id = reader.ids.of_place(place);
        }
    }
    list
}

/// A strategy that never holds, for what could not be read.
pub(super) fn unreadable<'de>(reader: &Reader) -> RawStrategy<'de> {
    RawStrategy {
        id: reader.ids.none.clone(),
        name: Cow::Borrowed("default"),
        title: None,
        disabled: false,
        sort_order: 0,
        parameters: Parameters::default(),
        constraints: vec![never()],
        segments: Vec::new(),
        variants: Vec::new(),
    }
}

impl Parameters<'_> {
    /// All, each once.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let last: BTreeMap<&str, &str> = self.0.iter().map(|(name, value)| (&**name, &**value)).collect();
        last.into_iter()
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().rev().find(|(known, _)| known == name)?;
        Some(&found.1)
    }
}

impl<'de> LenientDeserialize<'de> for Parameters<'de> {
    const WANTED: &'static str = "an object";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let mut parameters = Vec::new();
        while let Some(Key(name)) = map.next_key()? {
            let value: Option<Text> = map.next_value_seed(Seed::new(reader))?;
            if let Some(value) = value {
                parameters.push((name, value.0));
            }
        }
        Ok(Some(Self(parameters)))
    }
}
