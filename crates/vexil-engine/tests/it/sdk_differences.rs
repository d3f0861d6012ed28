//! Where SDKs on yggdrasil decide otherwise: the rows of `docs/COMPATIBILITY.md`, "Where SDKs differ from a preview".

use serde_json::{Value, json};
use unleash_yggdrasil::{EngineState, UpdateMessage};
use vexil_client_api::{load_engine, read_context};

use crate::support::ambient;

/// A strategy that has this one constraint.
fn constrained(field: &str, operator: &str, more: &Value) -> Value {
    let mut constraint = json!({ "contextName": field, "operator": operator });
    if let (Some(constraint), Some(more)) = (constraint.as_object_mut(), more.as_object()) {
        constraint.extend(more.clone());
    }
    json!({ "name": "default", "constraints": [constraint] })
}

fn rollout(parameters: Value) -> Value {
    json!({ "name": "flexibleRollout", "parameters": parameters })
}

/// What differs, the strategies of the flag, the context, what Vexil says and what yggdrasil says.
type Row = (&'static str, Vec<Value>, Value, bool, bool);

fn rows() -> Vec<Row> {
    let user = json!({ "userId": "7", "properties": { "plan": "a", "age": "5", "empty": "" } });
    let anybody = || json!({ "name": "default" });
    vec![
        (
            "a percentage with a fraction",
            vec![rollout(
                json!({ "rollout": "100.0", "stickiness": "userId", "groupId": "g" }),
            )],
            user.clone(),
            true,
            false,
        ),
        (
            "a percentage over 100",
            vec![rollout(
                json!({ "rollout": "101", "stickiness": "userId", "groupId": "g" }),
            )],
            user.clone(),
            true,
            false,
        ),
        (
            "an empty stickiness",
            vec![rollout(
                json!({ "rollout": "100", "stickiness": "", "groupId": "g" }),
            )],
            user.clone(),
            true,
            false,
        ),
        (
            "a gradual rollout without a group",
            vec![json!({ "name": "gradualRolloutUserId", "parameters": { "percentage": "100" } })],
            user.clone(),
            true,
            false,
        ),
        (
            "blanks around an entry of a list",
            vec![constrained("plan", "IN", &json!({ "values": [" a "] }))],
            user.clone(),
            true,
            false,
        ),
        (
            "an empty context value",
            vec![constrained("empty", "REGEX", &json!({ "value": "^$" }))],
            user.clone(),
            false,
            true,
        ),
        (
            "a number that begins with its point",
            vec![constrained("age", "NUM_GT", &json!({ "value": ".5" }))],
            user.clone(),
            true,
            false,
        ),
        (
            "a date without a zone",
            vec![constrained(
                "currentTime",
                "DATE_AFTER",
                &json!({ "value": "2024-01-01T00:00:00" }),
            )],
            json!({ "currentTime": "2024-07-01T00:00:00Z" }),
            true,
            false,
        ),
        (
            "one constraint that cannot be read, in a strategy beside another",
            vec![
                constrained("age", "NUM_GT", &json!({ "value": "many" })),
                anybody(),
            ],
            user.clone(),
            true,
            false,
        ),
        (
            "a missing segment, in a strategy beside another",
            vec![json!({ "name": "default", "segments": [99] }), anybody()],
            user.clone(),
            true,
            false,
        ),
        (
            "a constraint that cannot be read, inverted",
            vec![constrained(
                "plan",
                "REGEX",
                &json!({ "value": "a(?=b)", "inverted": true }),
            )],
            user.clone(),
            false,
            true,
        ),
        (
            "a quotation mark in a group",
            vec![rollout(
                json!({ "rollout": "100", "stickiness": "userId", "groupId": "a\"b" }),
            )],
            user.clone(),
            true,
            false,
        ),
        (
            "a digit that is not ASCII, in a pattern",
            vec![constrained("plan", "REGEX", &json!({ "value": "^\\d$" }))],
            json!({ "properties": { "plan": "٣" } }),
            false,
            true,
        ),
        (
            "a disabled strategy in a document",
            vec![json!({ "name": "default", "disabled": true })],
            user,
            false,
            true,
        ),
    ]
}

#[test]
fn where_sdks_differ_from_a_preview_is_known() {
    let mut wrong = Vec::new();
    for (what, strategies, context, ours, theirs) in rows() {
        let document = json!({ "version": 2, "features": [{
            "name": "f", "type": "release", "enabled": true, "strategies": strategies
        }]});
        let engine = load_engine(document.to_string().as_bytes()).unwrap().engine;
        let we_say = engine.is_enabled("f", &read_context(&context), &ambient(0));
        let yggdrasil = EngineState::default();
        yggdrasil.take_state(UpdateMessage::FullResponse(
            serde_json::from_value(document).unwrap(),
        ));
        let they_say = yggdrasil.is_enabled("f", &serde_json::from_value(context).unwrap(), &None);
        if (we_say, they_say) != (ours, theirs) {
            wrong.push(format!("{what}: we say {we_say}, they say {they_say}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_parent_without_variants_satisfies_no_list_of_variants() {
    let document = json!({ "version": 2, "features": [
        { "name": "parent", "enabled": true, "strategies": [] },
        { "name": "child", "enabled": true, "strategies": [], "dependencies": [{ "feature": "parent", "variants": ["v1"] }] },
    ]});
    let engine = load_engine(document.to_string().as_bytes()).unwrap().engine;
    let context = vexil_domain::Context::default();
    let yggdrasil = EngineState::default();
    yggdrasil.take_state(UpdateMessage::FullResponse(
        serde_json::from_value(document).unwrap(),
    ));
    assert!(!engine.is_enabled("child", &context, &ambient(0)));
    assert!(yggdrasil.is_enabled("child", &unleash_yggdrasil::Context::default(), &None));
}
