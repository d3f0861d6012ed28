//! Titles, comments and reviewers.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{ALL, OTHER_ADMIN, number, propose, read, server, to, turn_off};

#[actix_web::test]
async fn a_title_is_given_and_taken_away() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let path = format!("{ALL}/{id}/title");
    let answer = server.put(&path, json!({ "title": " Off for the night " })).await;
    assert_eq!((answer.status, answer.text.as_str()), (204, ""));
    assert_eq!(read(&server, id).await["title"], "Off for the night");
    server.put(&path, json!({ "title": "" })).await.ok();
    assert_eq!(read(&server, id).await.get("title"), None);
}

#[actix_web::test]
async fn titles_that_are_missing_or_too_long_are_refused_and_so_are_those_of_closed_requests() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let path = format!("{ALL}/{id}/title");
    for body in [
        json!({}),
        json!({ "title": [] }),
        json!({ "title": "x".repeat(256) }),
        json!("x"),
    ] {
        server
            .put(&path, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    to(&server, id, "In review").await.ok();
    to(&server, id, "Cancelled").await.ok();
    server
        .put(&path, json!({ "title": "late" }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let path = format!("{ALL}/99/title");
    server
        .put(&path, json!({ "title": "x" }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn comments_are_kept_in_their_order() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let path = format!("{ALL}/{id}/comments");
    let answer = server.post(&path, json!({ "text": "first" })).await;
    assert_eq!((answer.status, answer.text.as_str()), (204, ""));
    let body = json!({ "text": " second\n" });
    server
        .call(OTHER_ADMIN, Method::POST, &path, Some(&body))
        .await
        .ok();
    let shown = read(&server, id).await;
    let comments = shown["comments"].as_array().unwrap();
    let texts: Vec<&Value> = comments.iter().map(|one| &one["text"]).collect();
    assert_eq!(texts, ["first", "second"]);
    assert!(number(&comments[0]) < number(&comments[1]));
    assert_ne!(comments[0]["createdBy"]["id"], comments[1]["createdBy"]["id"]);
}

#[actix_web::test]
async fn what_is_no_comment_is_refused() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let path = format!("{ALL}/{id}/comments");
    let wrong = [
        json!({}),
        json!({ "text": "" }),
        json!({ "text": " \n" }),
        json!({ "text": "x".repeat(1001) }),
        json!({ "text": { "a": 1 } }),
        json!({ "text": "x", "mood": "good" }),
        json!([]),
    ];
    for body in wrong {
        server
            .post(&path, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    assert_eq!(read(&server, id).await["comments"], json!([]));
    server.post(&path, json!({ "text": "x".repeat(1000) })).await.ok();
    let path = format!("{ALL}/99/comments");
    server
        .post(&path, json!({ "text": "x" }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn reviewers_are_chosen_among_those_who_may_approve() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let available = server
        .get(&format!("{ALL}/available-reviewers/development"))
        .await
        .ok();
    let people = available["reviewers"].as_array().unwrap();
    assert_eq!(people.len(), 2);
    assert_eq!(people[0]["username"], "admin-1");
    let path = format!("{ALL}/{id}/approvers");
    assert_eq!(server.get(&path).await.ok(), json!({ "reviewers": [] }));
    let both = json!({ "reviewers": [people[1]["id"], people[0]["id"], people[1]["id"]] });
    assert_eq!(server.put(&path, both).await.status, 204);
    let asked = server.get(&path).await.ok();
    assert_eq!(asked["reviewers"], json!([people[1], people[0]]));
    server
        .put(&path, json!({ "reviewers": [people[0]["id"]] }))
        .await
        .ok();
    assert_eq!(server.get(&path).await.ok()["reviewers"], json!([people[0]]));
    server.put(&path, json!({ "reviewers": [] })).await.ok();
    assert_eq!(server.get(&path).await.ok()["reviewers"], json!([]));
}

#[actix_web::test]
async fn strangers_and_crowds_cannot_be_asked_to_review() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let path = format!("{ALL}/{id}/approvers");
    let error = server.put(&path, json!({ "reviewers": [7, -1001, 8] })).await;
    let error = error.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let paths: Vec<&Value> = error["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["path"])
        .collect();
    assert_eq!(paths, ["/body/reviewers/0", "/body/reviewers/2"]);
    let crowd: Vec<i64> = (1..12).collect();
    for body in [
        json!({ "reviewers": crowd }),
        json!({}),
        json!({ "reviewers": ["x"] }),
        json!([]),
    ] {
        server
            .put(&path, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    assert_eq!(server.get(&path).await.ok()["reviewers"], json!([]));
    server
        .get(&format!("{ALL}/99/approvers"))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let path = format!("{ALL}/available-reviewers/nope");
    server
        .get(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}
