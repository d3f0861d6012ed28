//! Users, their personal access tokens and grants; and who may do what with change requests.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::datetime;

use crate::support::{ADMIN, Answer, START, TestServer};

/// When the tokens of [`person_until`] in these tests end.
pub const EXPIRED: OffsetDateTime = datetime!(2026-11-28 12:00 UTC);
const PASSWORD: &str = "Xy7!pqRstuvw9";
const PRODUCTION: &str = "/api/admin/projects/default/environments/production/change-requests";

/// A user with a personal access token.
pub struct Person {
    pub id: i64,
    pub token: String,
}

pub async fn person(server: &TestServer, name: &str, role: &str) -> Person {
    person_until(server, name, role, START + time::Duration::days(365)).await
}

pub async fn person_until(server: &TestServer, name: &str, role: &str, end: OffsetDateTime) -> Person {
    let body = json!({ "username": name, "rootRole": role });
    let user = server.post("/api/admin/user-admin", body).await.ok();
    let id = user["id"].as_i64().unwrap();
    let body = json!({ "description": "test", "expiresAt": end.format(&Rfc3339).unwrap() });
    let path = format!("/api/admin/user-admin/{id}/tokens");
    let token = server.post(&path, body).await.ok();
    let token = token["secret"].as_str().unwrap().to_owned();
    Person { id, token }
}

pub async fn grant(server: &TestServer, who: &Person, permissions: &[(&str, Option<&str>)]) {
    let permissions: Vec<Value> = permissions
        .iter()
        .map(|(permission, environment)| json!({ "permission": permission, "environment": environment }))
        .collect();
    let path = format!("/api/admin/projects/default/access/users/{}", who.id);
    server
        .put(&path, json!({ "permissions": permissions }))
        .await
        .ok();
}

async fn call(server: &TestServer, who: &Person, method: Method, path: &str, body: Value) -> Answer {
    server.call(&who.token, method, path, Some(&body)).await
}

#[track_caller]
fn forbidden(answer: &Answer, permissions: &[&str]) {
    let body = answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    let named = body.get("permissions").cloned().unwrap_or_else(|| json!([]));
    assert_eq!(named, json!(permissions), "{body}");
}

/// A server with the flag `checkout`, whose changes in production need two approvals.
async fn protected() -> TestServer {
    let server = TestServer::new();
    server
        .post(
            "/api/admin/projects/default/features",
            json!({ "name": "checkout" }),
        )
        .await
        .ok();
    let path = "/api/admin/projects/default/environments/production/change-requests/config";
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 2 });
    server.put(path, rule).await.ok();
    server
}

async fn propose(server: &TestServer, who: &Person) -> String {
    let change = json!({ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": true } });
    let request = call(server, who, Method::POST, PRODUCTION, change).await.ok();
    let path = format!(
        "/api/admin/projects/default/change-requests/{}/state",
        request["id"]
    );
    call(server, who, Method::PUT, &path, json!({ "state": "In review" }))
        .await
        .ok();
    path
}

async fn to(server: &TestServer, who: &Person, path: &str, state: &str) -> Answer {
    call(server, who, Method::PUT, path, json!({ "state": state })).await
}

#[actix_web::test]
async fn a_user_is_created_changed_and_removed() {
    let server = TestServer::new();
    let all = "/api/admin/user-admin";
    let body = json!({ "email": "ada@example.com", "username": "ada", "rootRole": 2, "password": PASSWORD });
    let user = server.post(all, body.clone()).await.ok();
    assert_eq!((&user["username"], &user["rootRole"]), (&json!("ada"), &json!(2)));
    assert!(!user.to_string().contains("argon2"), "{user}");
    server
        .post(all, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let one = format!("{all}/{}", user["id"]);
    let edited = server
        .put(&one, json!({ "name": "Ada", "rootRole": "Viewer" }))
        .await
        .ok();
    assert_eq!((&edited["name"], &edited["rootRole"]), (&json!("Ada"), &json!(3)));
    assert_eq!(server.get(&one).await.ok(), edited);
    let listed = server.get(all).await.ok();
    assert_eq!(listed["users"], json!([edited]));
    assert_eq!(listed["rootRoles"].as_array().unwrap().len(), 3);
    server.delete(&one).await.ok();
    server
        .get(&one)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .delete(&one)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn what_is_wrong_with_a_user_is_told() {
    let server = TestServer::new();
    let bad = [
        json!({ "rootRole": 2 }),
        json!({ "username": "x" }),
        json!({ "username": "x", "rootRole": 4 }),
        json!({ "email": "bad", "rootRole": 1 }),
    ];
    for body in bad {
        let answer = server.post("/api/admin/user-admin", body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let weak = json!({ "username": "x", "rootRole": 1, "password": "Short" });
    let answer = server.post("/api/admin/user-admin", weak).await;
    let body = answer.refused(StatusCode::BAD_REQUEST, "OwaspValidationError");
    let rules = json!([
        "The password must be at least 10 characters long.",
        "The password must contain at least one number.",
        "The password must contain at least one special character.",
    ]);
    assert_eq!(body["details"][0]["validationErrors"], rules);
    assert_eq!(server.get("/api/admin/user-admin").await.ok()["users"], json!([]));
}

#[actix_web::test]
async fn the_documents_of_users_lead_to_no_other_site() {
    let server = TestServer::new();
    person(&server, "ada", "Viewer").await;
    for path in ["user-admin", "user-admin/access", "user-admin/search?q=ada"] {
        let answer = server.get(&format!("/api/admin/{path}")).await;
        assert!(answer.text.contains("ada"), "{}", answer.text);
        assert!(!answer.text.contains("//"), "{}", answer.text);
    }
}

#[actix_web::test]
async fn a_personal_token_is_shown_once_and_ends() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let tokens = "/api/admin/user/tokens";
    let body = json!({ "description": "laptop", "expiresAt": EXPIRED.format(&Rfc3339).unwrap() });
    let made = call(&server, &ada, Method::POST, tokens, body.clone()).await.ok();
    let secret = made["secret"].as_str().unwrap();
    assert!(secret.starts_with("user:"), "{secret}");
    let again = call(&server, &ada, Method::POST, tokens, body.clone()).await;
    again.refused(StatusCode::CONFLICT, "NameExistsError");
    let listed = server.call(&ada.token, Method::GET, tokens, None).await.text;
    assert!(listed.contains("laptop") && !listed.contains(secret), "{listed}");
    let me = |token: String| {
        let server = server.clone();
        async move { server.call(&token, Method::GET, "/api/admin/user", None).await }
    };
    assert_eq!(me(secret.to_owned()).await.ok()["user"]["username"], "ada");
    server.set_time(EXPIRED);
    me(secret.to_owned())
        .await
        .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
    let path = format!("{tokens}/{}", made["id"]);
    call(&server, &ada, Method::DELETE, &path, json!({})).await.ok();
    assert_eq!(
        server
            .store
            .load()
            .unwrap()
            .users
            .values()
            .next()
            .unwrap()
            .tokens
            .len(),
        1
    );
    server
        .call(ADMIN, Method::GET, tokens, None)
        .await
        .refused(StatusCode::FORBIDDEN, "ForbiddenError");
}

/// Asserts that an edit needs the permission to skip change requests.
async fn needs_skip(server: &TestServer, who: &Person, method: Method, path: &str) {
    let answer = call(server, who, method, path, json!({})).await;
    forbidden(&answer, &["SKIP_CHANGE_REQUEST"]);
}

#[actix_web::test]
async fn an_edit_of_a_protected_environment_needs_the_permission_to_skip() {
    let server = protected().await;
    let editor = person(&server, "editor", "Editor").await;
    let flag = "/api/admin/projects/default/features/checkout";
    let [on, off] = ["on", "off"].map(|switch| format!("{flag}/environments/production/{switch}"));
    needs_skip(&server, &editor, Method::POST, &on).await;
    grant(&server, &editor, &[("SKIP_CHANGE_REQUEST", Some("development"))]).await;
    needs_skip(&server, &editor, Method::POST, &on).await;
    grant(&server, &editor, &[("SKIP_CHANGE_REQUEST", Some("production"))]).await;
    call(&server, &editor, Method::POST, &on, json!({})).await.ok();
    let elsewhere = on.replace("production", "development");
    server.post(&elsewhere, json!({})).await.ok();
    let rule = "/api/admin/projects/default/environments/development/change-requests/config";
    let body = json!({ "changeRequestsEnabled": true });
    server.put(rule, body).await.ok();
    needs_skip(&server, &editor, Method::DELETE, flag).await;
    grant(&server, &editor, &[("SKIP_CHANGE_REQUEST", None)]).await;
    call(&server, &editor, Method::POST, &off, json!({})).await.ok();
    call(&server, &editor, Method::DELETE, flag, json!({})).await.ok();
}

#[actix_web::test]
async fn a_change_request_needs_two_different_people_who_may_approve() {
    let server = protected().await;
    let author = person(&server, "author", "Editor").await;
    let (one, other) = (
        person(&server, "one", "Viewer").await,
        person(&server, "other", "Viewer").await,
    );
    let stranger = person(&server, "stranger", "Editor").await;
    for who in [&author, &one, &other] {
        grant(&server, who, &[("APPROVE_CHANGE_REQUEST", Some("production"))]).await;
    }
    let path = propose(&server, &author).await;
    forbidden(
        &to(&server, &stranger, &path, "Approved").await,
        &["APPROVE_CHANGE_REQUEST"],
    );
    forbidden(
        &to(&server, &stranger, &path, "Rejected").await,
        &["APPROVE_CHANGE_REQUEST"],
    );
    assert!(to(&server, &author, &path, "Approved").await.status >= 400);
    assert_eq!(
        to(&server, &one, &path, "Approved").await.ok()["state"],
        "In review"
    );
    assert!(to(&server, &one, &path, "Approved").await.status >= 400);
    assert_eq!(
        to(&server, &other, &path, "Approved").await.ok()["state"],
        "Approved"
    );
    forbidden(
        &to(&server, &other, &path, "Applied").await,
        &["APPLY_CHANGE_REQUEST"],
    );
    let both = [("APPLY_CHANGE_REQUEST", None), ("APPROVE_CHANGE_REQUEST", None)];
    grant(&server, &other, &both).await;
    assert_eq!(
        to(&server, &other, &path, "Applied").await.ok()["state"],
        "Applied"
    );
}

#[actix_web::test]
async fn an_admin_may_approve_and_apply_what_is_their_own() {
    let server = protected().await;
    let (admin, other) = (
        person(&server, "admin", "Admin").await,
        person(&server, "root", "Admin").await,
    );
    let path = propose(&server, &admin).await;
    to(&server, &admin, &path, "Approved").await.ok();
    assert_eq!(
        to(&server, &other, &path, "Approved").await.ok()["state"],
        "Approved"
    );
    assert_eq!(
        to(&server, &admin, &path, "Applied").await.ok()["state"],
        "Applied"
    );
}

#[actix_web::test]
async fn one_who_may_approve_may_reject_and_is_offered_as_a_reviewer() {
    let server = protected().await;
    let author = person(&server, "author", "Viewer").await;
    let reviewer = person(&server, "reviewer", "Viewer").await;
    grant(
        &server,
        &reviewer,
        &[("APPROVE_CHANGE_REQUEST", Some("production"))],
    )
    .await;
    let offered = |environment: &str| {
        let path = format!("/api/admin/projects/default/change-requests/available-reviewers/{environment}");
        let server = server.clone();
        async move {
            let reviewers = server.get(&path).await.ok()["reviewers"].clone();
            let ids = reviewers
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["id"].as_i64().unwrap());
            ids.filter(|id| *id > 0).collect::<Vec<_>>()
        }
    };
    assert_eq!(offered("production").await, [reviewer.id]);
    assert!(offered("development").await.is_empty());
    let path = propose(&server, &author).await;
    assert_eq!(
        to(&server, &reviewer, &path, "Rejected").await.ok()["state"],
        "Rejected"
    );
    let access = server.get("/api/admin/projects/default/access").await.ok();
    assert_eq!(
        access["users"][0]["permissions"][0]["permission"],
        "APPROVE_CHANGE_REQUEST"
    );
}

#[actix_web::test]
async fn a_request_says_whether_one_may_approve_and_apply_it_and_why_not() {
    let server = protected().await;
    let author = person(&server, "author", "Editor").await;
    let reviewer = person(&server, "reviewer", "Viewer").await;
    for one in [&author, &reviewer] {
        let granted = [
            ("APPROVE_CHANGE_REQUEST", Some("production")),
            ("APPLY_CHANGE_REQUEST", None),
        ];
        grant(&server, one, &granted).await;
    }
    let path = propose(&server, &author).await;
    let one = path.strip_suffix("/state").unwrap();
    let seen = |token: String| {
        let (server, one) = (server.clone(), one.to_owned());
        async move { server.call(&token, Method::GET, &one, None).await.ok() }
    };
    let own = seen(author.token.clone()).await;
    assert_eq!(
        (&own["mayApprove"], &own["mayApply"]),
        (&json!(false), &json!(false))
    );
    assert!(
        own["mayNotApproveBecause"].as_str().unwrap().contains("own"),
        "{own}"
    );
    let theirs = seen(reviewer.token.clone()).await;
    assert_eq!(
        (&theirs["mayApprove"], &theirs["mayApply"]),
        (&json!(true), &json!(false))
    );
    assert!(
        theirs["mayNotApplyBecause"].is_string() && theirs.get("mayNotApproveBecause").is_none(),
        "{theirs}"
    );
    let second = person(&server, "second", "Viewer").await;
    grant(
        &server,
        &second,
        &[("APPROVE_CHANGE_REQUEST", Some("production"))],
    )
    .await;
    for one in [&reviewer, &second] {
        to(&server, one, &path, "Approved").await.ok();
    }
    let approved = seen(reviewer.token.clone()).await;
    assert!(
        approved["mayApply"] == json!(true) && approved.get("mayNotApplyBecause").is_none(),
        "{approved}"
    );
    to(&server, &reviewer, &path, "Applied").await.ok();
}

#[actix_web::test]
async fn a_grant_ends_with_its_project() {
    let server = TestServer::new();
    let project = json!({ "id": "shop", "name": "Shop" });
    server.post("/api/admin/projects", project.clone()).await.ok();
    let ada = person(&server, "ada", "Viewer").await;
    let body = json!({ "permissions": [{ "permission": "SKIP_CHANGE_REQUEST" }] });
    let access = "/api/admin/projects/shop/access";
    server.put(&format!("{access}/users/{}", ada.id), body).await.ok();
    assert_eq!(server.get(access).await.ok()["users"][0]["id"], ada.id);
    server.delete("/api/admin/projects/shop").await.ok();
    server.post("/api/admin/projects", project).await.ok();
    assert_eq!(server.get(access).await.ok()["users"], json!([]));
}
