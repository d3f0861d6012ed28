//! What goes with a project, an environment and a user: whatever gets the same name later inherits nothing.

use serde_json::json;

use super::{MEMBER, group, role};
use crate::support::TestServer;
use crate::users::person;

const SHOP: &str = "/api/admin/projects/shop";

async fn make_shop(server: &TestServer) {
    server
        .post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
        .await
        .ok();
}

#[actix_web::test]
async fn roles_and_tokens_end_with_their_project() {
    let server = TestServer::new();
    make_shop(&server).await;
    let ada = person(&server, "ada", "Viewer").await;
    let team = group(&server, "team", &[&ada]).await;
    let body = json!({ "roles": [MEMBER], "users": [ada.id], "groups": [team] });
    server.post(&format!("{SHOP}/access"), body).await.ok();
    for projects in [json!(["shop"]), json!(["default", "shop"])] {
        let body =
            json!({ "tokenName": "t", "type": "client", "environment": "development", "projects": projects });
        server.post("/api/admin/api-tokens", body).await.ok();
    }
    server.delete(SHOP).await.ok();
    make_shop(&server).await;
    let access = server.get(&format!("{SHOP}/access")).await.ok();
    assert_eq!((&access["users"], &access["groups"]), (&json!([]), &json!([])));
    let tokens = server.get("/api/admin/api-tokens/t").await.ok();
    let tokens: Vec<_> = tokens["tokens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["projects"].clone())
        .collect();
    assert_eq!(json!(tokens), json!([["default"]]));
}

#[actix_web::test]
async fn what_a_role_holds_in_an_environment_ends_with_it() {
    let server = TestServer::new();
    let environment = json!({ "name": "qa", "type": "test" });
    server
        .post("/api/admin/environments", environment.clone())
        .await
        .ok();
    let held = json!([
        { "name": "CREATE_FEATURE" },
        { "name": "UPDATE_FEATURE_ENVIRONMENT", "environment": "qa" },
    ]);
    let tester = role(&server, "Tester", held).await;
    server.delete("/api/admin/environments/qa").await.ok();
    server.post("/api/admin/environments", environment).await.ok();
    let left = server.get(&format!("/api/admin/roles/{tester}")).await.ok();
    let left: Vec<_> = left["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert_eq!(json!(left), json!(["CREATE_FEATURE"]));
}

#[actix_web::test]
async fn a_user_who_is_removed_leaves_every_group() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let team = group(&server, "team", &[&ada]).await;
    server
        .delete(&format!("/api/admin/user-admin/{}", ada.id))
        .await
        .ok();
    let shown = server.get(&format!("/api/admin/groups/{team}")).await.ok();
    assert_eq!((&shown["users"], &shown["userCount"]), (&json!([]), &json!(0)));
}
