//! What cannot be understood is isolated, and reported with its place.

use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_client_api::{Features, ReadError, load_engine, read_context, read_delta, read_features};
use vexil_domain::Context;
use vexil_engine::Ambient;

fn read(document: &Value) -> Features {
    read_features(document.to_string().as_bytes()).unwrap()
}

fn is_on(document: &Value, name: &str) -> bool {
    let engine = load_engine(document.to_string().as_bytes()).unwrap().engine;
    engine.is_enabled(
        name,
        &Context::default().with("userId", "1"),
        &Ambient::new(OffsetDateTime::UNIX_EPOCH, 0),
    )
}

fn problems(document: &Value) -> Vec<String> {
    read(document).problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_strategy_that_cannot_be_read_is_false_and_its_neighbours_work() {
    for broken in [
        json!("default"),
        json!({}),
        json!({ "name": "default", "constraints": "none" }),
        json!({ "name": "default", "constraints": [7] }),
        json!({ "name": "default", "constraints": [{ "operator": "IN" }] }),
        json!({ "name": "default", "constraints": [{ "contextName": "a", "operator": "NOT_IN", "values": 5 }] }),
        json!({ "name": "default", "segments": ["x"] }),
        json!({ "name": "default", "disabled": "perhaps" }),
        json!({ "name": "default", "parameters": [] }),
    ] {
        let alone = json!({ "features": [{ "name": "f", "enabled": true, "strategies": [broken] }] });
        assert!(!is_on(&alone, "f"), "{broken}");
        let found = problems(&alone);
        assert!(found[0].starts_with("features[0].strategies[0]"), "{found:?}");
        let beside = json!({ "features": [
            { "name": "f", "enabled": true, "strategies": [broken, { "name": "default" }] },
            { "name": "g", "enabled": true, "strategies": [] }
        ]});
        assert!(is_on(&beside, "f") && is_on(&beside, "g"), "{broken}");
    }
}

#[test]
fn all_that_is_wrong_with_a_document_is_one_list() {
    let constraint = json!({ "contextName": "age", "operator": "NUM_GT", "value": "many" });
    let document = json!({ "features": [
        5,
        { "name": "f", "enabled": true, "strategies": [{ "name": "default", "constraints": [constraint] }] },
    ]});
    let loaded = load_engine(document.to_string().as_bytes()).unwrap();
    let wrong: Vec<String> = loaded.everything_wrong().map(ToString::to_string).collect();
    let begins = [
        "features[0]: ",
        "flag `f`, strategy 0, constraint 0: `many` is not a number",
    ];
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(
        wrong
            .iter()
            .zip(begins)
            .all(|(wrong, begin)| wrong.starts_with(begin)),
        "{wrong:?}"
    );
}

#[test]
fn a_flag_that_cannot_be_read_is_off_or_left_out() {
    let document = json!({ "features": [
        { "enabled": true }, 5,
        { "name": "a", "enabled": "yes" },
        { "name": "b", "enabled": true, "strategies": "all" },
        { "name": "c", "enabled": true, "dependencies": {} },
        { "name": "d", "enabled": true, "dependencies": [{ "enabled": true }] },
        { "name": "e" },
        { "name": "f", "enabled": true, "strategies": null, "variants": null, "dependencies": null },
    ]});
    for name in ["a", "b", "c", "d", "e"] {
        assert!(!is_on(&document, name), "{name}");
    }
    assert!(is_on(&document, "f"));
    assert_eq!(
        problems(&document),
        [
            "features[0]: must have a `name`; the flag is left out",
            "features[1]: must be a flag",
            "features[2].enabled: must be true or false",
            "features[3].strategies: must be a list",
            "features[4].dependencies: must be a list",
            "features[5].dependencies[0]: must have a `feature`; the flag is off",
            "features[6].enabled: is missing; the flag is off",
        ]
    );
}

#[test]
fn scalars_are_read_generously() {
    let features = read(
        &json!({ "features": [{ "name": "f", "enabled": true, "strategies": [{
            "name": "flexibleRollout", "parameters": { "rollout": 50, "groupId": true, "stickiness": null },
            "constraints": [{ "contextName": "a", "operator": "IN", "values": [1, 2.5, null, "x"] }],
            "variants": [{ "name": "v", "weight": 333.4 }], "segments": ["3"]
        }]}]}),
    );
    assert_eq!(features.problems, []);
    let strategy = &features.snapshot.flags["f"].settings.strategies[0];
    assert_eq!(strategy.parameters["rollout"], "50");
    assert_eq!(strategy.parameters["groupId"], "true");
    assert!(!strategy.parameters.contains_key("stickiness"));
    assert_eq!(strategy.constraints[0].values, ["1", "2.5", "x"]);
    assert_eq!(strategy.variants[0].weight, 333);
    assert_eq!(strategy.segments[0].0, 3);
}

#[test]
fn only_what_is_no_such_document_is_refused() {
    assert!(matches!(read_features(b"{"), Err(ReadError::NotJson(_))));
    assert!(matches!(read_features(b"{} x"), Err(ReadError::NotJson(_))));
    for other in ["{}", "[]", "null", r#"{"features":{}}"#] {
        assert!(matches!(
            read_features(other.as_bytes()),
            Err(ReadError::NotThis { member: "features" })
        ));
        assert!(matches!(
            read_delta(other.as_bytes()),
            Err(ReadError::NotThis { member: "events" })
        ));
    }
}

#[test]
fn only_text_that_is_read_must_be_utf_8() {
    let passed_over = read_features(b"{\"version\":\"\xff\",\"features\":[]}").unwrap();
    assert!(passed_over.problems.is_empty());
    let Err(ReadError::NotJson(error)) = read_features(b"{\"features\":[{\n\"name\":\"\xff\"}]}") else {
        panic!("a name that is no text");
    };
    assert_eq!((error.line(), error.column()), (2, 9));
}

#[test]
fn an_event_that_cannot_be_understood_is_left_out() {
    let delta = read_delta(
        br#"{"events":[{"type":"x"},{"type":"feature-removed"},{"type":"segment-removed","segmentId":4}]}"#,
    );
    let delta = delta.unwrap();
    assert_eq!(delta.events.len(), 1);
    let problems: Vec<String> = delta.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "events[0]: the type `x` is not known; the event is left out",
            "events[1]: must have what `feature-removed` is about; the event is left out",
        ]
    );
}

#[test]
fn a_context_takes_scalars_as_text_and_the_top_wins() {
    let context = read_context(&json!({
        "userId": 5, "loose": true, "appName": null, "plan": "top", "odd": [1],
        "properties": { "userId": "deep", "appName": "deep", "n": 2.5, "gone": null, "o": {}, "plan": "deep" }
    }));
    let get = |field| context.get(field);
    assert_eq!(
        (get("userId"), get("loose"), get("plan")),
        (Some("5"), Some("true"), Some("top"))
    );
    assert_eq!((get("appName"), get("n")), (Some("deep"), Some("2.5")));
    assert_eq!((get("gone"), get("o"), get("odd")), (None, None, None));
}
