//! The OpenFeature Remote Evaluation Protocol (OFREP) 0.3: contexts, and what flags are for them.
//!
//! ```json
//! {"key":"checkout","value":true,"reason":"TARGETING_MATCH"}
//! ```
//!
//! See <https://github.com/open-feature/protocol>.

mod reason;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value, json};
use vexil_domain::{Context, FlagName, Payload};
use vexil_engine::Choice;

use crate::client_features::json as write_json;
use crate::frontend;
use crate::json::{Problem, Problems};

pub use reason::{Reason, needs_user, reason};

/// The name under which OpenFeature knows whom flags are for; here that is `userId`.
const TARGETING_KEY: &str = "targetingKey";

/// Reads `{"context": {"targetingKey": "…", …}}`, else as [`frontend::read_context`] does: scalars are properties, and
/// what no constraint can ask about is left out.
///
/// # Errors
///
/// Everything that is wrong with the document.
pub fn read_context(body: &Value) -> Result<Context, Vec<Problem>> {
    let Some(Value::Object(members)) = body.get("context") else {
        return frontend::read_context(body);
    };
    let mut members = members.clone();
    match members.shift_remove(TARGETING_KEY) {
        None | Some(Value::Null) => {}
        Some(Value::String(key)) => drop(members.insert("userId".to_owned(), Value::String(key))),
        Some(other) => {
            let mut problems = Problems::new();
            problems.refuse("/body/context/targetingKey", "must be string", &other);
            return problems.finish(None);
        }
    }
    frontend::read_context(&json!({ "context": members }))
}

/// Why a flag could not be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// There is no such flag.
    FlagNotFound,
    /// The request is no JSON.
    ParseError,
    /// The flag is for users, and the context names none.
    TargetingKeyMissing,
    /// The context is not understood.
    InvalidContext,
    /// Something else.
    General,
}

/// What a flag is for a context.
#[derive(Debug, Clone, Copy)]
pub enum Outcome<'a> {
    /// It was decided.
    Decided(Choice<'a>, Reason),
    /// It is for users, and the context names none.
    TargetingKeyMissing,
}

#[derive(Serialize)]
struct Decided<'a> {
    key: &'a FlagName,
    value: FlagValue<'a>,
    reason: Reason,
    /// Providers ask for one of every flag.
    variant: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorDocument<'a> {
    key: &'a FlagName,
    error_code: ErrorCode,
    error_details: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FlagValue<'a> {
    On(bool),
    Text(&'a str),
    Number(Number),
    Json(&'a RawValue),
}

/// What an application without a user is told of a flag for users.
pub const NO_TARGETING_KEY: &str = "the flag is for users: say which by `targetingKey`";

/// Writes what a flag is.
pub fn write_outcome(key: &FlagName, outcome: Outcome<'_>, out: &mut Vec<u8>) {
    match outcome {
        Outcome::Decided(choice, reason) => write_json(
            &Decided {
                key,
                value: value(&choice),
                reason,
                variant: variant(&choice),
            },
            out,
        ),
        Outcome::TargetingKeyMissing => write_json(
            &ErrorDocument {
                key,
                error_code: ErrorCode::TargetingKeyMissing,
                error_details: NO_TARGETING_KEY,
            },
            out,
        ),
    }
}

/// Writes `{"flags":[…],"eventStreams":[…]}`: what flags are, and where somebody who wants to hear of changes can listen.
pub fn write_outcomes<'a>(
    flags: impl Iterator<Item = (&'a FlagName, Outcome<'a>)>,
    streams: &[EventStream<'_>],
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b"{\"flags\":[");
    for (place, (key, outcome)) in flags.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_outcome(key, outcome, out);
    }
    out.push(b']');
    if !streams.is_empty() {
        out.extend_from_slice(b",\"eventStreams\":");
        write_json(&streams, out);
    }
    out.push(b'}');
}

/// Where somebody can listen to changes.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventStream<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    endpoint: Endpoint<'a>,
    inactivity_delay_sec: u32,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a str>,
    request_uri: &'a str,
}

impl<'a> EventStream<'a> {
    /// Server-sent events at a path of the server; `origin` where its public address is known, else that is the one that
    /// was asked.
    #[must_use]
    pub fn at(origin: Option<&'a str>, request_uri: &'a str) -> Self {
        Self {
            kind: "sse",
            url: origin.map(|origin| format!("{origin}{request_uri}")),
            endpoint: Endpoint { origin, request_uri },
            inactivity_delay_sec: 120,
        }
    }
}

/// The data of an event that says that flags have changed.
#[must_use]
pub fn refetch(state: &str) -> String {
    json!({ "type": "refetchEvaluation", "etag": format!("\"{state}\"") }).to_string()
}

/// The variant; of a flag without one, whether it is on.
fn variant<'a>(choice: &Choice<'a>) -> &'a str {
    match choice.feature_enabled {
        true if choice.enabled => choice.name,
        true => "on",
        false => "off",
    }
}

/// On or off, or what the variant of a flag that is on brings along, as its type says.
fn value<'a>(choice: &Choice<'a>) -> FlagValue<'a> {
    match choice
        .payload
        .filter(|_| choice.feature_enabled && choice.enabled)
    {
        None => FlagValue::On(choice.feature_enabled),
        Some(payload) => typed(payload),
    }
}

/// Data as its type says; as text where it is none of that type.
fn typed(payload: &Payload) -> FlagValue<'_> {
    let text = payload.value.as_str();
    let typed = match payload.kind.as_str() {
        "number" => serde_json::from_str(text.trim()).ok().map(FlagValue::Number),
        "json" => serde_json::from_str(text).ok().map(FlagValue::Json),
        _ => None,
    };
    typed.unwrap_or(FlagValue::Text(text))
}

#[cfg(test)]
mod tests;
