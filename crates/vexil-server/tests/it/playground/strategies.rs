//! Strategy, segment and constraint entries (interface 2.3).

use serde_json::{Value, json};

use super::{Playground, entry, everybody, keys, preview_path};

fn data(answer: &Value, flag: &str) -> Vec<Value> {
    entry(answer, flag)["strategies"]["data"]
        .as_array()
        .unwrap()
        .clone()
}

#[actix_web::test]
async fn a_strategy_entry_has_the_documented_fields() {
    let playground = Playground::new();
    playground.flag("f").await;
    let constraint = json!({ "contextName": "userId", "operator": "IN", "values": ["u"] });
    let mut titled = everybody(json!([constraint]));
    titled["title"] = json!("For us");
    let first = playground.strategy("f", titled).await;
    let second = playground
        .strategy(
            "f",
            json!({ "name": "remoteAddress", "parameters": { "IPs": "10.0.0.0/8" } }),
        )
        .await;
    playground.on("f").await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    let data = data(&answer, "f");
    let without_title = [
        "constraints",
        "disabled",
        "id",
        "links",
        "name",
        "parameters",
        "result",
        "segments",
    ];
    assert_eq!(keys(&data[1]), without_title);
    assert!(keys(&data[0]).contains(&"title"));
    assert_eq!(data[0]["title"], "For us");
    assert_eq!(data[0]["name"], "flexibleRollout");
    assert_eq!((&data[0]["id"], &data[1]["id"]), (&json!(first), &json!(second)));
    assert_eq!(
        (&data[0]["result"], &data[1]["result"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(data[0]["disabled"], false);
    assert_eq!(
        data[0]["parameters"],
        json!({ "rollout": "100", "stickiness": "userId", "groupId": "g" })
    );
    let link =
        format!("/projects/default/features/f/strategies/edit?environmentId=development&strategyId={first}");
    assert_eq!(data[0]["links"], json!({ "edit": link }));
    let shown = json!({ "contextName": "userId", "operator": "IN", "values": ["u"], "inverted": false, "result": true });
    assert_eq!(data[0]["constraints"], json!([shown]));
}

#[actix_web::test]
async fn a_strategy_that_cannot_be_evaluated_says_why_and_what_may_be() {
    let playground = Playground::new();
    playground
        .server
        .post(
            "/api/admin/strategies",
            json!({ "name": "ours", "description": "", "parameters": [] }),
        )
        .await
        .ok();
    let never = json!([{ "contextName": "userId", "operator": "IN", "values": ["nobody"] }]);
    let mut disabled = everybody(never.clone());
    disabled["disabled"] = json!(true);
    playground
        .flag_with(
            "f",
            &[
                json!({ "name": "ours" }),
                json!({ "name": "ours", "constraints": never }),
                json!({ "name": "applicationHostname", "parameters": { "hostNames": "localhost" } }),
                disabled,
            ],
        )
        .await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    let data = data(&answer, "f");
    assert_eq!(
        data[0]["result"],
        json!({ "evaluationStatus": "incomplete", "enabled": "unknown" })
    );
    assert_eq!(
        data[1]["result"],
        json!({ "evaluationStatus": "incomplete", "enabled": false })
    );
    assert_eq!(
        data[2]["result"],
        json!({ "evaluationStatus": "incomplete", "enabled": "unknown" })
    );
    assert_eq!(
        data[3]["result"],
        json!({ "evaluationStatus": "unevaluated", "enabled": "unknown" })
    );
    assert_eq!(data[3]["disabled"], true);
    assert_eq!(data[3]["constraints"][0]["result"], false);
    assert_eq!(entry(&answer, "f")["strategies"]["result"], "unknown");
}

#[actix_web::test]
async fn strategy_results_are_objects_when_asked_for() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let id = playground.idle_request().await;
    let body = json!({ "context": { "appName": "a", "userId": "u" } });
    let path = format!("{}?strategyResult=object", preview_path(id));
    let answer = playground.server.post(&path, body.clone()).await.ok();
    assert_eq!(
        data(&answer, "f")[0]["result"],
        json!({ "enabled": true, "evaluationStatus": "complete" })
    );
    let twice = format!("{}?strategyResult=object&strategyResult=object", preview_path(id));
    let answer = playground.server.post(&twice, body.clone()).await;
    answer.refused(actix_web::http::StatusCode::BAD_REQUEST, "BadDataError");
    let path = format!("{}?strategyResult=both", preview_path(id));
    playground
        .server
        .post(&path, body)
        .await
        .refused(actix_web::http::StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn every_operator_is_decided_and_shown() {
    let playground = Playground::new();
    let cases = [
        ("IN", json!({ "values": ["1.2.3"] }), "1.2.3", "1.2.4"),
        ("NOT_IN", json!({ "values": ["1.2.3"] }), "1.2.4", "1.2.3"),
        (
            "STR_ENDS_WITH",
            json!({ "values": ["son", "sen"] }),
            "Hansen",
            "HanSEN ",
        ),
        (
            "STR_STARTS_WITH",
            json!({ "values": ["Han"] }),
            "Hansen",
            "hansen",
        ),
        ("STR_CONTAINS", json!({ "values": ["ns"] }), "Hansen", "Olsen"),
        ("NUM_EQ", json!({ "value": "5" }), "5.0", "5.1"),
        ("NUM_GT", json!({ "value": "5" }), "5.1", "5"),
        ("NUM_GTE", json!({ "value": "5" }), "5", "4.9"),
        ("NUM_LT", json!({ "value": "5" }), "-6", "5"),
        ("NUM_LTE", json!({ "value": "5" }), "5", "5.01"),
        (
            "DATE_AFTER",
            json!({ "value": "2026-01-01T00:00:00Z" }),
            "2026-01-01T00:00:01Z",
            "2026-01-01T01:00:00+01:00",
        ),
        (
            "DATE_BEFORE",
            json!({ "value": "2026-01-01T00:00:00Z" }),
            "2025-12-31T23:59:59.999Z",
            "2026-01-01T00:00:00Z",
        ),
        ("SEMVER_EQ", json!({ "value": "1.2.3" }), "1.2.3+build", "1.2.4"),
        ("SEMVER_GT", json!({ "value": "1.2.3" }), "1.10.0", "1.2.3"),
        ("SEMVER_GTE", json!({ "value": "1.2.3" }), "1.2.3", "1.2.3-beta"),
        ("SEMVER_LT", json!({ "value": "1.2.3" }), "1.2.3-beta", "1.2.3"),
        ("SEMVER_LTE", json!({ "value": "1.2.3" }), "1.2.3", "v1.2.3"),
        ("REGEX", json!({ "value": "^[A-Z][a-z]+$" }), "Hansen", "hansen"),
        (
            "IN_CIDR",
            json!({ "values": ["10.0.0.0/8"] }),
            "10.200.1.1",
            "11.0.0.1",
        ),
    ];
    for (operator, rest, _, _) in &cases {
        let mut constraint = rest.clone();
        constraint["contextName"] = json!("field");
        constraint["operator"] = json!(operator);
        let mut inverted = constraint.clone();
        inverted["inverted"] = json!(true);
        let mut strategies = vec![everybody(json!([constraint]))];
        if *operator != "REGEX" {
            strategies.push(everybody(json!([inverted])));
        }
        playground.flag_with(operator, &strategies).await;
    }
    let id = playground.idle_request().await;
    for (operator, rest, holds, fails) in &cases {
        for (value, expected) in [(holds, true), (fails, false)] {
            let context = json!({ "appName": "a", "userId": "u", "field": value });
            let answer = playground.preview(id, context).await;
            let data = data(&answer, operator);
            let shown = &data[0]["constraints"][0];
            assert_eq!(shown["result"], expected, "{operator} {value}");
            assert_eq!(data[0]["result"], expected, "{operator} {value}");
            for inverted in data.iter().skip(1).map(|strategy| &strategy["constraints"][0]) {
                assert_eq!(
                    (&inverted["result"], &inverted["inverted"]),
                    (&json!(!expected), &json!(true)),
                    "{operator} {value}"
                );
            }
            assert_eq!(shown["operator"], *operator);
            assert_eq!(shown["contextName"], "field");
            assert_eq!(shown["value"], rest["value"]);
            assert_eq!(
                shown["values"],
                if rest["values"].is_null() {
                    json!([])
                } else {
                    rest["values"].clone()
                }
            );
        }
    }
}

#[actix_web::test]
async fn text_is_compared_without_regard_to_case_when_asked_for() {
    let playground = Playground::new();
    let constraint = json!([{ "contextName": "field", "operator": "STR_CONTAINS", "values": ["ANS"], "caseInsensitive": true }]);
    playground.flag_with("f", &[everybody(constraint)]).await;
    let answer = playground
        .ask(json!({ "appName": "a", "userId": "u", "field": "Hansen" }))
        .await;
    let shown = &data(&answer, "f")[0]["constraints"][0];
    assert_eq!(
        (&shown["caseInsensitive"], &shown["result"]),
        (&json!(true), &json!(true))
    );
}

#[actix_web::test]
async fn a_segment_is_shown_with_its_constraints_and_decides() {
    let playground = Playground::new();
    let nordic = json!([{ "contextName": "country", "operator": "IN", "values": ["NO"] }]);
    let segment = playground.segment("nordic", nordic).await;
    let empty = playground.segment("empty", json!([])).await;
    let mut strategy = everybody(json!([]));
    strategy["segments"] = json!([segment, empty]);
    playground.flag_with("f", &[strategy]).await;
    let id = playground.idle_request().await;
    for (country, holds) in [("NO", true), ("SE", false)] {
        let answer = playground
            .preview(id, json!({ "appName": "a", "userId": "u", "country": country }))
            .await;
        let strategy = data(&answer, "f").remove(0);
        assert_eq!(strategy["result"], holds);
        let constraint =
            json!({ "contextName": "country", "operator": "IN", "values": ["NO"], "result": holds });
        assert_eq!(
            strategy["segments"],
            json!([
                { "id": segment, "name": "nordic", "result": holds, "constraints": [constraint] },
                { "id": empty, "name": "empty", "result": true, "constraints": [] },
            ])
        );
    }
}

#[actix_web::test]
async fn strategies_are_shown_in_their_sort_order() {
    let playground = Playground::new();
    playground.flag("f").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(playground.strategy("f", everybody(json!([]))).await);
    }
    let order = json!([{ "id": ids[0], "sortOrder": 9 }, { "id": ids[1], "sortOrder": 5 }, { "id": ids[2], "sortOrder": 5 }]);
    let path = format!(
        "{}/f/environments/development/strategies/set-sort-order",
        super::STRATEGIES
    );
    playground.server.post(&path, order).await.ok();
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    let shown: Vec<_> = data(&answer, "f")
        .iter()
        .map(|strategy| strategy["id"].as_str().unwrap().to_owned())
        .collect();
    let mut ties = [ids[1].clone(), ids[2].clone()];
    ties.sort();
    assert_eq!(shown, [ties[0].clone(), ties[1].clone(), ids[0].clone()]);
}
