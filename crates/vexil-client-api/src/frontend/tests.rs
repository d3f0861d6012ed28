use serde_json::json;
use vexil_domain::Context;

use super::{context_of_query, read_context};

#[test]
fn a_query_names_standard_fields_and_properties() {
    let read = context_of_query(
        "userId=7&sessionId=s&remoteAddress=1.2.3.4&appName=a+b&currentTime=2026-11-27T00:00:00Z&properties[region]=e%C3%BC&crew=9&",
    );
    let expected = Context::default()
        .with("userId", "7")
        .with("sessionId", "s")
        .with("remoteAddress", "1.2.3.4")
        .with("appName", "a b")
        .with("currentTime", "2026-11-27T00:00:00Z")
        .with("region", "eü")
        .with("crew", "9");
    assert_eq!(read, expected);
}

#[test]
fn brackets_may_be_encoded() {
    assert_eq!(context_of_query("properties%5Bcrew%5D=7").get("crew"), Some("7"));
}

#[test]
fn a_property_wins_over_a_loose_key_and_a_standard_field_over_a_property() {
    for query in ["properties[crew]=7&crew=8", "crew=8&properties[crew]=7"] {
        assert_eq!(context_of_query(query).get("crew"), Some("7"), "{query}");
    }
    for query in [
        "userId=top&properties[userId]=deep",
        "properties[userId]=deep&userId=top",
    ] {
        assert_eq!(context_of_query(query).get("userId"), Some("top"), "{query}");
    }
    assert_eq!(
        context_of_query("properties[userId]=deep").get("userId"),
        Some("deep")
    );
}

#[test]
fn what_is_ambiguous_or_in_no_known_form_is_absent() {
    for query in [
        "properties=7",
        "crew=7&crew=7",
        "properties[crew]=7&properties[crew]=7",
        "crew[]=7",
        "crew[x]=7",
        "properties[crew][]=7",
        "properties[crew=7",
        "properties[]=7",
        "properties.crew=7",
        "=7",
        "[crew]=7",
    ] {
        let context = context_of_query(query);
        assert_eq!(context.get("crew"), None, "{query}");
    }
    assert_eq!(context_of_query("properties=7"), Context::default());
    assert_eq!(context_of_query("userId=a&userId=b").user_id, None);
}

#[test]
fn broken_percent_codes_stand_for_themselves() {
    assert_eq!(context_of_query("crew=%zz%4").get("crew"), Some("%zz%4"));
    assert_eq!(context_of_query("crew=%E0%A4%A").get("crew"), Some("\u{fffd}%A"));
}

#[test]
fn names_that_mean_something_elsewhere_are_names() {
    let context = context_of_query("__proto__=1&constructor=2&properties[toString]=3");
    let read = ["__proto__", "constructor", "toString"].map(|name| context.get(name));
    assert_eq!(read, [Some("1"), Some("2"), Some("3")]);
}

#[test]
fn a_body_takes_scalars_as_text() {
    let body = json!({ "context": {
        "userId": 5, "sessionId": null, "crew": 7, "flag": true, "list": ["x"], "object": {}, "nothing": null,
        "properties": { "crew": 8, "on": false, "half": 1.5, "whole": 2.0, "gone": null },
    } });
    let expected = Context::default()
        .with("userId", "5")
        .with("crew", "8")
        .with("flag", "true")
        .with("on", "false")
        .with("half", "1.5")
        .with("whole", "2");
    assert_eq!(read_context(&body), Ok(expected));
    assert_eq!(read_context(&json!({})), Ok(Context::default()));
}

#[test]
fn the_top_level_wins_in_a_body_whatever_the_order() {
    for body in [
        r#"{"context":{"userId":"top","properties":{"userId":"deep"}}}"#,
        r#"{"context":{"properties":{"userId":"deep"},"userId":"top"}}"#,
    ] {
        let context = read_context(&serde_json::from_str(body).unwrap()).unwrap();
        assert_eq!(context.get("userId"), Some("top"), "{body}");
    }
}

#[test]
fn every_fault_of_a_body_is_listed() {
    let paths = |body| -> Vec<String> {
        read_context(&body)
            .unwrap_err()
            .into_iter()
            .map(|problem| problem.path)
            .collect()
    };
    assert_eq!(paths(json!([])), ["/body"]);
    assert_eq!(paths(json!({ "context": null })), ["/body/context"]);
    assert_eq!(
        paths(json!({ "context": { "properties": null } })),
        ["/body/context/properties"]
    );
    let body = json!({ "context": {
        "userId": ["a"], "currentTime": "soon", "properties": { "a": {}, "b": "ok", "c": [] },
    } });
    let expected = [
        "/body/context/properties/a",
        "/body/context/properties/c",
        "/body/context/userId",
        "/body/context/currentTime",
    ];
    assert_eq!(paths(body), expected);
}

#[test]
fn an_empty_standard_field_is_absent() {
    assert_eq!(context_of_query("userId=&sessionId&appName="), Context::default());
    let body = json!({ "context": { "userId": "", "sessionId": "", "appName": "" } });
    assert_eq!(read_context(&body), Ok(Context::default()));
}
