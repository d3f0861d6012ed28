//! Which flags a token may see and a query asks for.

use super::*;

#[actix_web::test]
async fn a_token_sees_the_flags_of_its_projects() {
    let server = TestServer::new();
    put_flag(&server, "mine", |_| {});
    put_flag(&server, "theirs", |flag| flag.project = "other".into());
    for query in [
        "",
        "?project=other",
        "?project=default&project=other",
        "?environment=production",
    ] {
        assert_eq!(
            names(&server, &format!("{FEATURES}{query}")).await,
            ["mine"],
            "{query}"
        );
    }
    assert_eq!(get(&server, "/api/client/features/theirs", &[]).await.status, 404);
}

#[actix_web::test]
async fn a_token_for_all_projects_may_ask_for_some() {
    let server = TestServer::new();
    add_project(&server).await;
    put_flag(&server, "mine", |_| {});
    put_flag(&server, "theirs", |flag| flag.project = "other".into());
    let token = server.add_client_token("*:development.all");
    let ask = |query: &'static str| {
        let server = server.clone();
        let token = token.clone();
        async move {
            let body = server
                .call(&token, Method::GET, &format!("{FEATURES}{query}"), None)
                .await
                .ok();
            let names: Vec<String> = body["features"]
                .as_array()
                .unwrap()
                .iter()
                .map(|flag| flag["name"].as_str().unwrap().to_owned())
                .collect();
            (names.join(" "), body["query"]["project"].clone())
        }
    };
    assert_eq!(ask("").await, ("mine theirs".to_owned(), Value::Null));
    assert_eq!(
        ask("?project=other").await,
        ("theirs".to_owned(), json!(["other"]))
    );
    assert_eq!(ask("?project=other&project=default").await.0, "mine theirs");
    assert_eq!(ask("?project=nope").await.0, "");
}

async fn add_project(server: &TestServer) {
    let project = json!({ "id": "other", "name": "Other" });
    assert_eq!(server.post("/api/admin/projects", project).await.status, 201);
}

/// What clients write differently is kept once: they could write it in ever new ways.
#[actix_web::test]
async fn order_repetition_and_projects_that_do_not_exist_make_no_other_answer() {
    let server = TestServer::new();
    add_project(&server).await;
    let token = server.add_client_token("*:development.all");
    let mut tags = std::collections::BTreeSet::new();
    for query in [
        "?project=other&project=default",
        "?project=default&project=other",
        "?project=other&project=other&project=default",
        "?project[]=default&project=nope&project=other&project=x0",
    ] {
        let answer = server
            .call(&token, Method::GET, &format!("{FEATURES}{query}"), None)
            .await;
        tags.insert(answer.header("etag").unwrap().to_owned());
    }
    assert_eq!(tags.len(), 1, "{tags:?}");
    let nothing = ["?project=x0", "?project=x1", "?project=x1&project=x2"];
    let mut tags = std::collections::BTreeSet::new();
    for query in nothing {
        let answer = server
            .call(&token, Method::GET, &format!("{FEATURES}{query}"), None)
            .await;
        tags.insert(answer.header("etag").unwrap().to_owned());
        assert_eq!(answer.ok()["features"], json!([]));
    }
    assert_eq!(tags.len(), 1, "{tags:?}");
}

#[actix_web::test]
async fn a_name_prefix_selects_flags() {
    let server = TestServer::new();
    for name in ["a.one", "a.two", "b.one"] {
        put_flag(&server, name, |_| {});
    }
    assert_eq!(
        names(&server, "/api/client/features?namePrefix=a.").await,
        ["a.one", "a.two"]
    );
    let body = get(&server, "/api/client/features?namePrefix=a.", &[]).await.ok();
    assert_eq!(body["query"]["namePrefix"], "a.");
    for query in ["namePrefix=", "namePrefix=a&namePrefix=b"] {
        let answer = get(&server, &format!("{FEATURES}?{query}"), &[]).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}

#[actix_web::test]
async fn only_client_tokens_may_read_flags() {
    let server = TestServer::new();
    for path in [FEATURES, "/api/client/features/x"] {
        server
            .send(Method::GET, path, &[], "")
            .await
            .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        server
            .call("nope", Method::GET, path, None)
            .await
            .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        for token in [ADMIN, FRONTEND] {
            server
                .call(token, Method::GET, path, None)
                .await
                .refused(StatusCode::FORBIDDEN, "PermissionError");
        }
        for token in [format!("Bearer {CLIENT}"), format!(" {CLIENT} ")] {
            assert_ne!(server.call(&token, Method::GET, path, None).await.status, 401);
        }
    }
    server
        .call(CLIENT, Method::POST, FEATURES, None)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(
        server.call(CLIENT, Method::HEAD, FEATURES, None).await.status,
        200
    );
    assert_eq!(
        server
            .call(CLIENT, Method::GET, "/api/client/features/", None)
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn an_environment_that_is_gone_is_said_to_be_gone() {
    let server = TestServer::new();
    edit(&server, |tx| drop(tx.snapshot.environments.remove("development")));
    get(&server, FEATURES, &[])
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_proxy_learns_which_tokens_are_known() {
    let server = TestServer::new();
    let ask = |body: Value| {
        let server = server.clone();
        async move {
            server
                .send(
                    Method::POST,
                    "/edge/validate",
                    &[("content-type", "application/json")],
                    body.to_string(),
                )
                .await
        }
    };
    let upper = CLIENT.to_uppercase();
    let body = ask(json!({ "tokens": [CLIENT, FRONTEND, ADMIN, "nope", "", upper] }))
        .await
        .ok();
    assert_eq!(
        body,
        json!({ "tokens": [
            { "token": CLIENT, "type": "client", "projects": ["default"], "environment": "development" },
            { "token": FRONTEND, "type": "frontend", "projects": ["default"], "environment": "development" },
            { "token": ADMIN, "type": "admin", "projects": ["*"], "environment": "*" },
        ] })
    );
    assert_eq!(ask(json!({ "tokens": [] })).await.ok(), json!({ "tokens": [] }));
    for (wrong, path) in [
        (json!({}), "/body/tokens"),
        (json!({ "tokens": "x" }), "/body/tokens"),
        (json!({ "tokens": [{}] }), "/body/tokens/0"),
    ] {
        let refusal = ask(wrong).await.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(refusal["details"][0]["path"], path);
    }
}
