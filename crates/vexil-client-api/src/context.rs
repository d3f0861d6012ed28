//! Contexts as SDKs hold them.

use serde_json::Value;
use vexil_domain::Context;

use crate::number_text::number_text;

const STANDARD: [&str; 6] = [
    "userId",
    "sessionId",
    "remoteAddress",
    "environment",
    "appName",
    "currentTime",
];

/// Reads a context: standard fields at the top, everything else in `properties`, or at the top too.
///
/// Numbers and booleans are taken as text. `null` is absent, and so is what is no scalar.
/// Where the top and `properties` both name a field, the top wins.
#[must_use]
pub fn read_context(json: &Value) -> Context {
    let mut context = Context::default();
    let Some(members) = json.as_object() else {
        return context;
    };
    let properties = members.get("properties").and_then(Value::as_object);
    for (name, value) in properties.into_iter().flatten() {
        if let Some(text) = scalar(value) {
            context.properties.insert(name, text);
        }
    }
    for (name, value) in members {
        match scalar(value) {
            Some(text) if STANDARD.contains(&name.as_str()) => context.set(name, text),
            Some(text) if name != "properties" => context.properties.insert(name, text),
            _ => {}
        }
    }
    context
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number_text(number)),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
