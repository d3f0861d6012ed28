//! Activation strategies. One that cannot be understood becomes one that never holds.

use std::collections::BTreeMap;

use serde::de::MapAccess;
use vexil_domain::{ActivationStrategy, SegmentId, StrategyId};

use super::constraint::{ConstraintShape, constraints, never};
use super::scalar::{Boolean, Integer, Name, Text};
use super::variant::{VariantShape, variants};
use super::{Key, List, Reader, Seed, Shape, members, skip};

/// A strategy. Its id is empty where the document gives none.
pub(super) struct StrategyShape(pub(super) ActivationStrategy);

impl<'de> Shape<'de> for StrategyShape {
    const WANTED: &'static str = "a strategy";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let before = reader.problems.len();
        let (mut name, mut title): (Option<Text>, Option<Text>) = (None, None);
        let mut id: Option<Name<StrategyId>> = None;
        let mut disabled: Option<Boolean> = None;
        let mut sort_order: Option<Integer> = None;
        let mut parameters: Option<Parameters> = None;
        let mut conditions: Option<List<ConstraintShape>> = None;
        let mut segments: Option<List<Integer>> = None;
        let mut list: Option<List<VariantShape>> = None;
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
        let mut constraints = constraints(conditions);
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
        Ok(Some(Self(ActivationStrategy {
            id: id.map_or_else(|| reader.ids.none.clone(), |id| id.0),
            name: name.0.into_owned(),
            title: title.map(|title| title.0.into_owned()),
            disabled: disabled.is_some_and(|flag| flag.0),
            sort_order: sort_order.map_or(0, |order| order.0.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
            parameters: parameters.map(|parameters| parameters.0).unwrap_or_default(),
            constraints,
            segments: segments.into_iter().flatten().map(|id| SegmentId(id.0)).collect(),
            variants: variants(list),
        })))
    }
}

/// The strategies of a list; one that could not be read never holds. Strategies without an id get
/// their place in the list as theirs.
pub(super) fn strategies(reader: &mut Reader, list: Vec<Option<StrategyShape>>) -> Vec<ActivationStrategy> {
    list.into_iter()
        .enumerate()
        .map(|(index, item)| {
            let mut strategy = item.map_or_else(unreadable, |item| item.0);
            if strategy.id.as_str().is_empty() {
                strategy.id = reader.ids.of_place(index);
            }
            strategy
        })
        .collect()
}

/// The ids of strategies without one, made once.
#[derive(Debug)]
pub(super) struct PlaceIds {
    none: StrategyId,
    places: Vec<StrategyId>,
}

impl Default for PlaceIds {
    fn default() -> Self {
        Self {
            none: "".into(),
            places: Vec::new(),
        }
    }
}

impl PlaceIds {
    fn of_place(&mut self, place: usize) -> StrategyId {
        while self.places.len() <= place {
            self.places.push(self.places.len().to_string().into());
        }
        self.places.get(place).unwrap_or(&self.none).clone()
    }
}

/// A strategy that never holds, for what could not be read.
pub(super) fn unreadable() -> ActivationStrategy {
    ActivationStrategy::new("", "default").with_constraint(never())
}

/// Parameters by name; `null` is absent.
struct Parameters(BTreeMap<String, String>);

impl<'de> Shape<'de> for Parameters {
    const WANTED: &'static str = "an object";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let mut parameters = BTreeMap::new();
        while let Some(Key(name)) = map.next_key()? {
            let value: Option<Text> = map.next_value_seed(Seed::new(reader))?;
            if let Some(value) = value {
                parameters.insert(name.into_owned(), value.0.into_owned());
            }
        }
        Ok(Some(Self(parameters)))
    }
}
