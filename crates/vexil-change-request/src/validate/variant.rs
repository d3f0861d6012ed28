//! Checks of variants.

use std::collections::BTreeSet;

use vexil_domain::{Payload, Variant, WeightType};

use super::{Problem, Problems};
use crate::ProblemCode::VariantInvalid;
use crate::weights::WHOLE;

/// What is wrong with variants that stand together at `path`.
#[must_use]
pub fn variants(path: &str, variants: &[Variant]) -> Vec<Problem> {
    let mut problems = Problems::default();
    let mut names = BTreeSet::new();
    for (place, variant) in variants.iter().enumerate() {
        let path = format!("{path}/{place}");
        check(&mut problems, &path, variant);
        if !names.insert(variant.name.as_str()) {
            let message = format!("`{}` is there twice; names must be unique", variant.name);
            problems.add(format!("{path}/name"), VariantInvalid, message);
        }
    }
    check_weights(&mut problems, path, variants);
    problems.found
}

/// Whether the text stays as it is when it is put into a URL, and is neither `.` nor `..`.
#[must_use]
pub fn is_url_friendly(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&b);
    !text.is_empty() && text.bytes().all(plain) && text != "." && text != ".."
}

fn check(problems: &mut Problems, path: &str, variant: &Variant) {
    if !is_url_friendly(&variant.name) {
        let message = "must be URL friendly: letters, digits and any of `-_.!~*'()`";
        problems.add(format!("{path}/name"), VariantInvalid, message);
    } else if variant.name.len() > 100 {
        let message = "must not have more than 100 characters";
        problems.add(format!("{path}/name"), VariantInvalid, message);
    }
    if variant.weight > WHOLE {
        let message = format!("must be 0 to {WHOLE}, not {}", variant.weight);
        problems.add(format!("{path}/weight"), VariantInvalid, message);
    }
    if let WeightType::Other(name) = &variant.weight_type {
        let message = format!("`{name}` is no weight type; there are: variable, fix");
        problems.add(format!("{path}/weightType"), VariantInvalid, message);
    }
    if let Some(payload) = &variant.payload {
        check_payload(problems, &format!("{path}/payload"), payload);
    }
    check_overrides(problems, path, variant);
}

fn check_payload(problems: &mut Problems, path: &str, payload: &Payload) {
    if !matches!(payload.kind.as_str(), "json" | "csv" | "string" | "number") {
        let message = format!(
            "`{}` is no payload type; there are: json, csv, string, number",
            payload.kind
        );
        problems.add(format!("{path}/type"), VariantInvalid, message);
    }
    if payload.value.is_empty() {
        problems.add(format!("{path}/value"), VariantInvalid, "must not be empty");
    } else if payload.kind == "json" && !is_json_container(&payload.value) {
        let message = "must be a JSON object or array, as the payload type is json";
        problems.add(format!("{path}/value"), VariantInvalid, message);
    }
}

fn is_json_container(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(text).is_ok()
}

fn check_overrides(problems: &mut Problems, path: &str, variant: &Variant) {
    for (place, entry) in variant.overrides.iter().enumerate() {
        let path = format!("{path}/overrides/{place}");
        if entry.context_name.is_empty() {
            let message = "must name the context field that is compared";
            problems.add(format!("{path}/contextName"), VariantInvalid, message);
        }
        for (place, value) in entry.values.iter().enumerate() {
            if value.is_empty() {
                problems.add(
                    format!("{path}/values/{place}"),
                    VariantInvalid,
                    "must not be empty",
                );
            }
        }
    }
}

fn check_weights(problems: &mut Problems, path: &str, variants: &[Variant]) {
    if variants.is_empty() {
        return;
    }
    if variants
        .iter()
        .all(|variant| variant.weight_type == WeightType::Fix)
    {
        let message = "at least one variant must be `variable`, to share what the fixed ones leave";
        problems.add(path, VariantInvalid, message);
    }
    let fixed = crate::weights::fixed(variants);
    if fixed > u64::from(WHOLE) {
        let message = format!("the fixed weights sum to {fixed}, more than {WHOLE} (100 %)");
        problems.add(path, VariantInvalid, message);
    }
}
