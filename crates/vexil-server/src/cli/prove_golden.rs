//! Few contexts with one for every region of a proof.
//!
//! A region says nothing of the fields that its conditions do not name, so one context can stand for
//! regions of several flags: where they ask for the same values, or for other fields. Those that ask for
//! most come first, and each joins the first context that it agrees with.

use serde_json::{Value, json};

use vexil_preview::quoted;

use super::contexts::document;
use super::prove_text::elsewhere;

/// A region of a flag, and what shows it.
struct Shown {
    flag: Value,
    sentence: Value,
    after: Value,
    /// The fields that it asks for, with the value that it must have or `None` for unset.
    fields: Vec<(String, Option<String>)>,
}

/// Golden contexts.
pub(super) struct Golden {
    /// Expectations for `vexil preview --expect`.
    pub(super) expectations: Vec<Value>,
    /// What they do not speak of, a line for each flag.
    pub(super) left_out: Vec<String>,
}

/// What each region comes out as after the change. What depends on more than a context cannot be asked for with one, and
/// regions that the proof does not list have none: they are left out, and it is said.
pub(super) fn golden(proof: &Value) -> Golden {
    let (mut regions, left_out) = regions(proof);
    regions.sort_by_key(|region| std::cmp::Reverse(region.fields.len()));
    let mut contexts: Vec<Vec<(String, Option<String>)>> = Vec::new();
    let mut places = Vec::with_capacity(regions.len());
    for region in &regions {
        let agrees = |context: &Vec<(String, Option<String>)>| {
            let mut own = region.fields.iter();
            own.all(|(field, value)| {
                let known = context.iter().find(|(name, _)| name == field);
                known.is_none_or(|(_, known)| known == value)
            })
        };
        let place = contexts.iter().position(agrees).unwrap_or_else(|| {
            contexts.push(Vec::new());
            contexts.len() - 1
        });
        if let Some(context) = contexts.get_mut(place) {
            let missing = region.fields.iter().filter(|(field, _)| {
                let mut known = context.iter();
                known.all(|(name, _)| name != field)
            });
            let missing: Vec<_> = missing.cloned().collect();
            context.extend(missing);
        }
        places.push(place);
    }
    let written = regions.into_iter().zip(places);
    let expectations = written
        .map(|(region, place)| expectation(region, contexts.get(place).map_or(&[][..], Vec::as_slice)))
        .collect();
    Golden {
        expectations,
        left_out,
    }
}

fn expectation(region: Shown, context: &[(String, Option<String>)]) -> Value {
    // the name of an application is there, unless it matters that it is not
    let values = context.iter().filter_map(|(field, value)| match value {
        Some(value) => Some((field.clone(), vec![value.clone()])),
        None => (field == "appName").then(|| (field.clone(), vec![String::new()])),
    });
    let mut context = document(values);
    context.entry("appName").or_insert_with(|| json!("vexil-prove"));
    let mut expectation = json!({
        "name": region.sentence,
        "flag": region.flag,
        "context": context,
        "enabled": region.after.get("enabled"),
    });
    let variant = region.after.pointer("/variant/name").cloned();
    if let (Some(variant), Some(members)) = (variant, expectation.as_object_mut()) {
        members.insert("variant".to_owned(), variant);
    }
    expectation
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The regions that a context alone shows, and what is said of the others.
fn regions(proof: &Value) -> (Vec<Shown>, Vec<String>) {
    let (mut regions, mut left_out) = (Vec::new(), Vec::new());
    for feature in list(proof, "features") {
        let name = quoted(feature.get("name").and_then(Value::as_str).unwrap_or_default());
        let mut undecided = 0;
        if feature.get("environment").is_some() {
            let place = elsewhere(feature);
            left_out.push(format!(
                "no golden context for the regions of {name}{place}: a preview is of the request's own environment"
            ));
            continue;
        }
        for group in list(feature, "groups") {
            if group.get("more") == Some(&Value::Bool(true)) {
                left_out.push(format!(
                    "no golden context for the regions of {name} that are too many to list"
                ));
            }
            for region in list(group, "boxes") {
                let witness = region.get("witness").and_then(Value::as_object);
                let Some(witness) = witness.filter(|witness| witness.len() == 1) else {
                    undecided += 1;
                    continue;
                };
                let Some(context) = witness.get("context").and_then(Value::as_object) else {
                    continue;
                };
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let asked = list(region, "conditions").iter().filter_map(|condition| {
                    let name = condition.get("name").and_then(Value::as_str)?;
                    let kind = condition.get("kind").and_then(Value::as_str)?;
                    ["field", "bucket"].contains(&kind).then(|| name.to_owned())
                });
                let mut names: Vec<String> = asked.chain(context.keys().cloned()).collect();
                names.sort_unstable();
                names.dedup();
                let fields = names.into_iter().map(|name| {
                    let value = context.get(&name).and_then(text);
                    (name, value)
                });
                regions.push(Shown {
                    flag: feature.get("name").cloned().unwrap_or_default(),
                    sentence: region.get("sentence").cloned().unwrap_or_default(),
                    after: group.get("after").cloned().unwrap_or_default(),
                    fields: fields.collect(),
                });
            }
        }
        if undecided > 0 {
            left_out.push(format!(
                "no golden context for {undecided} of the regions of {name}: no context alone shows them, or none is known"
            ));
        }
    }
    (regions, left_out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::golden;

    #[test]
    fn regions_that_agree_share_a_context_and_those_that_do_not_have_one_each() {
        let region = |field: &str, value: &str| {
            let conditions = json!([{ "kind": "field", "name": field, "words": "" }]);
            let witness = match value {
                "" => json!({ "context": {} }),
                value => json!({ "context": { field: value } }),
            };
            json!({ "sentence": format!("{field} {value}"), "conditions": conditions, "witness": witness })
        };
        let feature = |name: &str, boxes: Vec<serde_json::Value>| json!({ "name": name, "groups": [{ "after": { "enabled": true }, "boxes": boxes }] });
        let document = json!({ "features": [
            feature("a", vec![region("country", "NO"), region("country", "SE")]),
            feature("b", vec![region("plan", "pro")]),
            feature("c", vec![region("country", "SE")]),
            feature("d", vec![region("plan", "")]),
        ] });
        let contexts: Vec<_> = golden(&document)
            .expectations
            .iter()
            .map(|it| (it["flag"].clone(), it["context"].clone()))
            .collect();
        let app = "vexil-prove";
        let with_plan = json!({ "appName": app, "country": "NO", "plan": "pro" });
        assert_eq!(
            contexts,
            [
                (json!("a"), with_plan.clone()),
                (json!("a"), json!({ "appName": app, "country": "SE" })),
                (json!("b"), with_plan),
                (json!("c"), json!({ "appName": app, "country": "SE" })),
                (json!("d"), json!({ "appName": app, "country": "SE" })),
            ]
        );
    }
}
