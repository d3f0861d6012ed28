//! What `OPTIONS` answers: of front ends to browsers, of everything else what can be asked.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::{Method, StatusCode};
use vexil_server::all_routes;

use crate::support::{ADMIN, TestServer, ask};

/// A path that fits a pattern.
fn filled(pattern: &str) -> String {
    let mut path = String::new();
    for (index, piece) in pattern.split(['{', '}']).enumerate() {
        path.push_str(if index % 2 == 0 { piece } else { "1" });
    }
    path
}

#[actix_web::test]
async fn every_path_tells_its_methods_to_anybody_and_no_page_of_another_origin_may_ask() {
    let mut methods = BTreeMap::<&str, BTreeSet<String>>::new();
    for route in all_routes() {
        let of_path = methods.entry(route.path).or_default();
        of_path.insert(route.method.to_string());
        if route.method == Method::GET {
            of_path.insert("HEAD".to_owned());
        }
    }
    let server = TestServer::new();
    let service = server.service().await;
    let mut told = 0;
    for (pattern, methods) in &mut methods {
        // of front ends, routes say what browsers ask
        if methods.contains("OPTIONS") {
            continue;
        }
        methods.insert("OPTIONS".to_owned());
        for token in ["", "nobody", ADMIN] {
            let headers = [
                ("authorization", token),
                ("origin", "https://shop.example.com"),
                ("access-control-request-method", "GET"),
                ("access-control-request-headers", "authorization"),
                ("x-request-id", "7"),
            ];
            let answer = ask(&service, Method::OPTIONS, &filled(pattern), &headers, Vec::new()).await;
            assert_eq!(answer.status, 204, "{pattern}: {}", answer.text);
            let allowed = answer.header("allow").unwrap().split(", ").map(str::to_owned);
            assert_eq!(allowed.collect::<BTreeSet<_>>(), *methods, "{pattern}");
            assert_eq!(answer.header("x-request-id"), Some("7"));
            let names = answer.headers.iter().map(|(name, _)| name.as_str());
            assert_eq!(
                names.filter(|name| name.starts_with("access-control-")).count(),
                0,
                "{pattern}"
            );
        }
        told += 1;
    }
    assert!(told > 100, "{told}");
}

#[actix_web::test]
async fn what_leads_nowhere_has_no_methods() {
    let server = TestServer::new();
    for path in [
        "/nowhere",
        "/api/admin/nowhere",
        "/api/admin/projects/default/nowhere",
        "/edge",
    ] {
        let answer = server.send(Method::OPTIONS, path, &[], "").await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
        assert_eq!(answer.header("allow"), None);
    }
}
