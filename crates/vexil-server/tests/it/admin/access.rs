//! Who may use the administration API, and what every route that reads a body refuses.

use actix_web::http::{Method, StatusCode};
use vexil_server::all_routes;

use crate::support::{ADMIN, CLIENT, FRONTEND, TestServer};

/// Every route of the administration API, with something in place of its parameters.
fn admin_routes() -> Vec<(Method, String)> {
    let filled = |path: &str| {
        let segments = path
            .split('/')
            .map(|segment| if segment.starts_with('{') { "7" } else { segment });
        segments.collect::<Vec<_>>().join("/")
    };
    let routes = all_routes()
        .into_iter()
        .filter(|route| route.path.starts_with("/api/admin"));
    routes
        .map(|route| (route.method.clone(), filled(route.path)))
        .collect()
}

/// The ends of paths whose POST or PUT reads no body.
const WITHOUT_BODY: [&str; 8] = [
    "/on",
    "/off",
    "/deprecate",
    "/reactivate",
    "/archive/revive/7",
    "/favorites",
    "/uncomplete",
    "/splash/7",
];

fn reads_a_body(method: &Method, path: &str) -> bool {
    let may = matches!(*method, Method::POST | Method::PUT | Method::PATCH);
    let bulk = path.contains("/bulk_features/");
    may && (bulk || !WITHOUT_BODY.iter().any(|end| path.ends_with(end)))
}

#[actix_web::test]
async fn every_route_demands_an_admin_token() {
    let server = TestServer::new();
    assert!(admin_routes().len() > 70);
    for (method, path) in admin_routes() {
        let json = [("content-type", "application/json")];
        let answer = server.send(method.clone(), &path, &json, "{}").await;
        let why = format!("{method} {path}: {}", answer.text);
        assert_eq!(
            (answer.status, answer.json()["name"].as_str()),
            (401, Some("AuthenticationRequired")),
            "{why}"
        );
        for (token, status) in [("*:*.unknown", 401), (CLIENT, 403), (FRONTEND, 403)] {
            let answer = server.call(token, method.clone(), &path, None).await;
            assert_eq!(
                answer.status, status,
                "{method} {path} with {token}: {}",
                answer.text
            );
        }
    }
}

#[actix_web::test]
async fn a_body_that_is_no_json_is_refused_everywhere() {
    let server = TestServer::new();
    for (method, path) in admin_routes()
        .into_iter()
        .filter(|(method, path)| reads_a_body(method, path))
    {
        let headers = [("authorization", ADMIN), ("content-type", "application/json")];
        for body in ["{", "[1,", "nonsense"] {
            let answer = server.send(method.clone(), &path, &headers, body).await;
            assert_eq!(answer.status, 400, "{method} {path} with {body}: {}", answer.text);
            answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        }
        let headers = [("authorization", ADMIN), ("content-type", "text/plain")];
        let answer = server.send(method.clone(), &path, &headers, "{}").await;
        assert_eq!(answer.status, 415, "{method} {path}: {}", answer.text);
    }
}

#[actix_web::test]
async fn a_member_that_stands_twice_is_refused_everywhere_with_its_place() {
    let server = TestServer::new();
    let headers = [("authorization", ADMIN), ("content-type", "application/json")];
    for (method, path) in admin_routes()
        .into_iter()
        .filter(|(method, path)| reads_a_body(method, path))
    {
        for (body, place) in [
            (r#"{"name":"a","\u006eame":"b"}"#, "/body/name"),
            (r#"[{"a/b":[0,{"c":1,"c":1}]}]"#, "/body/0/a~1b/1/c"),
        ] {
            let answer = server.send(method.clone(), &path, &headers, body).await;
            let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
            let detail = &refusal["details"][0];
            assert_eq!(detail["path"], place, "{method} {path}: {refusal}");
            let message = detail["message"].as_str().unwrap();
            assert!(
                message.contains("stands more than once"),
                "{method} {path}: {refusal}"
            );
        }
    }
}

#[actix_web::test]
async fn a_body_of_the_wrong_type_is_refused_everywhere_with_its_place() {
    let server = TestServer::new();
    for (method, path) in admin_routes()
        .into_iter()
        .filter(|(method, path)| reads_a_body(method, path))
    {
        let answer = server
            .call(ADMIN, method.clone(), &path, Some(&serde_json::json!(5)))
            .await;
        let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(
            refusal["details"][0]["path"], "/body",
            "{method} {path}: {refusal}"
        );
    }
}

#[actix_web::test]
async fn a_bearer_prefix_and_spaces_around_the_token_do_not_matter() {
    let server = TestServer::new();
    for token in [
        format!("Bearer {ADMIN}"),
        format!("bearer  {ADMIN} "),
        format!("  {ADMIN}"),
    ] {
        assert_eq!(
            server
                .call(&token, Method::GET, "/api/admin/projects", None)
                .await
                .status,
            200,
            "{token}"
        );
    }
    let shouted = ADMIN.to_uppercase();
    assert_eq!(
        server
            .call(&shouted, Method::GET, "/api/admin/projects", None)
            .await
            .status,
        401
    );
}
