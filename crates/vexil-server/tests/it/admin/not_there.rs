//! The operations of Unleash that are not here, as the page on compatibility lists them.

use std::collections::BTreeSet;

use actix_web::http::{Method, StatusCode};

use crate::support::{ADMIN, CLIENT, ask};

const PAGE: &str = include_str!("../../../../../docs/COMPATIBILITY.md");
const TEST: &str = "what_the_page_says_is_not_there_is_404_in_the_shape_of_all_errors";

/// Every operation of Unleash 8.2's own document (211 of them) that no route here has, and those of its paid
/// editions that people ask for.
const ABSENT: &[&str] = &[
    "DELETE addons/{id}",
    "GET addons",
    "GET addons/{id}",
    "GET addons/{id}/events",
    "GET auth/saml/settings",
    "GET login-history",
    "GET metrics/traffic/{period}",
    "GET projects/{project}/actions",
    "GET release-plan-templates",
    "GET service-account",
    "GET signal-endpoints",
    "POST addons",
    "POST auth/saml/settings",
    "POST release-plan-templates",
    "POST service-account",
    "PUT addons/{id}",
];

/// What the rows of the page name in their second column.
fn on_the_page() -> BTreeSet<&'static str> {
    let (_, section) = PAGE.split_once("## Not there").unwrap();
    let rows = section.lines().filter(|line| line.contains(TEST));
    let columns = rows.map(|row| row.split('|').nth(2).unwrap());
    columns
        .flat_map(|column| column.split('`').skip(1).step_by(2))
        .collect()
}

/// The path of an operation, with names for its gaps.
fn path_of(operation: &str) -> (Method, String) {
    let (method, path) = operation.split_once(' ').unwrap();
    let path = path.replace("{project}", "default").replace("{name}", "checkout");
    let path = path
        .replace("{environment}", "development")
        .replace('{', "some-")
        .replace('}', "");
    let path = if path.starts_with('/') {
        path
    } else {
        format!("/api/admin/{path}")
    };
    (method.parse().unwrap(), path)
}

#[actix_web::test]
async fn what_the_page_says_is_not_there_is_404_in_the_shape_of_all_errors() {
    let absent: BTreeSet<&str> = ABSENT.iter().copied().collect();
    assert_eq!(on_the_page(), absent, "the page and this list differ");
    let server = super::server_with("checkout").await;
    let service = server.service().await;
    for operation in ABSENT {
        let (method, path) = path_of(operation);
        let sent = if method == Method::GET {
            ""
        } else {
            r#"{"name":"x"}"#
        };
        // nor do the token and the body matter
        for (token, kind, body) in [
            (ADMIN, "application/json", sent),
            (CLIENT, "application/json", sent),
            ("nobody", "application/json", sent),
            ("", "application/json", sent),
            (ADMIN, "text/plain", "{"),
        ] {
            let headers = [("authorization", token), ("content-type", kind)];
            let answer = ask(&service, method.clone(), &path, &headers, body.into()).await;
            assert_eq!(answer.header("content-type"), Some("application/json"));
            let refusal = answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
            let message = refusal["message"].as_str().unwrap();
            assert!(
                message.starts_with("The path you were looking for ("),
                "{operation}: {message}"
            );
        }
    }
}
