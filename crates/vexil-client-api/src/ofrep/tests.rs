use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_domain::Context;
use vexil_engine::Ambient;

use super::*;
use crate::load_engine;

/// A flag that is on or off, with the variant `v` for everybody if it has one.
fn written(variant: Option<Value>, on: bool) -> Value {
    let flag = json!({ "name": "f", "enabled": on, "strategies": [{ "name": "default" }], "variants": variant.into_iter().collect::<Vec<_>>() });
    let document = json!({ "features": [flag] }).to_string();
    let loaded = load_engine(document.as_bytes()).unwrap();
    let context = Context::default();
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let choice = loaded.engine.variant("f", &context, &ambient);
    let mut out = Vec::new();
    write_outcome(&"f".into(), Outcome::Decided(choice, Reason::Static), &mut out);
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn a_flag_is_what_its_variant_brings_along() {
    for (kind, text, value) in [
        ("string", "red", json!("red")),
        ("csv", "a,b", json!("a,b")),
        ("number", " 1.50 ", json!(1.5)),
        (
            "number",
            "12345678901234567890",
            json!(12_345_678_901_234_567_890_u64),
        ),
        ("number", "many", json!("many")),
        ("json", r#"{"a": [1]}"#, json!({ "a": [1] })),
        ("json", "{", json!("{")),
        ("other", "x", json!("x")),
    ] {
        let variant = json!({ "name": "v", "weight": 1000, "payload": { "type": kind, "value": text } });
        let expected = json!({ "key": "f", "value": value, "reason": "STATIC", "variant": "v" });
        assert_eq!(written(Some(variant), true), expected);
    }
    let plain = |value: bool, variant: &str| json!({ "key": "f", "value": value, "reason": "STATIC", "variant": variant });
    assert_eq!(written(None, true), plain(true, "on"));
    assert_eq!(written(None, false), plain(false, "off"));
    let named = json!({ "key": "f", "value": true, "reason": "STATIC", "variant": "v" });
    let variant = json!({ "name": "v", "weight": 1000 });
    assert_eq!(written(Some(variant), true), named);
}

#[test]
fn the_targeting_key_is_the_user() {
    let read = |body: Value| read_context(&body);
    let expected = Context::default()
        .with("userId", "u")
        .with("plan", "pro")
        .with("age", "7");
    let body = json!({ "context": { "targetingKey": "u", "userId": "x", "plan": "pro", "age": 7.0, "deep": { "a": 1 } } });
    assert_eq!(read(body), Ok(expected));
    assert_eq!(read(json!({})), Ok(Context::default()));
    let user = Context::default().with("userId", "x");
    assert_eq!(read(json!({ "context": { "userId": "x" } })), Ok(user));
    for (wrong, path) in [
        (
            json!({ "context": { "targetingKey": 7 } }),
            "/body/context/targetingKey",
        ),
        (json!({ "context": [] }), "/body/context"),
        (
            json!({ "context": { "currentTime": "soon" } }),
            "/body/context/currentTime",
        ),
        (json!([]), "/body"),
    ] {
        assert_eq!(read(wrong).unwrap_err()[0].path, path);
    }
}
