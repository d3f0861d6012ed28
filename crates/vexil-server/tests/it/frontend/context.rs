//! Where the context comes from.

use super::*;

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
        let found = places(&refusal);
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

/// Every way to write the time in a context is read alike, in the query and in the body.
#[actix_web::test]
async fn the_time_of_a_context_is_read_alike_wherever_it_stands() {
    let server = TestServer::new();
    put_flag(&server, "later", |flag| {
        let mut constraint = Constraint::new("currentTime", Operator::DateAfter);
        constraint.value = Some("2026-12-01T00:00:00Z".to_owned());
        on(
            flag,
            vec![ActivationStrategy::new("s", "default").with_constraint(constraint)],
        );
    });
    for (time, is_later) in [
        ("2026-12-01T00:00:01Z", true),
        ("2026-12-01T00:00:01", true),
        ("2026-12-01 00:00:01", true),
        ("2026-12-01T00:01Z", true),
        ("2026-12-02", true),
        ("2026-12-01", false),
        ("2026-12-01T01:00:00+02:00", false),
        ("2026-11-30T23:00:00-02:00", true),
    ] {
        let expected: &[&str] = if is_later { &["later"] } else { &[] };
        let query = format!("?currentTime={}", time.replace('+', "%2B").replace(' ', "%20"));
        assert_eq!(on_for(&server, &query).await, expected, "{time}");
        let body = json!({ "context": { "currentTime": time } });
        for path in [FRONTEND_PATH, "/api/proxy"] {
            let answer = server.call(FRONTEND, Method::POST, path, Some(&body)).await.ok();
            let toggles = answer["toggles"].as_array().unwrap().iter();
            let names: Vec<_> = toggles.map(|toggle| toggle["name"].as_str().unwrap()).collect();
            assert_eq!(names, expected, "{time}");
        }
    }
}
