//! Feature and evaluation entries, and the cumulative result (interface 2.3, 4.1 rows 1, 3, 5).

use std::io::Read;

use actix_web::http::Method;
use serde_json::json;

use super::{Playground, entry, everybody, feature, keys};
use crate::support::ADMIN;

#[actix_web::test]
async fn the_answer_has_the_documented_fields() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    assert_eq!(keys(&answer), ["features", "input"]);
    assert_eq!(keys(&answer["input"]), ["context", "environments", "projects"]);
    let feature = feature(&answer, "f");
    assert_eq!(keys(feature), ["environments", "name", "projectId", "variants"]);
    assert_eq!(feature["projectId"], "default");
    assert_eq!(keys(&feature["environments"]), ["development"]);
    let entry = entry(&answer, "f");
    let fields = [
        "context",
        "environment",
        "hasUnsatisfiedDependency",
        "isEnabled",
        "isEnabledInCurrentEnvironment",
        "name",
        "projectId",
        "strategies",
        "variant",
        "variants",
    ];
    assert_eq!(keys(entry), fields);
    assert_eq!(entry["name"], "f");
    assert_eq!(entry["environment"], "development");
    assert_eq!(entry["projectId"], "default");
    assert_eq!(entry["context"], json!({ "userId": "u", "appName": "a" }));
    assert_eq!(entry["hasUnsatisfiedDependency"], false);
    assert_eq!(keys(&entry["strategies"]), ["data", "result"]);
}

#[actix_web::test]
async fn every_live_flag_of_the_project_is_shown_by_name() {
    let playground = Playground::new();
    for name in ["b", "a", "c", "B", "10", "9"] {
        playground.flag(name).await;
    }
    playground
        .server
        .delete("/api/admin/projects/default/features/c")
        .await
        .ok();
    let answer = playground.ask(json!({ "appName": "a" })).await;
    let names: Vec<_> = answer["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|feature| &feature["name"])
        .collect();
    assert_eq!(names, ["10", "9", "B", "a", "b", "zz-idle"]);
}

#[actix_web::test]
async fn the_cumulative_result_is_true_false_or_unknown() {
    let playground = Playground::new();
    let custom = json!({ "name": "ours", "parameters": {} });
    let never = json!({ "contextName": "userId", "operator": "IN", "values": ["nobody"] });
    let impossible = json!({ "name": "ours", "constraints": [never] });
    let no = everybody(json!([never]));
    let yes = everybody(json!([]));
    playground
        .server
        .post(
            "/api/admin/strategies",
            json!({ "name": "ours", "description": "", "parameters": [] }),
        )
        .await
        .ok();
    let flags = [
        (
            "true",
            vec![no.clone(), custom.clone(), yes.clone()],
            json!(true),
            true,
        ),
        ("false", vec![no.clone(), impossible.clone()], json!(false), false),
        (
            "unknown",
            vec![no.clone(), custom.clone()],
            json!("unknown"),
            false,
        ),
        ("custom", vec![custom], json!("unknown"), false),
        ("custom-false", vec![impossible], json!(false), false),
    ];
    for (name, strategies, _, _) in &flags {
        playground.flag_with(name, strategies).await;
    }
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    for (name, _, result, enabled) in &flags {
        let entry = entry(&answer, name);
        assert_eq!(entry["strategies"]["result"], *result, "{name}");
        assert_eq!(entry["isEnabled"], *enabled, "{name}");
        assert_eq!(entry["isEnabledInCurrentEnvironment"], true, "{name}");
    }
}

#[actix_web::test]
async fn a_flag_that_is_off_says_so_and_still_shows_its_strategies() {
    let playground = Playground::new();
    playground.flag("off").await;
    playground.strategy("off", everybody(json!([]))).await;
    playground.flag("empty").await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    let off = entry(&answer, "off");
    assert_eq!(off["isEnabled"], false);
    assert_eq!(off["isEnabledInCurrentEnvironment"], false);
    assert_eq!(off["strategies"]["result"], true);
    assert_eq!(off["strategies"]["data"].as_array().unwrap().len(), 1);
    let empty = entry(&answer, "empty");
    assert_eq!(empty["isEnabled"], false);
    assert_eq!(empty["strategies"], json!({ "result": false, "data": [] }));
}

#[actix_web::test]
async fn a_flag_whose_parent_is_not_as_asked_is_off() {
    let playground = Playground::new();
    let only_alice = everybody(json!([{ "contextName": "userId", "operator": "IN", "values": ["alice"] }]));
    playground.flag_with("parent", &[only_alice]).await;
    for (child, dependency) in [
        ("wants-on", json!({ "feature": "parent" })),
        ("wants-off", json!({ "feature": "parent", "enabled": false })),
    ] {
        playground.flag_with(child, &[everybody(json!([]))]).await;
        playground
            .server
            .post(
                &format!("/api/admin/projects/default/features/{child}/dependencies"),
                dependency,
            )
            .await
            .ok();
    }
    let answer = playground
        .ask(json!({ "appName": "a", "userId": "alice,bob" }))
        .await;
    let found = |flag: &str, user: usize| {
        let entry = &super::entries(&answer, flag)[user];
        assert_eq!(entry["strategies"]["result"], true);
        assert_eq!(
            entry["isEnabled"].as_bool().unwrap(),
            !entry["hasUnsatisfiedDependency"].as_bool().unwrap()
        );
        entry["isEnabled"].as_bool().unwrap()
    };
    assert_eq!((found("wants-on", 0), found("wants-on", 1)), (true, false));
    assert_eq!((found("wants-off", 0), found("wants-off", 1)), (false, true));
}

#[actix_web::test]
async fn the_environment_is_that_of_the_change_request_where_the_context_says_none() {
    let playground = Playground::new();
    let here =
        everybody(json!([{ "contextName": "environment", "operator": "IN", "values": ["development"] }]));
    playground.flag_with("f", &[here]).await;
    let id = playground.idle_request().await;
    let answer = playground
        .preview(id, json!({ "appName": "a", "userId": "u" }))
        .await;
    assert_eq!(entry(&answer, "f")["isEnabled"], true);
    assert_eq!(
        entry(&answer, "f")["context"],
        json!({ "userId": "u", "appName": "a" })
    );
    let answer = playground
        .preview(
            id,
            json!({ "appName": "a", "userId": "u", "environment": "elsewhere" }),
        )
        .await;
    assert_eq!(entry(&answer, "f")["isEnabled"], false);
}

#[actix_web::test]
async fn the_answer_is_compressed_while_it_is_written_for_those_who_take_it() {
    let playground = Playground::new();
    for name in ["a", "b", "c", "d"] {
        playground.flag_with(name, &[everybody(json!([]))]).await;
    }
    let users: Vec<String> = (0..500).map(|number| format!("user-{number}")).collect();
    let question = json!({ "environments": ["development"], "projects": "*", "context": { "appName": "a", "userId": users.join(",") } });
    let ask = async |accepted: &'static str| {
        let headers = [
            ("authorization", ADMIN),
            ("content-type", "application/json"),
            ("accept-encoding", accepted),
        ];
        let body = question.to_string().into_bytes();
        let path = "/api/admin/playground/advanced";
        playground.server.send(Method::POST, path, &headers, body).await
    };
    let plain = ask("").await;
    assert_eq!(
        (plain.header("content-encoding"), plain.header("vary")),
        (None, Some("Accept-Encoding"))
    );
    assert!(plain.text.len() > 500_000, "{}", plain.text.len());
    for accepted in ["gzip", "br, gzip;q=0.5"] {
        let packed = ask(accepted).await;
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{accepted}");
        assert!(packed.bytes.len() * 10 < plain.text.len(), "{accepted}");
        let mut text = String::new();
        let mut bytes = packed.bytes.as_slice();
        flate2::read::GzDecoder::new(&mut bytes)
            .read_to_string(&mut text)
            .unwrap();
        assert!(text == plain.text, "{accepted}");
    }
}
