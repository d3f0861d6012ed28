//! OFREP: what OpenFeature asks.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use vexil_domain::{ActivationStrategy, Payload, Variant, WeightType};

use crate::client::streaming::open;
use crate::flags::{edit, for_values, on, put_flag, put_segment};
use crate::support::{Answer, CLIENT, FRONTEND, PRODUCTION_CLIENT, TestServer};

const FLAGS: &str = "/ofrep/v1/evaluate/flags";

async fn ask(server: &TestServer, token: &str, path: &str, context: Value) -> Answer {
    let body = json!({ "context": context });
    server.call(token, Method::POST, path, Some(&body)).await
}

fn rollout(share: &str, stickiness: &str) -> ActivationStrategy {
    let mut strategy = ActivationStrategy::new(format!("{share}-{stickiness}"), "flexibleRollout");
    for (name, value) in [("rollout", share), ("stickiness", stickiness), ("groupId", "g")] {
        strategy.parameters.insert(name.to_owned(), value.to_owned());
    }
    strategy
}

fn variant(name: &str, weight: u32, payload: Option<(&str, &str)>) -> Variant {
    Variant {
        name: name.to_owned(),
        weight,
        weight_type: WeightType::Fix,
        stickiness: None,
        payload: payload.map(|(kind, value)| Payload {
            kind: kind.to_owned(),
            value: value.to_owned(),
        }),
        overrides: Vec::new(),
    }
}

/// A server with a flag for each reason.
fn server() -> TestServer {
    let server = TestServer::new();
    let all = || ActivationStrategy::new("all", "default");
    put_flag(&server, "disabled", |_| {});
    put_flag(&server, "static", |flag| {
        on(flag, vec![rollout("100", "default")])
    });
    put_flag(&server, "nobody", |flag| on(flag, vec![rollout("0", "default")]));
    put_flag(&server, "targeted", |flag| {
        on(flag, vec![for_values("plan", &["pro"])])
    });
    put_flag(&server, "half", |flag| on(flag, vec![rollout("50", "userId")]));
    put_flag(&server, "one-variant", |flag| {
        let mut strategy = all();
        strategy.variants = vec![variant("red", 1000, Some(("json", "{\"a\":1}")))];
        on(flag, vec![strategy]);
    });
    put_flag(&server, "two-variants", |flag| {
        let mut strategy = all();
        strategy.variants = vec![
            variant("a", 500, Some(("number", "1"))),
            variant("b", 500, Some(("number", "1"))),
        ];
        on(flag, vec![strategy]);
    });
    put_segment(&server, 1, "userId", &["u"]);
    put_flag(&server, "segment", |flag| {
        let mut strategy = all();
        strategy.segments = vec![vexil_domain::SegmentId(1)];
        on(flag, vec![strategy]);
    });
    server
}

#[actix_web::test]
async fn each_flag_is_told_with_its_value_and_its_reason() {
    let server = server();
    for token in [CLIENT, FRONTEND] {
        let context = json!({ "targetingKey": "u", "plan": "pro" });
        let answer = ask(&server, token, FLAGS, context.clone()).await.ok();
        let flags = answer["flags"].as_array().unwrap();
        let of = |key: &str| flags.iter().find(|flag| flag["key"] == key).unwrap();
        for (key, value, reason) in [
            ("disabled", json!(false), "DISABLED"),
            ("static", json!(true), "STATIC"),
            ("nobody", json!(false), "STATIC"),
            ("targeted", json!(true), "TARGETING_MATCH"),
            ("segment", json!(true), "TARGETING_MATCH"),
            ("one-variant", json!({ "a": 1 }), "STATIC"),
            ("two-variants", json!(1), "SPLIT"),
        ] {
            assert_eq!(
                (&of(key)["value"], of(key)["reason"].as_str()),
                (&value, Some(reason)),
                "{key}"
            );
            // one flag is told as it is among all
            let one = ask(&server, token, &format!("{FLAGS}/{key}"), context.clone())
                .await
                .ok();
            assert_eq!(&one, of(key));
        }
        assert_eq!(of("half")["reason"], "SPLIT");
        assert_eq!(of("one-variant")["variant"], "red");
        assert_eq!(flags.len(), 8);
    }
    let other = ask(
        &server,
        CLIENT,
        &format!("{FLAGS}/targeted"),
        json!({ "targetingKey": "u" }),
    )
    .await
    .ok();
    assert_eq!(
        other,
        json!({ "key": "targeted", "value": false, "reason": "TARGETING_MATCH", "variant": "off" })
    );
}

#[actix_web::test]
async fn what_is_wrong_is_told_as_ofrep_does_and_as_all_errors() {
    let server = server();
    let one = |key: &str| format!("{FLAGS}/{key}");
    let refused = |answer: &Answer, status: StatusCode, name: &str, code: &str, key: Option<&str>| {
        let body = answer.refused(status, name);
        assert_eq!(
            (body["errorCode"].as_str(), body["key"].as_str()),
            (Some(code), key),
            "{body}"
        );
        assert!(
            body["errorDetails"].as_str().is_some_and(|it| !it.is_empty()),
            "{body}"
        );
    };
    let bad = StatusCode::BAD_REQUEST;
    let missing = ask(&server, CLIENT, &one("nope"), json!({})).await;
    refused(
        &missing,
        StatusCode::NOT_FOUND,
        "NotFoundError",
        "FLAG_NOT_FOUND",
        Some("nope"),
    );
    let user = ask(&server, CLIENT, &one("segment"), json!({})).await;
    refused(
        &user,
        bad,
        "BadDataError",
        "TARGETING_KEY_MISSING",
        Some("segment"),
    );
    let wrong = ask(&server, CLIENT, FLAGS, json!({ "targetingKey": 7 })).await;
    refused(&wrong, bad, "BadDataError", "INVALID_CONTEXT", None);
    let headers = [("authorization", CLIENT), ("content-type", "application/json")];
    let broken = server.send(Method::POST, &one("static"), &headers, "{").await;
    refused(&broken, bad, "BadDataError", "PARSE_ERROR", Some("static"));
    // among all, the others are told
    let flags = ask(&server, CLIENT, FLAGS, json!({})).await.ok();
    let codes = flags["flags"].as_array().unwrap().iter();
    let failed: Vec<&str> = codes
        .filter(|flag| flag["errorCode"] == "TARGETING_KEY_MISSING")
        .map(|flag| flag["key"].as_str().unwrap())
        .collect();
    assert_eq!(failed, ["half", "segment"]);
    // a flag of another project is none
    put_flag(&server, "theirs", |flag| flag.project = "other".into());
    assert_eq!(ask(&server, CLIENT, &one("theirs"), json!({})).await.status, 404);
}

#[actix_web::test]
async fn whoever_must_be_named_is_told_so_whatever_the_share() {
    let server = TestServer::new();
    for (share, stickiness, missing) in [
        ("0", "userId", false),
        ("1", "userId", true),
        ("99.5", "userId", true),
        ("100", "userId", true),
        ("100", "default", false),
        ("100", "sessionId", false),
    ] {
        put_flag(&server, "flag", |flag| on(flag, vec![rollout(share, stickiness)]));
        let answer = ask(&server, CLIENT, &format!("{FLAGS}/flag"), json!({})).await;
        let body: Value = serde_json::from_str(&answer.text).unwrap();
        let is_missing = body["errorCode"] == "TARGETING_KEY_MISSING";
        assert_eq!(is_missing, missing, "{share} {stickiness}: {body}");
    }
}

#[actix_web::test]
async fn an_answer_that_is_known_is_not_sent_again() {
    let server = server();
    let tag = ask(&server, CLIENT, FLAGS, json!({ "targetingKey": "u" })).await;
    let tag = tag.header("etag").unwrap().to_owned();
    let headers = [
        ("authorization", CLIENT),
        ("content-type", "application/json"),
        ("if-none-match", &tag),
    ];
    let body = json!({ "context": { "targetingKey": "u" } }).to_string();
    assert_eq!(
        server
            .send(Method::POST, FLAGS, &headers, body.clone())
            .await
            .status,
        304
    );
    put_flag(&server, "static", |_| {});
    assert_eq!(server.send(Method::POST, FLAGS, &headers, body).await.status, 200);
}

#[actix_web::test]
async fn a_token_may_be_sent_as_openfeature_sends_it() {
    let server = server();
    for headers in [
        ("authorization", format!("Bearer {CLIENT}")),
        ("authorization", CLIENT.to_owned()),
        ("x-api-key", CLIENT.to_owned()),
    ] {
        let headers = [
            (headers.0, headers.1.as_str()),
            ("content-type", "application/json; charset=utf-8"),
        ];
        assert_eq!(
            server.send(Method::POST, FLAGS, &headers, "{}").await.status,
            200,
            "{headers:?}"
        );
    }
    let preflight = [
        ("origin", "https://x"),
        ("access-control-request-headers", "x-api-key"),
    ];
    let answer = server.send(Method::OPTIONS, FLAGS, &preflight, "").await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("x-api-key"));
}

#[actix_web::test]
async fn who_listens_is_told_to_ask_again_and_nothing_else() {
    let server = server();
    let stream_of = async |token: &str| {
        let answer = ask(&server, token, FLAGS, json!({})).await.ok();
        let stream = &answer["eventStreams"][0];
        assert_eq!(
            (&stream["type"], &stream["inactivityDelaySec"]),
            (&json!("sse"), &json!(120))
        );
        stream["endpoint"]["requestUri"].as_str().unwrap().to_owned()
    };
    let path = stream_of(FRONTEND).await;
    assert_ne!(path, stream_of(CLIENT).await);
    assert!(!path.contains("test-frontend"));
    let mut page = open(&server, &path, &[]).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.next().await.unwrap(), ":\n\n");
    let mut elsewhere = open(&server, &stream_of(PRODUCTION_CLIENT).await, &[]).await;
    elsewhere.next().await;
    put_flag(&server, "static", |flag| {
        on(flag, vec![for_values("plan", &["free"])])
    });
    let (id, name, data) = page.event().await;
    assert_eq!(
        (name.as_str(), &data["type"]),
        ("message", &json!("refetchEvaluation"))
    );
    assert_eq!(data["etag"], json!(format!("\"{id}\"")));
    // who was away is told at once
    let mut back = open(&server, &path, &[("last-event-id", "1")]).await;
    assert_eq!(back.event().await.0, id);
    edit(&server, |tx| drop(tx.snapshot.flags.remove("disabled")));
    assert_eq!(elsewhere.event().await.1, "message");
    for wrong in ["x", "1-00", &path[18..path.len() - 1]] {
        assert_eq!(
            open(&server, &format!("/ofrep/v1/events/{wrong}"), &[])
                .await
                .status,
            404,
            "{wrong}"
        );
    }
}
