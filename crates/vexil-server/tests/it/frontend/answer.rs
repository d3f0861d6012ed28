//! What is answered, and to whom.

use super::*;

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
            ("access-control-expose-headers", "ETag,Retry-After"),
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
