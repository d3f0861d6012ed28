//! What activation strategies are made of, read from documents: parameters, segments, variants.
//!
//! Only the form is checked here; what the values mean is checked where changes are laid over a snapshot.

use serde_json::Value;
use vexil_change_request::{NewStrategy, StrategyPlace, StrategyUpdate};
use vexil_domain::{
    Parameters, Payload, SegmentId, Stickiness, StrategyId, Variant, VariantOverride, WeightType,
};

use crate::constraint::read_constraint;
use vexil_client_api::json::{Node, Problems, refuse_repeated};

/// The members of a strategy. Those that are not read belong to the documents that a strategy is shown in, and come
/// back from whoever sends such a document again.
pub const STRATEGY: &[&str] = &[
    "name",
    "title",
    "disabled",
    "sortOrder",
    "parameters",
    "constraints",
    "segments",
    "variants",
    "id",
    "snapshot",
    "milestoneId",
    "milestoneName",
    "featureName",
    "strategyName",
    "projectId",
    "environment",
    "createdAt",
    "links",
];

/// The members of a variant.
const VARIANT: &[&str] = &[
    "name",
    "weight",
    "weightType",
    "stickiness",
    "payload",
    "overrides",
];

/// The most that a JSON number holds exactly.
const LARGEST_ID: i64 = 9_007_199_254_740_991;

/// Reads an activation strategy that is to be added; its id is not read.
pub fn read_new_strategy(node: &Node<'_>, problems: &mut Problems) -> Option<NewStrategy> {
    node.object_of(problems, STRATEGY)?;
    let name = node.get("name").non_empty_text(problems);
    let strategy = NewStrategy {
        id: None,
        name: name.clone().unwrap_or_default(),
        title: node.get("title").nullable().optional_text(problems),
        disabled: node.get("disabled").nullable().optional_boolean(problems),
        sort_order: read_sort_order(&node.get("sortOrder"), problems),
        parameters: read_parameters(&node.get("parameters"), problems),
        constraints: node.get("constraints").list(problems, read_constraint),
        segments: node.get("segments").list(problems, read_segment_id),
        variants: node.get("variants").list(problems, read_variant),
    };
    name.map(|_| strategy)
}

/// Reads what activation strategy `id` will say.
pub fn read_strategy_update(
    id: StrategyId,
    node: &Node<'_>,
    problems: &mut Problems,
) -> Option<StrategyUpdate> {
    node.object_of(problems, STRATEGY)?;
    let segments = node.get("segments");
    let segments = (!segments.is_absent()).then(|| segments.list(problems, read_segment_id));
    Some(StrategyUpdate {
        id,
        name: node.get("name").optional_text(problems),
        title: node.get("title").nullable().optional_text(problems),
        disabled: node.get("disabled").nullable().optional_boolean(problems),
        sort_order: read_sort_order(&node.get("sortOrder"), problems),
        parameters: read_parameters(&node.get("parameters"), problems),
        constraints: node.get("constraints").list(problems, read_constraint),
        segments,
        variants: node.get("variants").list(problems, read_variant),
    })
}

/// Reads a place among strategies. Nothing is none.
pub fn read_sort_order(node: &Node<'_>, problems: &mut Problems) -> Option<i32> {
    if node.is_absent() {
        return None;
    }
    let place = node.integer(problems, i64::from(i32::MIN), i64::from(i32::MAX))?;
    i32::try_from(place).ok()
}

/// Reads new places of strategies, each named once.
pub(crate) fn read_places_at(node: &Node<'_>, problems: &mut Problems) -> Option<Vec<StrategyPlace>> {
    let mut places: Vec<StrategyPlace> = Vec::new();
    for item in node.array(problems)? {
        if item.object_of(problems, &["id", "sortOrder"]).is_none() {
            continue;
        }
        let id = read_strategy_id(&item.get("id"), problems);
        let place = item
            .get("sortOrder")
            .integer(problems, i64::from(i32::MIN), i64::from(i32::MAX));
        let Some((id, place)) = id.zip(place.and_then(|place| i32::try_from(place).ok())) else {
            continue;
        };
        places.push(StrategyPlace {
            id,
            sort_order: place,
        });
    }
    let names = places.iter().map(|place| place.id.as_str());
    refuse_repeated(node, "strategy", names, problems);
    Some(places)
}

/// Reads the parameters of a strategy: text by name. Nothing is none; a parameter that is `null` is empty text, as in
/// Unleash.
pub fn read_parameters(node: &Node<'_>, problems: &mut Problems) -> Parameters {
    if node.is_absent() {
        return Parameters::new();
    }
    let members = node.members(problems).unwrap_or_default();
    let text =
        |(name, member): (&str, Node<'_>)| member.loose_text(problems).map(|text| (name.to_owned(), text));
    members.into_iter().filter_map(text).collect()
}

/// Reads the id of a segment.
pub fn read_segment_id(node: &Node<'_>, problems: &mut Problems) -> Option<SegmentId> {
    node.integer(problems, 0, LARGEST_ID).map(SegmentId)
}

/// Reads a variant.
pub fn read_variant(node: &Node<'_>, problems: &mut Problems) -> Option<Variant> {
    node.object_of(problems, VARIANT)?;
    let name = node.get("name").non_empty_text(problems);
    let weight = node.get("weight").integer(problems, 0, 1000);
    let kind = node.get("weightType");
    let weight_type = if kind.is_absent() {
        Some(WeightType::default())
    } else {
        kind.word(problems, &["variable", "fix"])
            .map(|word| WeightType::from_name(&word))
    };
    let stickiness = node.get("stickiness").optional_text(problems);
    let payload = read_variant_payload(&node.get("payload"), problems);
    let overrides = node.get("overrides").list(problems, read_override);
    Some(Variant {
        name: name?,
        weight: u32::try_from(weight?).ok()?,
        weight_type: weight_type?,
        stickiness: stickiness.map(|name| Stickiness::from_name(&name)),
        payload,
        overrides,
    })
}

fn read_variant_payload(node: &Node<'_>, problems: &mut Problems) -> Option<Payload> {
    if node.is_absent() {
        return None;
    }
    node.object_of(problems, &["type", "value"])?;
    let kind = node
        .get("type")
        .word(problems, &["json", "csv", "string", "number"]);
    let value = node.get("value").text(problems);
    Some(Payload {
        kind: kind?,
        value: value?,
    })
}

fn read_override(node: &Node<'_>, problems: &mut Problems) -> Option<VariantOverride> {
    node.object_of(problems, &["contextName", "values"])?;
    let context_name = node.get("contextName").non_empty_text(problems);
    let values = node.get("values").list(problems, Node::text);
    Some(VariantOverride {
        context_name: context_name?,
        values,
    })
}

/// Reads an id that is text and must not be empty.
pub fn read_strategy_id(node: &Node<'_>, problems: &mut Problems) -> Option<StrategyId> {
    if matches!(node.value(), Some(Value::Bool(_) | Value::Null)) {
        let sent = node.value().unwrap_or(&Value::Null);
        problems.refuse(node.path(), "must be string", sent);
        return None;
    }
    node.non_empty_text(problems).map(StrategyId::from)
}
