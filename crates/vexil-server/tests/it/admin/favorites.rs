//! What people mark for themselves.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, event_types};
use crate::roles::call;
use crate::support::{ADMIN, TestServer};
use crate::users::{Person, person};

const PROJECT: &str = "/api/admin/projects/default";

async fn server() -> TestServer {
    let server = TestServer::new();
    for name in ["a", "b", "c"] {
        server.post(FEATURES, json!({ "name": name })).await.ok();
    }
    server
}

async fn mark(server: &TestServer, who: &Person, path: &str) {
    call(server, who, Method::POST, &format!("{path}/favorites"), json!({}))
        .await
        .ok();
}

async fn unmark(server: &TestServer, who: &Person, path: &str) {
    let path = format!("{path}/favorites");
    server.call(&who.token, Method::DELETE, &path, None).await.ok();
}

async fn read(server: &TestServer, who: &Person, path: &str) -> Value {
    server.call(&who.token, Method::GET, path, None).await.ok()
}

/// The names of the flags in an answer that are said to be favourites.
fn favorites(answer: &Value) -> Vec<&str> {
    let flags = answer["features"].as_array().unwrap().iter();
    flags
        .filter(|flag| flag["favorite"] == true)
        .map(|flag| flag["name"].as_str().unwrap())
        .collect()
}

fn names(answer: &Value) -> Vec<&str> {
    let flags = answer["features"].as_array().unwrap().iter();
    flags.map(|flag| flag["name"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn whoever_has_marked_a_flag_is_told_so_wherever_it_is_shown_and_nobody_else_is() {
    let server = server().await;
    let vic = person(&server, "vic", "Viewer").await;
    let ed = person(&server, "ed", "Editor").await;
    let flag = format!("{FEATURES}/b");
    mark(&server, &vic, &flag).await;
    mark(&server, &vic, &flag).await;
    for (who, marked) in [(&vic, &["b"][..]), (&ed, &[])] {
        for list in [
            FEATURES,
            "/api/admin/search/features",
            "/api/admin/projects/default/health-report",
        ] {
            assert_eq!(favorites(&read(&server, who, list).await), marked, "{list}");
        }
        let told = read(&server, who, &flag).await;
        assert_eq!(told["favorite"], !marked.is_empty());
        let dashboard = read(&server, who, "/api/admin/personal-dashboard").await;
        assert_eq!(dashboard["flags"].as_array().unwrap().len(), marked.len());
    }
    // the other node reads it from the database
    let another = server.another();
    assert_eq!(favorites(&read(&another, &vic, FEATURES).await), ["b"]);
    unmark(&server, &vic, &flag).await;
    unmark(&server, &vic, &flag).await;
    assert_eq!(favorites(&read(&server, &vic, FEATURES).await), [""; 0]);
    let told = event_types(&server).await;
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    assert_eq!(
        &told[told.len() - 2..],
        ["feature-favorited", "feature-unfavorited"]
    );
}

#[actix_web::test]
async fn a_search_finds_favourites_and_puts_them_first_whatever_the_order() {
    let server = server().await;
    let vic = person(&server, "vic", "Viewer").await;
    mark(&server, &vic, &format!("{FEATURES}/b")).await;
    for (query, found) in [
        ("favoritesFirst=true&sortBy=name", &["b", "a", "c"][..]),
        ("favoritesFirst=true&sortBy=name&sortOrder=desc", &["b", "c", "a"]),
        ("favoritesFirst=false&sortBy=name", &["a", "b", "c"]),
        ("favorite=IS:true", &["b"]),
        ("favorite=IS:false&sortBy=name", &["a", "c"]),
    ] {
        let path = format!("/api/admin/search/features?{query}");
        assert_eq!(names(&read(&server, &vic, &path).await), found, "{query}");
    }
}

#[actix_web::test]
async fn whoever_has_marked_a_project_is_told_so() {
    let server = server().await;
    let vic = person(&server, "vic", "Viewer").await;
    let told = async || {
        (
            read(&server, &vic, "/api/admin/projects").await["projects"][0]["favorite"].clone(),
            read(&server, &vic, &format!("{PROJECT}/overview")).await["favorite"].clone(),
            read(&server, &vic, &format!("{PROJECT}/health-report")).await["favorite"].clone(),
        )
    };
    mark(&server, &vic, PROJECT).await;
    assert_eq!(told().await, (json!(true), json!(true), json!(true)));
    unmark(&server, &vic, PROJECT).await;
    assert_eq!(told().await, (json!(false), json!(false), json!(false)));
    let events = server.get("/api/admin/search/events?limit=2").await.ok();
    assert_eq!(events["events"][0]["type"], "project-unfavorited");
    assert_eq!(events["events"][1]["data"], json!({ "project": "default" }));
}

#[actix_web::test]
async fn a_mark_goes_with_the_flag_and_the_project_that_it_was_on() {
    let server = server().await;
    let vic = person(&server, "vic", "Viewer").await;
    let shop = "/api/admin/projects/shop";
    let flag = format!("{shop}/features/pilot");
    let made = async || {
        server
            .post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
            .await
            .ok();
        server
            .post(&format!("{shop}/features"), json!({ "name": "pilot" }))
            .await
            .ok();
    };
    made().await;
    mark(&server, &vic, shop).await;
    mark(&server, &vic, &flag).await;
    let before = event_types(&server).await;
    server.delete(&flag).await.ok();
    // an archived flag keeps it, for when it comes back
    let archived = "/api/admin/search/features?archived=IS:true";
    assert_eq!(favorites(&read(&server, &vic, archived).await), ["pilot"]);
    server.delete(shop).await.ok();
    let told = event_types(&server).await;
    let told: Vec<&String> = told[before.len()..].iter().collect();
    assert!(!told.iter().any(|kind| kind.ends_with("favorited")), "{told:?}");
    made().await;
    assert_eq!(read(&server, &vic, &flag).await["favorite"], false);
    let overview = read(&server, &vic, &format!("{shop}/overview")).await;
    assert_eq!(overview["favorite"], false);
}

#[actix_web::test]
async fn a_token_marks_nothing_and_what_is_not_there_cannot_be_marked() {
    let server = server().await;
    let vic = person(&server, "vic", "Viewer").await;
    for (path, there) in [
        (format!("{FEATURES}/a"), true),
        (PROJECT.to_owned(), true),
        (format!("{FEATURES}/no"), false),
        ("/api/admin/projects/no/features/a".to_owned(), false),
        ("/api/admin/projects/no".to_owned(), false),
    ] {
        let path = format!("{path}/favorites");
        for method in [Method::POST, Method::DELETE] {
            let by_token = server.call(ADMIN, method.clone(), &path, Some(&json!({}))).await;
            by_token.refused(StatusCode::BAD_REQUEST, "BadDataError");
            let answer = call(&server, &vic, method, &path, json!({})).await;
            if there {
                answer.ok();
            } else {
                answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
            }
        }
    }
}

#[actix_web::test]
async fn what_decides_nothing_tells_sdks_nothing_new() {
    let server = server().await;
    let vic = person(&server, "vic", "Viewer").await;
    let tag = async || {
        let answer = server
            .call(crate::support::CLIENT, Method::GET, "/api/client/features", None)
            .await;
        answer.header("etag").unwrap().to_owned()
    };
    let before = tag().await;
    mark(&server, &vic, &format!("{FEATURES}/b")).await;
    assert_eq!(tag().await, before);
}
