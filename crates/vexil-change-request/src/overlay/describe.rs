//! Values as text in one form, so that equal meaning is equal text: the order of segments, of
//! constraints, of their values and of variants does not count, nor does whether a default was said.

use std::collections::BTreeMap;

use vexil_domain::{ActivationStrategy, Constraint, Dependency, FlagName, Segment, SegmentId, Variant};

use super::rollout::{ROLLOUT, fill_rollout};
use crate::SegmentUpdate;

/// Properties and what they say, by name.
pub(super) type Properties = BTreeMap<String, String>;

pub(super) fn strategy(strategy: &ActivationStrategy, flag: &FlagName, stickiness: &str) -> Properties {
    let mut parameters = strategy.parameters.clone();
    if strategy.name == ROLLOUT {
        fill_rollout(flag, stickiness, &mut parameters);
    }
    let mut properties: Properties = parameters
        .into_iter()
        .map(|(name, value)| (format!("parameters.{name}"), value))
        .collect();
    let rest = [
        ("name", strategy.name.clone()),
        ("title", strategy.title.clone().unwrap_or_default()),
        ("disabled", strategy.disabled.to_string()),
        ("constraints", constraints(&strategy.constraints)),
        ("segments", segments(&strategy.segments)),
        ("variants", variants(&strategy.variants)),
    ];
    properties.extend(rest.map(|(name, text)| (name.to_owned(), text)));
    properties
}

pub(super) fn segment(segment: &SegmentUpdate) -> Properties {
    let project = segment.project.as_ref();
    let all = [
        ("name", segment.name.clone()),
        ("description", segment.description.clone().unwrap_or_default()),
        ("project", project.map(ToString::to_string).unwrap_or_default()),
        ("constraints", constraints(&segment.constraints)),
    ];
    all.map(|(name, text)| (name.to_owned(), text)).into()
}

pub(super) fn enabled(on: bool) -> Properties {
    let text = if on { "on" } else { "off" };
    one("enabled", text.to_owned())
}

pub(super) fn all_variants(all: &[Variant]) -> Properties {
    one("variants", variants(all))
}

pub(super) fn dependencies(all: &[Dependency]) -> Properties {
    let text = |dependency: &Dependency| {
        let state = if dependency.enabled { "on" } else { "off" };
        let mut variants: Vec<&String> = dependency.variants.iter().collect();
        variants.sort();
        format!("{} {state} {variants:?}", dependency.parent)
    };
    one("dependencies", sorted(all.iter().map(text)))
}

/// What a change to a segment would have to say to leave the segment as it is.
pub(super) fn as_update(segment: &Segment) -> SegmentUpdate {
    SegmentUpdate {
        id: segment.id,
        name: segment.name.clone(),
        description: segment.description.clone(),
        project: segment.project.clone(),
        constraints: segment.constraints.clone(),
    }
}

fn one(name: &str, text: String) -> Properties {
    BTreeMap::from([(name.to_owned(), text)])
}

fn sorted(texts: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = texts.collect();
    all.sort();
    all.join("; ")
}

fn segments(ids: &[SegmentId]) -> String {
    let mut ids = ids.to_vec();
    ids.sort();
    ids.dedup();
    let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

fn constraints(all: &[Constraint]) -> String {
    sorted(all.iter().map(constraint))
}

fn constraint(constraint: &Constraint) -> String {
    let Constraint {
        context_name,
        operator,
        ..
    } = constraint;
    let not = if constraint.is_inverted() { "not " } else { "" };
    let case = if constraint.is_case_insensitive() {
        " ignoring case"
    } else {
        ""
    };
    let compared = if operator.takes_values() {
        let mut values: Vec<&String> = constraint.values.iter().collect();
        values.sort();
        values.dedup();
        format!("{values:?}")
    } else {
        format!("{:?}", constraint.value.as_deref().unwrap_or_default())
    };
    format!("{not}{context_name:?} {operator} {compared}{case}")
}

fn variants(all: &[Variant]) -> String {
    sorted(all.iter().map(variant))
}

fn variant(variant: &Variant) -> String {
    let mut text = format!(
        "{:?} {} {}",
        variant.name,
        variant.weight,
        variant.weight_type.name()
    );
    if let Some(stickiness) = variant.stickiness.as_ref().map(|one| one.name())
        && stickiness != "default"
    {
        text.push_str(&format!(" by {stickiness:?}"));
    }
    if let Some(payload) = &variant.payload {
        text.push_str(&format!(" {} {:?}", payload.kind, payload.value));
    }
    for entry in &variant.overrides {
        text.push_str(&format!(" for {:?} {:?}", entry.context_name, entry.values));
    }
    text
}
