//! What stands in the query of the administration API: known and obeyed, or refused.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use vexil_server::{Route, all_routes};
use vexil_service::permission::Access;

use super::{FEATURES, server_with};
use crate::support::{ADMIN, Answer, TestServer};

/// The routes of the administration API.
fn administration() -> Vec<Route> {
    let routes = all_routes().into_iter();
    let own = routes.filter(|route| matches!(route.access, Access::SignedIn | Access::Holds(_)));
    // the operations of the documented interface have no query that narrows anything
    own.filter(|route| !route.queries.contains(&"*")).collect()
}

/// Asks a route with a query, where nothing that its path names is there.
async fn ask(server: &TestServer, route: &Route, query: &str) -> Answer {
    let path = route
        .path
        .replace("{id}", "99999")
        .replace('{', "no-")
        .replace('}', "");
    let body = json!({});
    let sent = (route.method != Method::GET).then_some(&body);
    let method = route.method.clone();
    server.call(ADMIN, method, &format!("{path}?{query}"), sent).await
}

/// Whether an answer says that it does not know a parameter.
fn knows_not(answer: &Answer, name: &str) -> bool {
    let path = Value::from(format!("/query/{name}"));
    let details = (answer.status == 400).then(|| answer.json()["details"].clone());
    let details = details.as_ref().and_then(Value::as_array).into_iter().flatten();
    let mut of_name = details.filter(|detail| detail["path"] == path);
    of_name.any(|detail| detail["message"].as_str().unwrap().contains("is not known here"))
}

#[actix_web::test]
async fn a_parameter_that_a_route_does_not_know_is_refused_everywhere_and_those_it_names_are_known() {
    let server = TestServer::new();
    let routes = administration();
    assert!(routes.len() > 150, "{}", routes.len());
    for route in &routes {
        for name in ["nonsense", "Project", "dryRun", "nonsense[]"] {
            let answer = ask(&server, route, &format!("{name}=1")).await;
            let of = format!("{} {}?{name}=1", route.method, route.path);
            assert!(
                knows_not(&answer, name),
                "{of}: {} {}",
                answer.status,
                answer.text
            );
        }
    }
    let mut known = 0;
    // what is told as it happens does not end
    let ending = routes.iter().filter(|route| !route.path.ends_with("/stream"));
    for route in ending {
        for name in route.queries {
            let answer = ask(&server, route, &format!("{name}=1")).await;
            let of = format!("{} {}?{name}=1", route.method, route.path);
            assert!(!knows_not(&answer, name), "{of}: {}", answer.text);
            known += 1;
        }
    }
    assert!(known > 50, "{known}");
}

/// Of two values one would be passed over, and which one nobody sees who sent both.
#[actix_web::test]
async fn a_parameter_that_says_one_thing_is_given_once_everywhere_and_as_no_list() {
    let server = TestServer::new();
    let mut tried = 0;
    for route in administration() {
        let queries = route.queries.iter();
        let takes_several = |name: &str| match name {
            "tag" | "status" => true,
            _ => route.path.ends_with("/change-requests/scheduled"),
        };
        for name in queries.filter(|name| !takes_several(name)) {
            let of = format!("{} {}?{name}", route.method, route.path);
            for query in [format!("{name}=1&{name}=2"), format!("{name}=1&{name}=1")] {
                let answer = ask(&server, &route, &query).await;
                let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
                assert!(
                    refusal.to_string().contains("must be given once"),
                    "{of}: {refusal}"
                );
            }
            for listed in [format!("{name}[]"), format!("{name}[0]")] {
                let answer = ask(&server, &route, &format!("{listed}=1")).await;
                assert!(
                    knows_not(&answer, &listed),
                    "{of}: {} {}",
                    answer.status,
                    answer.text
                );
            }
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

#[actix_web::test]
async fn the_flags_of_a_project_are_narrowed_by_their_tags_and_the_beginning_of_their_names() {
    let server = server_with("checkout").await;
    for name in ["Check-in", "banner"] {
        server.post(FEATURES, json!({ "name": name })).await.ok();
    }
    for (flag, value) in [
        ("checkout", "red"),
        ("checkout", "blue"),
        ("banner", "blue"),
        ("Check-in", "a:b"),
    ] {
        let tag = json!({ "type": "simple", "value": value });
        let path = format!("/api/admin/features/{flag}/tags");
        assert_eq!(server.post(&path, tag).await.status, 201);
    }
    let cases: [(&str, &[&str]); 12] = [
        ("", &["Check-in", "banner", "checkout"]),
        ("?tag=simple:blue", &["banner", "checkout"]),
        ("?tag=simple:red", &["checkout"]),
        ("?tag=simple:a:b", &["Check-in"]),
        ("?tag=simple:red&tag=simple:a:b", &["Check-in", "checkout"]),
        ("?tag[]=simple:red&tag[]=simple:a:b", &["Check-in", "checkout"]),
        ("?tag[0]=simple:red", &["checkout"]),
        ("?tag=simple:nope", &[]),
        ("?namePrefix=CHECK", &["Check-in", "checkout"]),
        ("?namePrefix=check&tag=simple:blue", &["checkout"]),
        ("?namePrefix=&tag=", &["Check-in", "banner", "checkout"]),
        ("?namePrefix=heck", &[]),
    ];
    for (query, expected) in cases {
        let list = server.get(&format!("{FEATURES}{query}")).await.ok();
        let flags = list["features"].as_array().unwrap().iter();
        let names: Vec<&str> = flags.map(|flag| flag["name"].as_str().unwrap()).collect();
        assert_eq!(names, expected, "{query}");
    }
    for query in [
        "?tag=simple",
        "?tag=:blue",
        "?tag=simple:blue&tag=x",
        "?namePrefix=a&namePrefix=b",
        "?namePrefix[]=a",
    ] {
        let answer = server.get(&format!("{FEATURES}{query}")).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}
