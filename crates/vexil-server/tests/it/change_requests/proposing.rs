//! Adding changes, editing them, taking them out.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{
    ALL, OTHER_ADMIN, PROPOSE, approved, change, change_id, number, propose, read, server, to, turn_off,
};
use crate::support::{CLIENT, FRONTEND, places};

#[actix_web::test]
async fn a_first_change_opens_a_draft_that_holds_it() {
    let server = server();
    let request = propose(&server, turn_off()).await;
    assert_eq!(request["state"], "Draft");
    assert_eq!(request["project"], "default");
    assert_eq!(request["environment"], "development");
    assert_eq!(request["minApprovals"], 1);
    assert_eq!(request["features"][0]["name"], "checkout");
    let change = &request["features"][0]["changes"][0];
    assert_eq!(change["action"], "updateEnabled");
    assert_eq!(change["payload"]["enabled"], false);
}

#[actix_web::test]
async fn later_changes_of_the_same_caller_join_the_pending_request() {
    let server = server();
    let first = propose(&server, turn_off()).await;
    let second = propose(
        &server,
        change("banner", "updateEnabled", json!({ "enabled": true })),
    )
    .await;
    assert_eq!(first["id"], second["id"]);
    assert_eq!(second["features"].as_array().unwrap().len(), 2);
}

#[actix_web::test]
async fn every_caller_and_every_environment_has_a_request_of_its_own() {
    let server = server();
    let mine = propose(&server, turn_off()).await;
    let body = turn_off();
    let theirs = server
        .call(OTHER_ADMIN, Method::POST, PROPOSE, Some(&body))
        .await
        .ok();
    let path = "/api/admin/projects/default/environments/production/change-requests";
    let elsewhere = server.post(path, body).await.ok();
    assert_ne!(mine["id"], theirs["id"]);
    assert_ne!(mine["id"], elsewhere["id"]);
    assert_eq!(elsewhere["environment"], "production");
}

#[actix_web::test]
async fn a_request_that_is_closed_or_scheduled_takes_no_more_changes() {
    let server = server();
    let first = number(&propose(&server, turn_off()).await);
    to(&server, first, "In review").await.ok();
    to(&server, first, "Cancelled").await.ok();
    let second = super::fixture::scheduled(&server, turn_off(), 10).await;
    let third = number(&propose(&server, turn_off()).await);
    assert!(first < second && second < third);
}

#[actix_web::test]
async fn many_changes_come_in_at_once_and_in_order() {
    let server = server();
    let request = propose(
        &server,
        json!([
            change(
                "banner",
                "addStrategy",
                json!({ "name": "default", "constraints": [], "parameters": {} })
            ),
            turn_off(),
            change("banner", "updateEnabled", json!({ "enabled": true })),
        ]),
    )
    .await;
    let features = request["features"].as_array().unwrap();
    let names: Vec<&str> = features.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["banner", "checkout"]);
    let actions: Vec<&Value> = features[0]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["action"])
        .collect();
    assert_eq!(actions, ["addStrategy", "updateEnabled"]);
    assert!(change_id(&request, 0) < change_id(&request, 1));
}

#[actix_web::test]
async fn of_many_changes_none_is_taken_when_one_is_wrong_and_all_faults_are_listed() {
    let server = server();
    let body = json!([
        turn_off(),
        change("checkout", "addStrategy", json!({
            "name": "flexibleRollout",
            "constraints": [{ "contextName": "country", "operator": "IS" }],
            "segments": ["x"],
            "sortOrder": "first",
        })),
        { "action": "updateEnabled", "payload": {} },
        change("checkout", "deleteStrategy", json!({})),
    ]);
    let error = server
        .post(PROPOSE, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let paths = places(&error);
    assert_eq!(
        paths,
        [
            "/body/1/payload/sortOrder",
            "/body/1/payload/constraints/0/operator",
            "/body/1/payload/segments/0",
            "/body/2/feature",
            "/body/2/payload/enabled",
            "/body/3/payload/id",
        ]
    );
    assert_eq!(server.get(ALL).await.ok(), json!([]));
}

#[actix_web::test]
async fn an_unknown_action_is_refused_with_the_names_of_those_there_are() {
    let error = server()
        .post(PROPOSE, change("checkout", "explode", json!({})))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let detail = &error["details"][0];
    assert_eq!(detail["path"], "/body/action");
    for action in ["updateEnabled", "deleteSegment", "explode"] {
        assert!(detail["message"].as_str().unwrap().contains(action), "{detail}");
    }
}

#[actix_web::test]
async fn values_that_mean_nothing_are_refused_with_their_place_in_the_payload() {
    let server = server();
    let strategy = json!({
        "name": "flexibleRollout",
        "parameters": { "rollout": "101" },
        "constraints": [{ "contextName": "age", "operator": "NUM_GT", "value": "old" }],
    });
    let error = server
        .post(PROPOSE, change("checkout", "addStrategy", strategy))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let paths = places(&error);
    assert!(paths.contains(&"/body/payload/parameters/rollout"), "{error}");
    assert!(paths.contains(&"/body/payload/constraints/0/value"), "{error}");
}

#[actix_web::test]
async fn what_is_not_there_cannot_be_changed() {
    let server = server();
    let missing = [
        change("nope", "updateEnabled", json!({ "enabled": true })),
        change("checkout", "deleteStrategy", json!({ "id": "nope" })),
        change("checkout", "updateStrategy", json!({ "id": "nope" })),
        json!({ "feature": null, "action": "deleteSegment", "payload": { "id": 9 } }),
        json!({ "action": "updateSegment", "payload": { "id": 9, "name": "x", "constraints": [] } }),
        change(
            "checkout",
            "addStrategy",
            json!({ "name": "default", "segments": [9] }),
        ),
    ];
    for body in missing {
        server
            .post(PROPOSE, body)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    for path in [
        "/api/admin/projects/nope/environments/development/change-requests",
        "/api/admin/projects/default/environments/nope/change-requests",
    ] {
        server
            .post(path, turn_off())
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    assert_eq!(server.get(ALL).await.ok(), json!([]));
}

#[actix_web::test]
async fn changes_of_segments_need_no_flag() {
    let server = server();
    let update = json!({ "id": 1, "name": "early birds", "constraints": [] });
    for feature in [json!(null), json!("ignored")] {
        let body = json!({ "feature": feature, "action": "updateSegment", "payload": update });
        propose(&server, body).await;
    }
    let body = json!({ "action": "updateSegment", "payload": update });
    let request = propose(&server, body).await;
    assert_eq!(request["features"], json!([]));
    let segments = request["segments"].as_array().unwrap();
    assert_eq!(segments.len(), 3);
    assert_eq!(segments[0]["name"], "beta");
    assert_eq!(segments[0]["payload"]["name"], "early birds");
}

#[actix_web::test]
async fn no_change_at_all_is_refused() {
    let server = server();
    for body in [json!([]), json!({}), json!("x"), json!([1])] {
        server
            .post(PROPOSE, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}

#[actix_web::test]
async fn actions_of_release_plans_are_kept_and_shown() {
    let server = server();
    let payload = json!({ "planId": "p1", "milestoneId": "m1" });
    let request = propose(&server, change("checkout", "startMilestone", payload.clone())).await;
    let change = &request["features"][0]["changes"][0];
    assert_eq!(change["payload"], payload);
    assert!(
        change["conflict"].as_str().unwrap().contains("not supported"),
        "{change}"
    );
}

#[actix_web::test]
async fn an_added_change_makes_an_approved_request_wait_for_approval_again() {
    let server = server();
    let id = approved(&server, turn_off()).await;
    let request = propose(
        &server,
        change("banner", "updateEnabled", json!({ "enabled": true })),
    )
    .await;
    assert_eq!(number(&request), id);
    assert_eq!(request["state"], "In review");
    assert_eq!(request["approvals"], json!([]));
}

#[actix_web::test]
async fn an_edited_change_takes_the_place_of_the_old_one_under_a_new_id() {
    let server = server();
    let request = propose(&server, json!([turn_off(), turn_off()])).await;
    let (id, first, second) = (number(&request), change_id(&request, 0), change_id(&request, 1));
    let path = format!("{ALL}/{id}/changes/{first}");
    let edited = server
        .put(
            &path,
            change("checkout", "updateEnabled", json!({ "enabled": true })),
        )
        .await
        .ok();
    assert_eq!(edited["features"][0]["changes"][0]["payload"]["enabled"], true);
    assert!(change_id(&edited, 0) > second);
    assert_eq!(change_id(&edited, 1), second);
    server
        .put(&path, turn_off())
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn an_edit_that_echoes_the_snapshot_records_it_anew() {
    let server = server();
    let update = json!({ "id": "half", "parameters": { "rollout": "10" }, "constraints": [] });
    let request = propose(&server, change("checkout", "updateStrategy", update)).await;
    let shown = &request["features"][0]["changes"][0]["payload"];
    assert_eq!(shown["snapshot"]["parameters"]["rollout"], "50");
    let mut echoed = shown.clone();
    echoed["snapshot"]["parameters"]["rollout"] = json!("99");
    echoed["parameters"]["rollout"] = json!("20");
    let path = format!("{ALL}/{}/changes/{}", request["id"], change_id(&request, 0));
    let edited = server
        .put(&path, change("checkout", "updateStrategy", echoed))
        .await
        .ok();
    let shown = &edited["features"][0]["changes"][0]["payload"];
    assert_eq!(shown["snapshot"]["parameters"]["rollout"], "50");
    assert_eq!(shown["parameters"]["rollout"], "20");
}

#[actix_web::test]
async fn edits_are_checked_like_new_changes() {
    let server = server();
    let request = propose(&server, turn_off()).await;
    let request = read(&server, number(&request)).await;
    let path = format!("{ALL}/{}/changes/{}", request["id"], change_id(&request, 0));
    server
        .put(&path, json!([turn_off()]))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let body = change("checkout", "updateEnabled", json!({ "enabled": "maybe" }));
    let error = server
        .put(&path, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(error["details"][0]["path"], "/body/payload/enabled");
    let body = change("nope", "updateEnabled", json!({ "enabled": true }));
    server
        .put(&path, body)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(read(&server, number(&request)).await, request);
}

#[actix_web::test]
async fn a_change_can_be_taken_out() {
    let server = server();
    let request = propose(&server, json!([turn_off(), turn_off()])).await;
    let path = format!("{ALL}/{}/changes/{}", request["id"], change_id(&request, 0));
    let answer = server.delete(&path).await;
    assert_eq!((answer.status, answer.text.as_str()), (200, ""));
    let left = read(&server, number(&request)).await;
    assert_eq!(left["features"][0]["changes"].as_array().unwrap().len(), 1);
    server
        .delete(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn only_the_author_touches_the_changes_and_only_while_they_are_pending() {
    let server = server();
    let request = propose(&server, turn_off()).await;
    let id = number(&request);
    let path = format!("{ALL}/{id}/changes/{}", change_id(&request, 0));
    let body = turn_off();
    let answer = server.call(OTHER_ADMIN, Method::PUT, &path, Some(&body)).await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    let answer = server.call(OTHER_ADMIN, Method::DELETE, &path, None).await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    to(&server, id, "In review").await.ok();
    to(&server, id, "Cancelled").await.ok();
    server
        .put(&path, turn_off())
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server
        .delete(&path)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn a_draft_can_be_thrown_away_and_nothing_else_can() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let path = format!("{ALL}/{id}");
    let answer = server.delete(&path).await;
    assert_eq!((answer.status, answer.text.as_str()), (200, ""));
    server
        .get(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .delete(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let id = number(&propose(&server, turn_off()).await);
    to(&server, id, "In review").await.ok();
    let answer = server.delete(&format!("{ALL}/{id}")).await;
    answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn tokens_of_sdks_are_refused_and_so_is_nobody() {
    let server = server();
    let body = turn_off();
    for token in [CLIENT, FRONTEND] {
        let answer = server.call(token, Method::POST, PROPOSE, Some(&body)).await;
        answer.refused(StatusCode::FORBIDDEN, "PermissionError");
        let answer = server.call(token, Method::GET, ALL, None).await;
        answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    }
    let answer = server.send(Method::GET, ALL, &[], Vec::new()).await;
    answer.refused(StatusCode::UNAUTHORIZED, "AuthenticationRequired");
    assert_eq!(server.get(ALL).await.ok(), json!([]));
}
