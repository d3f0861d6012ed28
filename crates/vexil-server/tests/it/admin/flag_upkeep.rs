//! What people note about flags: links, and that one is done.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, event_types, server_with};
use crate::support::{CLIENT, TestServer, places};

async fn read(server: &TestServer, flag: &str) -> Value {
    server.get(&format!("{FEATURES}/{flag}")).await.ok()
}

async fn tag(server: &TestServer) -> String {
    let answer = server
        .call(CLIENT, Method::GET, "/api/client/features", None)
        .await;
    answer.header("etag").unwrap().to_owned()
}

async fn lately(server: &TestServer, count: usize) -> Vec<String> {
    let told = event_types(server).await;
    told[told.len() - count..].to_vec()
}

#[actix_web::test]
async fn links_of_a_flag_are_added_changed_removed_and_told() {
    let server = server_with("f").await;
    let path = format!("{FEATURES}/f/link");
    let before = tag(&server).await;
    for body in [
        json!({ "url": "https://example.com/a", "title": "A" }),
        json!({ "url": "HTTP://example.com/b?q=#x", "title": null }),
    ] {
        assert_eq!(server.post(&path, body).await.status, 204);
    }
    let links = read(&server, "f").await["links"].clone();
    let first = links[0]["id"].as_str().unwrap();
    assert_eq!(
        links[0],
        json!({ "id": first, "url": "https://example.com/a", "title": "A", "feature": "f" })
    );
    assert_eq!(
        (&links[1]["title"], links[1]["id"] != links[0]["id"]),
        (&Value::Null, true)
    );
    // what is not said of the title stays, and null takes it away
    let one = format!("{path}/{first}");
    for (body, title) in [
        (json!({ "url": "https://example.com/c" }), json!("A")),
        (
            json!({ "url": "https://example.com/c", "title": null }),
            json!(null),
        ),
    ] {
        assert_eq!(server.put(&one, body).await.status, 204);
        let told = read(&server, "f").await["links"][0].clone();
        assert_eq!(
            (&told["url"], &told["title"]),
            (&json!("https://example.com/c"), &title)
        );
    }
    assert_eq!(server.delete(&one).await.status, 204);
    assert_eq!(read(&server, "f").await["links"], json!([links[1]]));
    assert_eq!(
        lately(&server, 5).await,
        [
            "feature-link-added",
            "feature-link-added",
            "feature-link-updated",
            "feature-link-updated",
            "feature-link-removed"
        ]
    );
    assert_eq!(tag(&server).await, before, "links decide nothing");
    let another = server.another();
    assert_eq!(read(&another, "f").await["links"], json!([links[1]]));
}

#[actix_web::test]
async fn a_link_leads_to_the_web_and_nothing_else() {
    let server = server_with("f").await;
    let path = format!("{FEATURES}/f/link");
    let long = format!("https://example.com/{}", "x".repeat(2_000));
    for url in [
        "javascript:alert(1)",
        "JavaScript:alert(1)//https://example.com",
        " https://example.com",
        "https://exa mple.com",
        "https://example.com/\nx",
        "java\tscript:alert(1)",
        "data:text/html,x",
        "//example.com",
        "example.com",
        "https://",
        "https:///x",
        "ftp://example.com",
        "",
        &long,
    ] {
        let answer = server.post(&path, json!({ "url": url })).await;
        let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), ["/body/url"], "{url}");
    }
    for (body, place) in [
        (json!({ "title": "x" }), "/body/url"),
        (json!({ "url": 5 }), "/body/url"),
        (
            json!({ "url": "https://e.org", "title": "x".repeat(201) }),
            "/body/title",
        ),
        (json!({ "url": "https://e.org", "titel": "x" }), "/body/titel"),
    ] {
        let refusal = server.post(&path, body).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), [place]);
    }
    for _ in 0..50 {
        server.post(&path, json!({ "url": "https://e.org" })).await.ok();
    }
    let one_more = server.post(&path, json!({ "url": "https://e.org" })).await;
    one_more.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
}

#[actix_web::test]
async fn a_link_is_changed_and_removed_with_its_own_flag_alone() {
    let server = server_with("f").await;
    server.post(FEATURES, json!({ "name": "g" })).await.ok();
    let body = json!({ "url": "https://e.org" });
    server
        .post(&format!("{FEATURES}/f/link"), body.clone())
        .await
        .ok();
    let links = read(&server, "f").await["links"].clone();
    let id = links[0]["id"].as_str().unwrap();
    for path in [
        format!("{FEATURES}/g/link/{id}"),
        format!("{FEATURES}/f/link/no"),
        format!("{FEATURES}/no/link/{id}"),
        format!("/api/admin/projects/no/features/f/link/{id}"),
    ] {
        for answer in [server.put(&path, body.clone()).await, server.delete(&path).await] {
            answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
        }
    }
    assert_eq!(read(&server, "f").await["links"], links);
}

#[actix_web::test]
async fn new_flags_get_the_links_that_the_project_says() {
    let server = server_with("f").await;
    let templates = json!([
        { "title": "Ticket", "urlTemplate": "https://t.example.com/{{project}}?flag={{feature}}" },
        { "title": null, "urlTemplate": "javascript:{{feature}}" },
    ]);
    let path = "/api/admin/projects/default/settings";
    server.put(path, json!({ "linkTemplates": templates })).await.ok();
    server.post(FEATURES, json!({ "name": "g" })).await.ok();
    server
        .post(&format!("{FEATURES}/f/clone"), json!({ "name": "h" }))
        .await
        .ok();
    for (flag, count) in [("f", 0), ("g", 1), ("h", 1)] {
        let links = read(&server, flag).await["links"].clone();
        assert_eq!(links.as_array().unwrap().len(), count, "{flag}");
        if count > 0 {
            let url = format!("https://t.example.com/default?flag={flag}");
            assert_eq!(
                (&links[0]["url"], &links[0]["title"]),
                (&json!(url), &json!("Ticket"))
            );
        }
    }
}

#[actix_web::test]
async fn whoever_says_that_a_flag_is_done_says_what_is_left_of_it() {
    let server = server_with("f").await;
    let before = tag(&server).await;
    let complete = format!("{FEATURES}/f/lifecycle/complete");
    let at = "2026-11-27T12:30:20.000Z";
    for status in ["kept", "discarded"] {
        let body = json!({ "status": status, "statusValue": "blue" });
        server.post(&complete, body).await.ok();
        let stage = json!({ "stage": "completed", "status": status, "enteredStageAt": at });
        assert_eq!(read(&server, "f").await["lifecycle"], stage);
        let found = server
            .get("/api/admin/search/features?lifecycle=IS:completed")
            .await
            .ok();
        assert_eq!(found["features"][0]["lifecycle"], stage);
        // it is done since the first time
        server.set_time(crate::support::START + time::Duration::HOUR);
    }
    let count = server.get("/api/admin/lifecycle/count").await.ok();
    assert_eq!((&count["completed"], &count["initial"]), (&json!(1), &json!(0)));
    assert_eq!(tag(&server).await, before, "it decides nothing");
    let uncomplete = format!("{FEATURES}/f/lifecycle/uncomplete");
    server.post(&uncomplete, json!({})).await.ok();
    assert_eq!(read(&server, "f").await["lifecycle"]["stage"], "initial");
    assert_eq!(
        lately(&server, 3).await,
        ["feature-completed", "feature-completed", "feature-uncompleted"]
    );
    // a flag that is revived begins anew
    server.post(&complete, json!({ "status": "kept" })).await.ok();
    server.delete(&format!("{FEATURES}/f")).await.ok();
    let told = server.get(&format!("{FEATURES}/f/lifecycle")).await.ok();
    assert_eq!(
        (&told[0]["stage"], told[0].get("status")),
        (&json!("archived"), None)
    );
    server.post("/api/admin/archive/revive/f", json!({})).await.ok();
    assert_eq!(read(&server, "f").await["lifecycle"]["stage"], "initial");
    assert_eq!(lately(&server, 1).await, ["feature-revived"]);
    for path in [
        format!("{FEATURES}/no/lifecycle/complete"),
        format!("{FEATURES}/no/lifecycle/uncomplete"),
        "/api/admin/projects/no/features/f/lifecycle/complete".to_owned(),
    ] {
        let answer = server.post(&path, json!({ "status": "kept" })).await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    for (body, place) in [
        (json!({}), "/body/status"),
        (json!({ "status": "nope" }), "/body/status"),
        (
            json!({ "status": "kept", "statusValue": ["blue"] }),
            "/body/statusValue",
        ),
    ] {
        let refusal = server.post(&complete, body).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), [place]);
    }
}
