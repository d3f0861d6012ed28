//! `GET` and `POST /api/frontend`: what SDKs in browsers and apps read.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentName, FlagSettings, Operator, Payload, Variant, WeightType,
};

use crate::flags::{for_values, on, put_flag};
use crate::support::{ADMIN, Answer, CLIENT, FRONTEND, TestServer};

const FRONTEND_PATH: &str = "/api/frontend";

async fn get(server: &TestServer, query: &str) -> Answer {
    server
        .call(FRONTEND, Method::GET, &format!("{FRONTEND_PATH}{query}"), None)
        .await
}

async fn post(server: &TestServer, body: Value) -> Answer {
    server
        .call(FRONTEND, Method::POST, FRONTEND_PATH, Some(&body))
        .await
}

fn names(answer: &Answer) -> Vec<String> {
    let body = answer.ok();
    body["toggles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|toggle| toggle["name"].as_str().unwrap().to_owned())
        .collect()
}

async fn on_for(server: &TestServer, query: &str) -> Vec<String> {
    names(&get(server, query).await)
}

/// A server with a flag for one value of each of some fields.
fn server_with_flags_by_field(fields: &[(&str, &str)]) -> TestServer {
    let server = TestServer::new();
    for (field, value) in fields {
        put_flag(&server, field, |flag| on(flag, vec![for_values(field, &[value])]));
    }
    server
}

fn variant(name: &str, payload: Option<Payload>) -> Variant {
    Variant {
        name: name.to_owned(),
        weight: 1000,
        weight_type: WeightType::Variable,
        stickiness: None,
        payload,
        overrides: Vec::new(),
    }
}

#[actix_web::test]
async fn flags_that_are_on_are_listed_by_name_with_their_variants() {
    let server = TestServer::new();
    let strategy = || ActivationStrategy::new("s", "default");
    put_flag(&server, "b-plain", |flag| on(flag, vec![strategy()]));
    put_flag(&server, "a \"quoted\"", |flag| {
        flag.impression_data = true;
        let payload = Payload {
            kind: "json".to_owned(),
            value: "{\"a\":1}".to_owned(),
        };
        on(
            flag,
            vec![ActivationStrategy {
                variants: vec![variant("red", Some(payload))],
                ..strategy()
            }],
        );
    });
    put_flag(&server, "c-of-flag", |flag| {
        let settings = FlagSettings {
            enabled: true,
            strategies: vec![strategy()],
            variants: vec![variant("blue", None)],
        };
        flag.environments
            .insert(EnvironmentName::from("development"), Arc::new(settings));
    });
    put_flag(&server, "off", |_| {});
    put_flag(&server, "archived", |flag| {
        on(flag, vec![strategy()]);
        flag.archived_at = Some(crate::support::START);
    });
    let answer = get(&server, "").await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    assert_eq!(
        answer.ok(),
        json!({ "toggles": [
            {
                "name": "a \"quoted\"", "enabled": true, "impressionData": true,
                "variant": {
                    "name": "red", "enabled": true, "payload": { "type": "json", "value": "{\"a\":1}" },
                    "feature_enabled": true, "featureEnabled": true,
                },
            },
            {
                "name": "b-plain", "enabled": true, "impressionData": false,
                "variant": { "name": "disabled", "enabled": false, "feature_enabled": true, "featureEnabled": true },
            },
            {
                "name": "c-of-flag", "enabled": true, "impressionData": false,
                "variant": { "name": "blue", "enabled": true, "feature_enabled": true, "featureEnabled": true },
            },
        ] })
    );
    assert_eq!(post(&server, json!({ "context": {} })).await.text, answer.text);
}

#[actix_web::test]
async fn the_context_comes_from_the_query() {
    let fields = [
        ("userId", "7"),
        ("sessionId", "s"),
        ("remoteAddress", "10.1.2.3"),
        ("appName", "page"),
        ("crew", "7"),
        ("region", "eü"),
    ];
    let server = server_with_flags_by_field(&fields);
    assert_eq!(on_for(&server, "").await, Vec::<String>::new());
    for (query, name) in [
        ("?userId=7", "userId"),
        ("?sessionId=s", "sessionId"),
        ("?remoteAddress=10.1.2.3", "remoteAddress"),
        ("?appName=page", "appName"),
        ("?properties[crew]=7", "crew"),
        ("?properties%5Bcrew%5D=7", "crew"),
        ("?crew=7", "crew"),
        ("?properties%5Bregion%5D=e%C3%BC", "region"),
    ] {
        assert_eq!(on_for(&server, query).await, [name], "{query}");
    }
}

#[actix_web::test]
async fn odd_queries_are_answered_without_a_match() {
    let server = server_with_flags_by_field(&[("crew", "7"), ("userId", "a")]);
    for query in [
        "?properties=7",
        "?userId=a&userId=b",
        "?userId=b&userId=a",
        "?crew[]=7",
        "?properties[crew=7",
        "?properties[]=7",
        "?properties[crew][x]=7",
        "?crew=%zz",
        "?crew=%E0%A4%A",
        "?__proto__=7&constructor=8&toString=7",
        "?currentTime=garbage",
        "?=&&&=",
    ] {
        assert_eq!(on_for(&server, query).await, Vec::<String>::new(), "{query}");
    }
}

#[actix_web::test]
async fn the_context_comes_from_the_body() {
    let server = server_with_flags_by_field(&[("crew", "7"), ("userId", "a")]);
    for context in [
        json!({ "properties": { "crew": 7 } }),
        json!({ "properties": { "crew": "7" } }),
        json!({ "crew": 7 }),
        json!({ "crew": "8", "properties": { "crew": "7" } }),
    ] {
        assert_eq!(
            names(&post(&server, json!({ "context": context })).await),
            ["crew"],
            "{context}"
        );
    }
    for context in [
        json!({ "userId": "a", "properties": { "userId": "b" } }),
        json!({ "properties": { "userId": "b" }, "userId": "a" }),
        json!({ "properties": { "userId": "a" } }),
    ] {
        assert_eq!(
            names(&post(&server, json!({ "context": context })).await),
            ["userId"],
            "{context}"
        );
    }
    for body in [
        json!({}),
        json!({ "crew": 7 }),
        json!({ "context": { "crew": ["7"], "userId": null } }),
    ] {
        assert_eq!(
            names(&post(&server, body.clone()).await),
            Vec::<String>::new(),
            "{body}"
        );
    }
}

#[actix_web::test]
async fn a_body_that_is_malformed_is_refused_with_every_place() {
    let server = TestServer::new();
    let cases = [
        (json!([]), vec!["/body"]),
        (json!({ "context": "x" }), vec!["/body/context"]),
        (json!({ "context": null }), vec!["/body/context"]),
        (
            json!({ "context": { "properties": null } }),
            vec!["/body/context/properties"],
        ),
        (
            json!({ "context": { "userId": {}, "currentTime": "soon", "properties": { "a": [] } } }),
            vec![
                "/body/context/properties/a",
                "/body/context/userId",
                "/body/context/currentTime",
            ],
        ),
    ];
    for (body, paths) in cases {
        let answer = post(&server, body).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        let found: Vec<&str> = refusal["details"]
            .as_array()
            .unwrap()
            .iter()
            .map(|detail| detail["path"].as_str().unwrap())
            .collect();
        assert_eq!(found, paths);
    }
    let untyped = server
        .send(Method::POST, FRONTEND_PATH, &[("authorization", FRONTEND)], "{}")
        .await;
    untyped.refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentTypeError");
}

#[actix_web::test]
async fn the_environment_is_that_of_the_token() {
    let server = server_with_flags_by_field(&[("environment", "development")]);
    for query in [
        "",
        "?environment=production",
        "?properties[environment]=production",
    ] {
        assert_eq!(on_for(&server, query).await, ["environment"], "{query}");
    }
}

#[actix_web::test]
async fn the_address_comes_from_the_connection_unless_it_is_said() {
    let server = server_with_flags_by_field(&[("remoteAddress", "9.9.9.9")]);
    let ask = |query: &'static str, forwarded: &'static str| {
        let server = server.clone();
        async move {
            let headers = [("authorization", FRONTEND), ("x-forwarded-for", forwarded)];
            names(
                &server
                    .send(Method::GET, &format!("{FRONTEND_PATH}{query}"), &headers, "")
                    .await,
            )
        }
    };
    assert_eq!(ask("", "9.9.9.9").await, ["remoteAddress"]);
    assert_eq!(ask("", " 9.9.9.9 , 10.0.0.1").await, ["remoteAddress"]);
    assert_eq!(ask("", "::ffff:9.9.9.9").await, ["remoteAddress"]);
    assert_eq!(ask("", "10.0.0.1, 9.9.9.9").await, Vec::<String>::new());
    assert_eq!(ask("", "unknown").await, Vec::<String>::new());
    assert_eq!(ask("?remoteAddress=9.9.9.9", "10.0.0.1").await, ["remoteAddress"]);
    assert_eq!(
        ask("?remoteAddress=10.0.0.1", "9.9.9.9").await,
        Vec::<String>::new()
    );
}

#[actix_web::test]
async fn who_names_no_application_is_the_frontend_api() {
    let server = server_with_flags_by_field(&[("appName", "frontend-api")]);
    assert_eq!(on_for(&server, "").await, ["appName"]);
    assert_eq!(on_for(&server, "?appName=x").await, Vec::<String>::new());
}

#[actix_web::test]
async fn who_has_no_session_gets_one_by_chance_each_time() {
    let server = TestServer::new();
    put_flag(&server, "half", |flag| {
        let half = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", "50")
            .with_parameter("stickiness", "sessionId")
            .with_parameter("groupId", "half");
        on(flag, vec![half]);
    });
    let mut lucky = 0;
    for _ in 0..64 {
        lucky += on_for(&server, "").await.len();
    }
    assert!((1..64).contains(&lucky), "{lucky}");
    let first = on_for(&server, "?sessionId=mine").await;
    for _ in 0..8 {
        assert_eq!(on_for(&server, "?sessionId=mine").await, first);
    }
}

#[actix_web::test]
async fn the_time_is_the_servers_unless_it_is_said() {
    let server = TestServer::new();
    put_flag(&server, "later", |flag| {
        let mut constraint = Constraint::new("currentTime", Operator::DateAfter);
        constraint.value = Some("2026-12-01T00:00:00Z".to_owned());
        on(
            flag,
            vec![ActivationStrategy::new("s", "default").with_constraint(constraint)],
        );
    });
    assert_eq!(on_for(&server, "").await, Vec::<String>::new());
    assert_eq!(
        on_for(&server, "?currentTime=2026-12-02T00:00:00Z").await,
        ["later"]
    );
    server.set_time(time::macros::datetime!(2026-12-02 00:00 UTC));
    assert_eq!(on_for(&server, "").await, ["later"]);
}

#[actix_web::test]
async fn a_token_sees_the_flags_of_its_projects() {
    let server = TestServer::new();
    put_flag(&server, "mine", |flag| on(flag, Vec::new()));
    put_flag(&server, "theirs", |flag| {
        flag.project = "other".into();
        on(flag, Vec::new());
    });
    assert_eq!(on_for(&server, "").await, ["mine"]);
}

#[actix_web::test]
async fn a_page_that_has_the_current_answer_is_told_so() {
    let server = server_with_flags_by_field(&[("userId", "a")]);
    let ask = |query: &'static str, known: String| {
        let server = server.clone();
        async move {
            let headers = [("authorization", FRONTEND), ("if-none-match", known.as_str())];
            server
                .send(Method::GET, &format!("{FRONTEND_PATH}{query}"), &headers, "")
                .await
        }
    };
    let first = get(&server, "?userId=a").await;
    let tag = first.header("etag").unwrap().to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    let again = ask("?userId=a", tag.clone()).await;
    assert_eq!(
        (again.status, again.text.as_str(), again.header("etag")),
        (304, "", Some(tag.as_str()))
    );
    assert_eq!(again.header("access-control-allow-origin"), Some("*"));
    assert_eq!(ask("?userId=b", tag).await.status, 200);
}

#[actix_web::test]
async fn pages_of_any_origin_may_ask() {
    let server = TestServer::new();
    for path in [
        FRONTEND_PATH,
        "/api/frontend/client/metrics",
        "/api/frontend/client/register",
    ] {
        let headers = [
            ("origin", "https://shop.example"),
            ("access-control-request-headers", "authorization,x-own"),
        ];
        let preflight = server.send(Method::OPTIONS, path, &headers, "").await;
        assert_eq!((preflight.status, preflight.text.as_str()), (204, ""), "{path}");
        for (name, value) in [
            ("access-control-allow-origin", "*"),
            ("access-control-allow-methods", "GET,HEAD,PUT,PATCH,POST,DELETE"),
            ("access-control-allow-headers", "authorization,x-own"),
            ("access-control-max-age", "86400"),
            ("access-control-expose-headers", "ETag"),
        ] {
            assert_eq!(preflight.header(name), Some(value), "{path}");
        }
        let refused = server.send(Method::POST, path, &[], "").await;
        assert_eq!(
            (refused.status, refused.header("access-control-allow-origin")),
            (401, Some("*")),
            "{path}"
        );
    }
    let answer = get(&server, "").await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[actix_web::test]
async fn only_frontend_tokens_may_ask() {
    let server = TestServer::new();
    for (method, body) in [(Method::GET, ""), (Method::POST, "{}")] {
        let ask = |token: Option<&'static str>| {
            let server = server.clone();
            let method = method.clone();
            async move {
                let mut headers = vec![("content-type", "application/json")];
                headers.extend(token.map(|token| ("authorization", token)));
                server.send(method, FRONTEND_PATH, &headers, body).await
            }
        };
        assert_eq!(ask(Some(FRONTEND)).await.status, 200);
        ask(None)
            .await
            .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        ask(Some("nope"))
            .await
            .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        ask(Some(CLIENT))
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
        ask(Some(ADMIN))
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
    }
    for method in [Method::PUT, Method::DELETE, Method::PATCH] {
        let answer = server.call(FRONTEND, method, FRONTEND_PATH, None).await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    assert_eq!(
        server
            .call(FRONTEND, Method::HEAD, FRONTEND_PATH, None)
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn a_registration_is_checked_and_answered_ok() {
    let server = TestServer::new();
    let path = "/api/frontend/client/register";
    let body = json!({ "appName": "page", "strategies": [], "started": 1, "interval": 1 });
    let answer = server.call(FRONTEND, Method::POST, path, Some(&body)).await;
    assert_eq!((answer.status, answer.text.as_str()), (200, "OK"));
    let refusal = server
        .call(FRONTEND, Method::POST, path, Some(&json!({ "appName": "page" })))
        .await;
    refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(
        server.get("/api/admin/metrics/applications").await.ok()["total"],
        0
    );
}
