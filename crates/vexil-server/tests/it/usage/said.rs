//! What people say of applications, and applications that are forgotten.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;
use vexil_service::operations::sign_on::put_setting;
use vexil_service::system;

use super::{report, server_with_a_flag};
use crate::support::{CLIENT, START, TestServer, places};
use crate::users::person;

const APPLICATIONS: &str = "/api/admin/metrics/applications";

async fn register(server: &TestServer) {
    let body = json!({ "appName": "app", "instanceId": "i", "sdkVersion": "sdk:1", "strategies": ["default"], "started": 1, "interval": 10 });
    let answer = server
        .call(CLIENT, Method::POST, "/api/client/register", Some(&body))
        .await;
    assert_eq!(answer.status, 202);
}

async fn say(server: &TestServer, name: &str, body: Value) {
    let answer = server.post(&format!("{APPLICATIONS}/{name}"), body).await;
    assert_eq!((answer.status, answer.text.as_str()), (202, ""));
}

async fn names(server: &TestServer) -> Vec<String> {
    let list = server.get(APPLICATIONS).await.ok();
    let listed = list["applications"].as_array().unwrap();
    assert_eq!(list["total"], listed.len());
    let names = listed
        .iter()
        .map(|item| item["appName"].as_str().unwrap().to_owned());
    names.collect()
}

/// The types of the events about applications, the oldest first, with what they tell of before and after.
async fn told(server: &TestServer) -> Vec<(String, Value, Value)> {
    let events = server.get("/api/admin/search/events?limit=1000").await.ok();
    let events = events["events"].as_array().unwrap().iter();
    let told = events.filter_map(|event| {
        let kind = event["type"].as_str().unwrap();
        kind.starts_with("application-")
            .then(|| (kind.to_owned(), event["preData"].clone(), event["data"].clone()))
    });
    told.rev().collect()
}

#[actix_web::test]
async fn something_is_said_of_an_application_and_told_wherever_it_is_shown() {
    let server = server_with_a_flag();
    register(&server).await;
    server.set_time(START + Duration::HOUR);
    let all = json!({ "description": "The shop", "url": "https://example.org/shop", "color": "red", "icon": "shop", "strategies": ["own"] });
    say(&server, "app", all.clone()).await;
    say(&server, "new", json!({})).await;
    let list = server.get(APPLICATIONS).await.ok();
    let [app, new] = list["applications"].as_array().unwrap().as_slice() else {
        panic!("{list}");
    };
    for key in ["description", "url", "color", "icon"] {
        assert_eq!((&app[key], &new[key]), (&all[key], &Value::Null), "{key}");
    }
    assert_eq!(app["strategies"], json!(["default", "own"]));
    let times = |item: &Value| [item["createdAt"].clone(), item["updatedAt"].clone()];
    let (then, now) = (
        json!("2026-11-27T12:30:20.000Z"),
        json!("2026-11-27T13:30:20.000Z"),
    );
    assert_eq!(times(app), [then.clone(), now.clone()]);
    assert_eq!(times(new), [now.clone(), now]);
    let one = server.get(&format!("{APPLICATIONS}/app")).await.ok();
    assert_eq!((&one["url"], &one["createdAt"]), (&all["url"], &then));
    assert_eq!(one["strategies"][1], json!({ "name": "own", "notFound": true }));
    assert_eq!(one["instances"].as_array().unwrap().len(), 1);
    let overview = server.get(&format!("{APPLICATIONS}/new/overview")).await.ok();
    assert_eq!(overview["environments"], json!([]));

    // what is not said stays, null takes it away, and a document may be sent back as it was told
    say(&server, "app", json!({ "color": "blue", "icon": null })).await;
    let one = server.get(&format!("{APPLICATIONS}/app")).await.ok();
    assert_eq!(
        [&one["color"], &one["icon"], &one["url"]],
        [&json!("blue"), &Value::Null, &all["url"]]
    );
    say(&server, "app", one.clone()).await;
    assert_eq!(
        server.get(&format!("{APPLICATIONS}/app")).await.ok()["strategies"],
        one["strategies"]
    );
    // a server that starts anew, or another one, tells the same
    assert_eq!(names(&server.another()).await, ["app", "new"]);
    let told = told(&server).await;
    let kinds: Vec<&str> = told.iter().map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(kinds, ["application-updated"; 4]);
    let whole = json!({ "appName": "app", "description": "The shop", "url": "https://example.org/shop", "color": "red", "icon": "shop", "strategies": ["own"] });
    assert_eq!((&told[0].1, &told[0].2), (&Value::Null, &whole));
    assert_eq!((&told[2].1, &told[2].2["color"]), (&whole, &json!("blue")));
}

#[actix_web::test]
async fn what_cannot_be_said_of_an_application_is_refused_with_its_place() {
    let server = server_with_a_flag();
    let path = format!("{APPLICATIONS}/app");
    for (body, place) in [
        (json!([]), "/body"),
        (json!({ "colour": "red" }), "/body/colour"),
        (json!({ "color": ["red"] }), "/body/color"),
        (json!({ "url": "javascript:alert(1)" }), "/body/url"),
        (json!({ "url": "not an address" }), "/body/url"),
        (json!({ "description": "x".repeat(2_001) }), "/body/description"),
        (json!({ "strategies": "default" }), "/body/strategies"),
        (json!({ "strategies": null }), "/body/strategies"),
        (json!({ "strategies": vec!["x"; 501] }), "/body/strategies"),
    ] {
        let refusal = server.post(&path, body.clone()).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), [place], "{body}");
    }
    let other = server.post(&path, json!({ "appName": "other" })).await;
    other.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let long = server
        .post(&format!("{APPLICATIONS}/{}", "x".repeat(800)), json!({}))
        .await;
    long.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(names(&server).await, [""; 0]);
    // an Editor may, a Viewer may not
    for (role, expected) in [("Viewer", 403), ("Editor", 202)] {
        let who = person(&server, role, role).await.token;
        let answer = server.call(&who, Method::POST, &path, Some(&json!({}))).await;
        assert_eq!(answer.status, expected, "{}", answer.text);
        let answer = server.call(&who, Method::DELETE, &path, None).await;
        assert_eq!(answer.status, if expected == 403 { 403 } else { 200 });
    }
}

#[actix_web::test]
async fn of_a_thousand_applications_something_is_said_and_of_no_more() {
    let server = server_with_a_flag();
    say(&server, "app", json!({})).await;
    let kept = server.app().serving().access.tables.settings["application:app"]
        .value
        .clone();
    let actor = system();
    let edit = server.app().edit(&actor, move |tx| {
        for number in 1..1_000 {
            put_setting(tx, &format!("application:app-{number}"), Some(kept.clone()));
        }
        Ok(())
    });
    edit.await.unwrap();
    let refusal = server.post(&format!("{APPLICATIONS}/more"), json!({})).await;
    refusal.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    say(&server, "app-7", json!({ "color": "red" })).await;
    assert_eq!(server.delete(&format!("{APPLICATIONS}/app-7")).await.status, 200);
    say(&server, "more", json!({})).await;
}

#[actix_web::test]
async fn an_application_that_is_forgotten_is_there_again_once_it_is_heard_of() {
    let server = server_with_a_flag();
    register(&server).await;
    report(&server, "app", START, json!({ "checkout": { "yes": 1 } })).await;
    say(&server, "app", json!({ "color": "red" })).await;
    say(&server, "said", json!({})).await;
    server.set_time(START + Duration::minutes(5));
    for name in ["app", "said", "app", "nobody"] {
        let answer = server.delete(&format!("{APPLICATIONS}/{name}")).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, ""), "{name}");
    }
    assert_eq!(names(&server).await, [""; 0]);
    for path in ["app", "app/overview", "said"] {
        let gone = server.get(&format!("{APPLICATIONS}/{path}")).await;
        gone.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let of_project = server.get("/api/admin/projects/default/applications").await.ok();
    assert_eq!(of_project["total"], 0);
    // what flags were used stays
    let usage = server
        .get("/api/admin/client-metrics/features/checkout")
        .await
        .ok();
    assert_eq!(usage["lastHourUsage"][0]["yes"], 1);
    let kinds: Vec<String> = told(&server).await.into_iter().map(|(kind, ..)| kind).collect();
    let (said, gone) = ("application-updated", "application-deleted");
    assert_eq!(kinds, [said, said, gone, gone]);

    // heard of again, it begins anew
    server.set_time(START + Duration::minutes(10));
    register(&server).await;
    assert_eq!(names(&server).await, ["app"]);
    let app = server.get(&format!("{APPLICATIONS}/app")).await.ok();
    assert_eq!(
        (&app["color"], &app["createdAt"]),
        (&Value::Null, &json!("2026-11-27T12:35:20.000Z"))
    );
    assert_eq!(app["seenToggles"], json!([]));
    report(
        &server,
        "app",
        START + Duration::minutes(9),
        json!({ "checkout": { "no": 1 } }),
    )
    .await;
    assert_eq!(names(&server.another()).await, ["app"]);
    let app = server.get(&format!("{APPLICATIONS}/app")).await.ok();
    assert_eq!(app["seenToggles"][0]["name"], "checkout");
}
