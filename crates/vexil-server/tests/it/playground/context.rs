//! The context: what is read, split, echoed, left out (interface 2.1, 2.2, 4.1).

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{Playground, entries, entry, everybody, feature, preview_path};
use crate::support::{START, places};

#[actix_web::test]
async fn every_combination_of_comma_separated_values_is_evaluated_the_last_field_fastest() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let answer = playground
        .ask(json!({ "appName": "a,b", "userId": "1,2", "sessionId": "x", "properties": { "city": "Oslo,Bergen" } }))
        .await;
    let contexts: Vec<Value> = entries(&answer, "f")
        .iter()
        .map(|entry| entry["context"].clone())
        .collect();
    let expected: Vec<Value> = ["1", "2"]
        .iter()
        .flat_map(|user| {
            ["Oslo", "Bergen"].iter().flat_map(move |city| {
                ["a", "b"]
                    .iter()
                    .map(move |app| json!({ "userId": user, "sessionId": "x", "city": city, "appName": app }))
            })
        })
        .collect();
    assert_eq!(contexts, expected);
    let order: Vec<_> = contexts[0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(order, ["userId", "sessionId", "city", "appName"]);
}

#[actix_web::test]
async fn parts_are_not_trimmed_and_empty_parts_and_duplicates_are_kept() {
    let playground = Playground::new();
    playground.flag("f").await;
    let answer = playground.ask(json!({ "appName": "a", "city": "a, b,,a" })).await;
    let cities: Vec<_> = entries(&answer, "f")
        .iter()
        .map(|entry| entry["context"]["city"].clone())
        .collect();
    assert_eq!(cities, [json!("a"), json!(" b"), json!(""), json!("a")]);
}

#[actix_web::test]
async fn every_named_field_reaches_the_evaluation() {
    let playground = Playground::new();
    let fields = [
        ("appName", "shop"),
        ("environment", "somewhere"),
        ("remoteAddress", "10.0.0.1"),
        ("sessionId", "s1"),
        ("userId", "u1"),
        ("extra", "e1"),
    ];
    for (field, value) in fields {
        let constraint = json!([{ "contextName": field, "operator": "IN", "values": [value] }]);
        playground
            .flag_with(
                &format!("f-{field}"),
                &[json!({ "name": "default", "constraints": constraint })],
            )
            .await;
    }
    let id = playground.idle_request().await;
    let context: Value = fields
        .iter()
        .map(|(field, value)| ((*field).to_owned(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let answer = playground.preview(id, context.clone()).await;
    for (field, _) in fields {
        assert_eq!(
            entry(&answer, &format!("f-{field}"))["isEnabled"],
            true,
            "{field}"
        );
        let mut other = context.clone();
        other[field] = json!("another");
        let answer = playground.preview(id, other).await;
        assert_eq!(
            entry(&answer, &format!("f-{field}"))["isEnabled"],
            false,
            "{field}"
        );
    }
}

#[actix_web::test]
async fn the_current_time_is_now_unless_it_is_set_and_may_hold_several_times() {
    let playground = Playground::new();
    let after =
        json!([{ "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2026-11-27T12:30:20Z" }]);
    playground
        .flag_with("f", &[json!({ "name": "default", "constraints": after })])
        .await;
    let id = playground.idle_request().await;
    let now = playground.preview(id, json!({ "appName": "a" })).await;
    assert_eq!(entry(&now, "f")["isEnabled"], false);
    playground.server.set_time(START + time::Duration::seconds(1));
    let later = playground.preview(id, json!({ "appName": "a" })).await;
    assert_eq!(entry(&later, "f")["isEnabled"], true);
    let times = "2026-11-27T12:30:20Z,2026-11-27T14:30:21+02:00,2026-11-27T12:30:21.5Z";
    let several = playground
        .preview(id, json!({ "appName": "a", "currentTime": times }))
        .await;
    let found: Vec<_> = entries(&several, "f")
        .iter()
        .map(|entry| entry["isEnabled"].clone())
        .collect();
    assert_eq!(found, [json!(false), json!(true), json!(true)]);
}

#[actix_web::test]
async fn a_current_time_that_is_no_date_time_is_refused() {
    let playground = Playground::new();
    let id = playground.idle_request().await;
    for time in ["yesterday", "2026-01-01", "", "2026-01-01T00:00:00Z,soon"] {
        let body = json!({ "context": { "appName": "a", "currentTime": time } });
        let answer = playground.server.post(&preview_path(id), body).await;
        let error = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(error["details"][0]["path"], "/body/context/currentTime", "{time}");
    }
}

#[actix_web::test]
async fn the_context_is_echoed_exactly_as_it_was_sent() {
    let playground = Playground::new();
    playground.flag("f").await;
    let id = playground.idle_request().await;
    let sent = r#"{"context": {"zeta":"1,2",  "appName":"a","n":1.50e1,"properties":{"b":2,"a":null}}, "more": true}"#;
    let headers = [
        ("authorization", crate::support::ADMIN),
        ("content-type", "application/json"),
    ];
    let answer = playground
        .server
        .send(
            actix_web::http::Method::POST,
            &preview_path(id),
            &headers,
            sent.as_bytes(),
        )
        .await;
    answer.ok();
    let context = r#"{"zeta":"1,2",  "appName":"a","n":1.50e1,"properties":{"b":2,"a":null}}"#;
    assert!(
        answer.text.contains(&format!("\"context\":{context}")),
        "{}",
        answer.text
    );
    let input = answer.json()["input"].clone();
    assert_eq!(input["environments"], json!(["development"]));
    assert_eq!(input["projects"], json!(["default"]));
}

#[actix_web::test]
async fn a_top_level_value_of_the_wrong_type_is_left_out_and_warned_of() {
    let playground = Playground::new();
    let named = json!([{ "contextName": "userId", "operator": "IN", "values": ["5"], "inverted": true }]);
    playground
        .flag_with("f", &[json!({ "name": "default", "constraints": named })])
        .await;
    let context = json!({ "level": 5, "appName": "a", "userId": 5, "weird": {}, "on": true, "nil": null, "list": ["x"] });
    let answer = playground.ask(context.clone()).await;
    let invalid = &answer["warnings"]["invalidContextProperties"];
    assert_eq!(*invalid, json!(["level", "userId", "weird", "on", "nil", "list"]));
    assert_eq!(answer["input"]["context"], context);
    assert_eq!(entry(&answer, "f")["context"], json!({ "appName": "a" }));
    assert_eq!(entry(&answer, "f")["isEnabled"], true);
}

#[actix_web::test]
async fn without_anything_to_warn_of_there_are_no_warnings() {
    let playground = Playground::new();
    playground.flag("f").await;
    let answer = playground.ask(json!({ "appName": "a", "properties": {} })).await;
    assert!(answer.get("warnings").is_none(), "{answer}");
    assert_eq!(entry(&answer, "f")["context"], json!({ "appName": "a" }));
}

#[actix_web::test]
async fn properties_are_read_as_text_and_a_top_level_field_wins_over_one() {
    let playground = Playground::new();
    let constraint = |field: &str, value: &str| json!({ "name": "default", "constraints": [{ "contextName": field, "operator": "IN", "values": [value] }] });
    playground.flag_with("age", &[constraint("age", "25")]).await;
    playground.flag_with("user", &[constraint("userId", "top")]).await;
    let id = playground.idle_request().await;
    for context in [
        json!({ "appName": "a", "userId": "top", "properties": { "userId": "deep", "age": 25, "gone": null } }),
        json!({ "appName": "a", "properties": { "userId": "deep", "age": 25, "gone": null }, "userId": "top" }),
    ] {
        let answer = playground.preview(id, context).await;
        assert_eq!(entry(&answer, "age")["isEnabled"], true);
        assert_eq!(entry(&answer, "user")["isEnabled"], true);
        assert!(entry(&answer, "user")["context"].get("gone").is_none());
    }
    let deep = playground
        .preview(id, json!({ "appName": "a", "properties": { "userId": "top" } }))
        .await;
    assert_eq!(entry(&deep, "user")["isEnabled"], true);
}

#[actix_web::test]
async fn every_fault_of_a_context_is_listed_with_its_place() {
    let playground = Playground::new();
    let id = playground.idle_request().await;
    let cases = [
        (json!({}), vec!["/body/context"]),
        (json!([]), vec!["/body"]),
        (json!("x"), vec!["/body"]),
        (json!(null), vec!["/body"]),
        (json!({ "context": null }), vec!["/body/context"]),
        (json!({ "context": {} }), vec!["/body/context/appName"]),
        (
            json!({ "context": { "appName": "" } }),
            vec!["/body/context/appName"],
        ),
        (
            json!({ "context": { "appName": 5 } }),
            vec!["/body/context/appName"],
        ),
        (
            json!({ "context": { "appName": null } }),
            vec!["/body/context/appName"],
        ),
        (
            json!({ "context": { "currentTime": "x", "properties": { "a/b": {}, "c": [] } } }),
            vec![
                "/body/context/currentTime",
                "/body/context/properties/a~1b",
                "/body/context/properties/c",
                "/body/context/appName",
            ],
        ),
        (
            json!({ "context": { "appName": "a", "properties": "no" } }),
            vec!["/body/context/properties"],
        ),
    ];
    for (body, expected) in cases {
        let error = playground
            .server
            .post(&preview_path(id), body.clone())
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&error), expected, "{body}");
    }
}

#[actix_web::test]
async fn names_that_are_special_elsewhere_are_names_like_any_other() {
    let playground = Playground::new();
    for name in ["constructor", "__proto__", "toString"] {
        let constraint = json!([{ "contextName": name, "operator": "IN", "values": ["x"] }]);
        playground
            .flag_with(name, &[json!({ "name": "default", "constraints": constraint })])
            .await;
    }
    let id = playground.idle_request().await;
    let nothing = playground.preview(id, json!({ "appName": "a" })).await;
    let all = playground.preview(id, json!({ "appName": "a", "constructor": "x", "properties": { "__proto__": "x", "toString": "x" } })).await;
    for name in ["constructor", "__proto__", "toString"] {
        assert_eq!(feature(&nothing, name)["name"], name);
        assert_eq!(entry(&nothing, name)["isEnabled"], false);
        assert_eq!(entry(&all, name)["isEnabled"], true);
    }
}
