//! `POST /api/frontend`: the context in the body.

use serde_json::Value;
use vexil_domain::Context;
use vexil_values::Instant;

use super::STANDARD;
use crate::json::{Node, Problem, Problems};
use crate::number_text::number_text;

/// Reads `{"context": {…}}`; without a context, it is empty.
///
/// Numbers and booleans are taken as text, `null` as absent. A member that is no
/// standard field is a property, unless `properties` has one of that name; it is left out where it
/// is no scalar.
///
/// # Errors
///
/// Everything that is wrong with the document.
pub fn read_context(body: &Value) -> Result<Context, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object(&mut problems).is_none() {
        return problems.finish(None);
    }
    let place = node.get("context");
    let mut context = Context::default();
    if place.is_absent() {
        return Ok(context);
    }
    let members = place.members(&mut problems).unwrap_or_default();
    let (standard, loose): (Vec<_>, Vec<_>) =
        members.into_iter().partition(|(name, _)| STANDARD.contains(name));
    for (name, member) in loose {
        if let Some(text) = member.value().filter(|_| name != "properties").and_then(scalar) {
            context.properties.insert(name, text);
        }
    }
    read_properties(&place.get("properties"), &mut context, &mut problems);
    for (name, member) in standard {
        let Some(text) = member.nullable().optional_text(&mut problems) else {
            continue;
        };
        if name == "currentTime" && Instant::parse(&text).is_none() {
            problems.refuse(
                member.path(),
                "must match format \"date-time\"",
                &Value::String(text),
            );
            continue;
        }
        if !text.is_empty() {
            context.set(name, text);
        }
    }
    problems.finish(Some(context))
}

fn read_properties(place: &Node<'_>, context: &mut Context, problems: &mut Problems) {
    if place.is_absent() {
        return;
    }
    for (name, member) in place.members(problems).unwrap_or_default() {
        if let Some(text) = member.nullable().optional_text(problems) {
            context.properties.insert(name, text);
        }
    }
}

/// A scalar as text. `null` is none.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number_text(number)),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
