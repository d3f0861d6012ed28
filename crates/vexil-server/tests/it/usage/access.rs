//! Who may read usage, and in which ways.

use actix_web::http::{Method, StatusCode};

use super::server_with_a_flag;
use crate::support::{ADMIN, CLIENT, FRONTEND};

const PATHS: [&str; 3] = [
    "/api/admin/client-metrics/features/checkout",
    "/api/admin/client-metrics/features/checkout/raw",
    "/api/admin/metrics/unknown-flags",
];

#[actix_web::test]
async fn usage_is_for_admin_tokens_in_every_form_they_are_sent() {
    let server = server_with_a_flag();
    for path in PATHS {
        for token in [
            ADMIN.to_owned(),
            format!("Bearer {ADMIN}"),
            format!("  bearer   {ADMIN} "),
        ] {
            let answer = server.call(&token, Method::GET, path, None).await;
            assert_eq!(answer.status, 200, "{path} {token}");
            assert_eq!(answer.header("content-type"), Some("application/json"));
        }
    }
}

#[actix_web::test]
async fn no_token_an_unknown_one_and_the_wrong_kinds_are_refused() {
    let server = server_with_a_flag();
    for path in PATHS {
        let none = server.send(Method::GET, path, &[], "").await;
        none.refused(StatusCode::UNAUTHORIZED, "AuthenticationRequired");
        for token in ["*:*.unknown", "nonsense", &ADMIN.to_uppercase()] {
            let answer = server.call(token, Method::GET, path, None).await;
            answer.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        }
        for token in [CLIENT, FRONTEND] {
            let answer = server.call(token, Method::GET, path, None).await;
            answer.refused(StatusCode::FORBIDDEN, "PermissionError");
        }
    }
}

#[actix_web::test]
async fn other_methods_find_nothing_and_head_is_get_without_a_body() {
    let server = server_with_a_flag();
    for path in PATHS {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = server.call(ADMIN, method.clone(), path, None).await;
            let body = answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
            let expected = format!("The path you were looking for ({path}) is not available.");
            assert_eq!(body["message"], expected, "{method}");
        }
        assert_eq!(
            server.call(ADMIN, Method::HEAD, path, None).await.status,
            200,
            "{path}"
        );
    }
}

#[actix_web::test]
async fn an_answer_that_the_reader_has_is_not_sent_again() {
    let server = server_with_a_flag();
    let path = PATHS[0];
    let first = server.get(path).await;
    let tag = first.header("etag").unwrap().to_owned();
    let again = |known: String| {
        let server = server.clone();
        async move {
            server
                .send(
                    Method::GET,
                    path,
                    &[("authorization", ADMIN), ("if-none-match", &known)],
                    "",
                )
                .await
        }
    };
    let known = again(tag.clone()).await;
    assert_eq!(
        (known.status, known.text.as_str(), known.header("etag")),
        (304, "", Some(tag.as_str()))
    );
    assert_eq!(again("W/\"other\"".to_owned()).await.status, 200);
    super::report(
        &server,
        "shop",
        crate::support::START,
        serde_json::json!({ "checkout": { "yes": 1 } }),
    )
    .await;
    assert_eq!(again(tag).await.status, 200);
}
