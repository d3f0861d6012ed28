//! Activation strategies of a flag in an environment.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FEATURES, add_strategy, event_types, in_development, places, server_with, strategies_of};
use crate::support::TestServer;

fn full() -> Value {
    json!({
        "name": "flexibleRollout", "title": "t",
        "parameters": { "rollout": "20", "stickiness": "userId", "groupId": "g" },
        "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["a"] }],
        "variants": [{ "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default" }],
    })
}

#[actix_web::test]
async fn a_strategy_is_added_behind_the_others_and_can_be_read_back() {
    let server = server_with("checkout").await;
    let path = strategies_of("checkout");
    add_strategy(&server, "checkout", json!({ "name": "default" })).await;
    let added = server.post(&path, full()).await;
    assert_eq!(added.status, 200);
    let mut expected = full();
    expected["id"] = added.json()["id"].clone();
    expected["disabled"] = json!(false);
    expected["sortOrder"] = json!(1);
    expected["segments"] = json!([]);
    assert_eq!(added.json(), expected);
    let id = expected["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("{path}/{id}")).await.ok(), expected);
    let list = server.get(&path).await.ok();
    expected["milestoneId"] = json!(null);
    assert_eq!(list[1], expected);
    assert_eq!(event_types(&server).await.last().unwrap(), "feature-strategy-add");
    assert_eq!(
        in_development(&server, "checkout").await["strategies"][1]["featureName"],
        "checkout"
    );
}

#[actix_web::test]
async fn a_rollout_that_leaves_things_open_gets_them_filled_in() {
    let server = server_with("checkout").await;
    let filled = json!({ "rollout": "100", "stickiness": "default", "groupId": "checkout" });
    for parameters in [json!({}), json!({ "stickiness": "", "groupId": "" })] {
        let strategy = json!({ "name": "flexibleRollout", "parameters": parameters });
        let added = server.post(&strategies_of("checkout"), strategy).await.ok();
        assert_eq!(added["parameters"], filled, "{parameters}");
    }
    let id = add_strategy(&server, "checkout", full()).await;
    let update = json!({ "name": "flexibleRollout", "parameters": { "rollout": "10", "stickiness": "", "groupId": "" } });
    let updated = server
        .put(&format!("{}/{id}", strategies_of("checkout")), update)
        .await
        .ok();
    assert_eq!(
        updated["parameters"],
        json!({ "rollout": "10", "stickiness": "default", "groupId": "checkout" })
    );
}

#[actix_web::test]
async fn parameters_are_text_however_they_were_sent() {
    let server = server_with("checkout").await;
    let parameters = ["a", "b", "c", "d"].map(|name| json!({ "name": name, "type": "string" }));
    let kind = json!({ "name": "own", "parameters": parameters });
    server.post("/api/admin/strategies", kind).await.ok();
    let strategy = json!({ "name": "own", "parameters": { "a": 5, "b": true, "c": null, "d": "x" } });
    let added = server.post(&strategies_of("checkout"), strategy).await.ok();
    assert_eq!(
        added["parameters"],
        json!({ "a": "5", "b": "true", "c": "", "d": "x" })
    );
}

#[actix_web::test]
async fn a_rollout_out_of_range_is_refused_with_its_place() {
    let server = server_with("checkout").await;
    for rollout in ["101", "-1", "abc", " "] {
        let strategy = json!({ "name": "flexibleRollout", "parameters": { "rollout": rollout } });
        let refusal = server.post(&strategies_of("checkout"), strategy).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), ["/body/parameters/rollout"], "{rollout}");
        assert!(
            refusal["message"]
                .as_str()
                .unwrap()
                .contains("/body/parameters/rollout"),
            "{refusal}"
        );
    }
    assert_eq!(server.get(&strategies_of("checkout")).await.ok(), json!([]));
}

#[actix_web::test]
async fn a_rollout_is_kept_as_a_whole_number() {
    let server = server_with("checkout").await;
    let rollout = json!({ "name": "flexibleRollout", "parameters": { "rollout": 50.0 } });
    let whole = server.post(&strategies_of("checkout"), rollout).await.ok();
    assert_eq!(whole["parameters"]["rollout"], "50");
}

#[actix_web::test]
async fn everything_that_is_wrong_with_a_strategy_is_told_at_once() {
    let server = server_with("checkout").await;
    let shape = json!({ "disabled": "x", "sortOrder": 1.5, "parameters": [], "constraints": {}, "segments": ["x"], "variants": [5] });
    let refusal = server
        .post(&strategies_of("checkout"), shape)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let mut found = places(&refusal);
    found.sort_unstable();
    let expected = [
        "/body/constraints",
        "/body/disabled",
        "/body/name",
        "/body/parameters",
        "/body/segments/0",
        "/body/sortOrder",
        "/body/variants/0",
    ];
    assert_eq!(found, expected);
    let content = json!({
        "name": "nope",
        "constraints": [
            { "contextName": "userId", "operator": "IN", "values": [] },
            { "contextName": "age", "operator": "NUM_EQ", "value": "abc" },
        ],
    });
    let refusal = server
        .post(&strategies_of("checkout"), content)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let found = places(&refusal);
    assert_eq!(found.len(), 3, "{refusal}");
    for place in ["/body/constraints/0", "/body/constraints/1", "/body/name"] {
        assert!(
            found.iter().any(|path| path.starts_with(place)),
            "{place} in {refusal}"
        );
    }
    let missing = server
        .post(
            &strategies_of("checkout"),
            json!({ "name": "default", "segments": [99] }),
        )
        .await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(server.get(&strategies_of("checkout")).await.ok(), json!([]));
}

#[actix_web::test]
async fn a_put_replaces_a_strategy_but_for_what_stays_unless_it_is_said() {
    let server = server_with("checkout").await;
    let id = add_strategy(&server, "checkout", full()).await;
    let path = format!("{}/{id}", strategies_of("checkout"));
    let updated = server.put(&path, json!({ "sortOrder": 44 })).await.ok();
    assert_eq!(updated["title"], "t");
    assert_eq!(updated["disabled"], false);
    assert_eq!(updated["sortOrder"], 0);
    assert_eq!(updated["constraints"], json!([]));
    assert_eq!(updated["variants"], json!([]));
    assert_eq!(
        event_types(&server).await.last().unwrap(),
        "feature-strategy-update"
    );
    let refusal = server
        .put(&path, json!({ "constraints": "x" }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/constraints"]);
}

#[actix_web::test]
async fn a_flag_that_loses_its_last_enabled_strategy_is_turned_off() {
    let server = server_with("checkout").await;
    let id = add_strategy(&server, "checkout", json!({ "name": "default" })).await;
    let on = format!("{FEATURES}/checkout/environments/development/on");
    let path = format!("{}/{id}", strategies_of("checkout"));
    server.post(&on, json!({})).await.ok();
    server.put(&path, json!({ "disabled": true })).await.ok();
    assert_eq!(in_development(&server, "checkout").await["enabled"], false);
    server.put(&path, json!({ "disabled": false })).await.ok();
    server.post(&on, json!({})).await.ok();
    assert_eq!(server.delete(&path).await.status, 200);
    assert_eq!(in_development(&server, "checkout").await["enabled"], false);
    let types = event_types(&server).await;
    assert_eq!(
        types[types.len() - 2..],
        ["feature-strategy-remove", "feature-environment-disabled"]
    );
    server
        .delete(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn strategies_get_new_places_and_nothing_else() {
    let server = server_with("checkout").await;
    let first = add_strategy(&server, "checkout", full()).await;
    let second = add_strategy(&server, "checkout", json!({ "name": "default" })).await;
    let order = format!("{}/set-sort-order", strategies_of("checkout"));
    let body = json!([{ "id": first, "sortOrder": 9 }, { "id": second, "sortOrder": 5 }]);
    assert_eq!(server.post(&order, body).await.status, 200);
    let list = server.get(&strategies_of("checkout")).await.ok();
    assert_eq!(
        (&list[0]["id"], &list[0]["sortOrder"]),
        (&json!(second), &json!(5))
    );
    assert_eq!(list[1]["title"], "t");
    assert_eq!(
        event_types(&server).await.last().unwrap(),
        "strategy-order-changed"
    );
    for (body, path) in [
        (json!({}), "/body"),
        (json!([{ "id": first }]), "/body/0/sortOrder"),
        (json!([{ "id": first, "sortOrder": 1.5 }]), "/body/0/sortOrder"),
        (
            json!([{ "id": first, "sortOrder": 1 }, { "id": "nope", "sortOrder": 1 }]),
            "/body/1/id",
        ),
    ] {
        let refusal = server
            .post(&order, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), [path]);
    }
    assert_eq!(server.get(&strategies_of("checkout")).await.ok(), list);
}

async fn with_two_flags() -> (TestServer, String) {
    let server = server_with("mine").await;
    server.post(FEATURES, json!({ "name": "other" })).await.ok();
    let id = add_strategy(&server, "other", full()).await;
    (server, id)
}

#[actix_web::test]
async fn a_strategy_cannot_be_reached_through_another_flag_environment_or_project() {
    let (server, foreign) = with_two_flags().await;
    let before = server.get(&strategies_of("other")).await.ok();
    let others = [
        strategies_of("mine"),
        format!("{FEATURES}/other/environments/production/strategies"),
        format!("{FEATURES}/other/environments/nope/strategies"),
        "/api/admin/projects/nope/features/other/environments/development/strategies".to_owned(),
    ];
    for strategies in others {
        let path = format!("{strategies}/{foreign}");
        server
            .get(&path)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
        server
            .put(&path, json!({ "title": "x" }))
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
        server
            .patch(&path, json!([]))
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
        server
            .delete(&path)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let order = format!("{}/set-sort-order", strategies_of("mine"));
    let refused = server
        .post(&order, json!([{ "id": foreign, "sortOrder": 3 }]))
        .await;
    refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(server.get(&strategies_of("other")).await.ok(), before);
}

#[actix_web::test]
async fn a_strategy_can_only_be_added_where_there_is_a_flag_and_an_environment() {
    let server = server_with("checkout").await;
    let strategy = json!({ "name": "default" });
    let nowhere = format!("{FEATURES}/nope/environments/development/strategies");
    server
        .post(&nowhere, strategy.clone())
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .get(&nowhere)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let unused = format!("{FEATURES}/checkout/environments/nope/strategies");
    server
        .post(&unused, strategy)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server
        .get(&unused)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let order = format!("{unused}/set-sort-order");
    server
        .post(&order, json!([]))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}
