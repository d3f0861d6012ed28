//! Every route, asked by sessions, by custom roles, by Owners and Members, by groups, and by whoever is gone.

mod tokens;

use std::collections::BTreeMap;

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_access::{Permission, Scope};
use vexil_server::{Route, all_routes};
use vexil_service::permission::Access;

use crate::roles::{MEMBER, OWNER, give, group};
use crate::sign_in::{Browser, LOGIN, browser};
use crate::support::{Answer, TestServer};
use crate::users::{Person, person};

/// What a route answers: refused for the caller's sake, or anything else that is no fault of the server.
fn verdict(answer: &Answer, route: &Route) -> &'static str {
    assert!(
        answer.status < 500,
        "{} {}: {}",
        route.method,
        route.path,
        answer.text
    );
    match answer.status {
        401 => "401",
        403 if answer.json()["name"] == "PermissionError" => "403",
        _ => "ok",
    }
}

/// The path of a route in a project, where nothing else that it names is there.
fn path_in(route: &Route, project: &str) -> String {
    let path = route
        .path
        .replace("{project}", project)
        .replace("{environment}", "development");
    path.replace("{id}", "99999").replace('{', "no-").replace('}', "")
}

async fn ask(server: &TestServer, route: &Route, token: &str, project: &str) -> &'static str {
    let body = json!({});
    let sent = (route.method != "GET").then_some(&body);
    let answer = server
        .call(token, route.method.clone(), &path_in(route, project), sent)
        .await;
    verdict(&answer, route)
}

/// The routes that ask for permissions, with these.
fn guarded() -> Vec<(Route, &'static [Permission])> {
    let routes = all_routes().into_iter();
    let guarded = routes.filter_map(|route| match route.access {
        Access::Holds(permissions) => Some((route, permissions)),
        _ => None,
    });
    guarded.collect()
}

async fn session(server: &TestServer, who: &Person) -> Browser {
    let body = json!({ "token": who.token }).to_string();
    let answer = server
        .send(Method::POST, LOGIN, &[("content-type", "application/json")], body)
        .await;
    answer.ok();
    browser(server, &answer)
}

/// A role of either kind with these permissions.
async fn role(server: &TestServer, kind: &str, name: &str, permissions: &[Permission]) -> i64 {
    let permissions: Vec<Value> = permissions
        .iter()
        .map(|it| json!({ "name": it.name() }))
        .collect();
    let body = json!({ "name": name, "type": kind, "permissions": permissions });
    server.post("/api/admin/roles", body).await.ok()["id"]
        .as_i64()
        .unwrap()
}

/// Somebody who has exactly these permissions: in the instance, and in the default project.
async fn holder(server: &TestServer, name: &str, permissions: &[Permission]) -> Person {
    let (instance, project): (Vec<Permission>, Vec<Permission>) =
        permissions.iter().partition(|it| it.scope() == Scope::Instance);
    let who = person(server, name, "Viewer").await;
    let root = role(server, "root-custom", &format!("root of {name}"), &instance).await;
    let path = format!("/api/admin/user-admin/{}", who.id);
    server.put(&path, json!({ "rootRole": root })).await.ok();
    if !project.is_empty() {
        let own = role(server, "custom", &format!("project of {name}"), &project).await;
        give(server, &who, &[own]).await;
    }
    who
}

#[actix_web::test]
async fn every_route_answers_a_session_as_the_token_of_its_owner() {
    let server = TestServer::new();
    let mut people = Vec::new();
    for (name, role) in [("viewer", "Viewer"), ("editor", "Editor"), ("admin", "Admin")] {
        let who = person(&server, name, role).await;
        let browser = session(&server, &who).await;
        people.push((who, browser));
    }
    for route in all_routes() {
        // these end the session or begin another
        let ends = route.method == "DELETE" && route.path == "/api/admin/user/sessions";
        if ends || route.path == "/logout" || route.path.starts_with("/auth/") {
            continue;
        }
        for (who, browser) in &people {
            let by_token = ask(&server, &route, &who.token, "no-project").await;
            let body = json!({});
            let sent = (route.method != "GET").then_some(&body);
            let answer = browser
                .call(route.method.clone(), &path_in(&route, "no-project"), sent)
                .await;
            // SDKs show tokens, never cookies
            let wanted = match route.access {
                Access::Client | Access::Frontend | Access::AnySdk => "403",
                _ => by_token,
            };
            assert_eq!(
                verdict(&answer, &route),
                wanted,
                "{} {}",
                route.method,
                route.path
            );
        }
    }
}

#[actix_web::test]
async fn every_route_wants_one_of_its_permissions_and_no_other_opens_it() {
    let server = TestServer::new();
    let all = || {
        Permission::ALL
            .iter()
            .copied()
            .filter(|it| *it != Permission::Admin)
    };
    let mut with: BTreeMap<&str, Person> = BTreeMap::new();
    let mut without: BTreeMap<String, Person> = BTreeMap::new();
    for (route, permissions) in guarded() {
        let told = format!("{} {} {permissions:?}", route.method, route.path);
        let key = format!("{permissions:?}");
        if !without.contains_key(&key) {
            let others: Vec<Permission> = all().filter(|it| !permissions.contains(it)).collect();
            let name = format!("without-{}", without.len());
            without.insert(key.clone(), holder(&server, &name, &others).await);
        }
        let project = if route.path.contains("{project}") {
            "default"
        } else {
            "no"
        };
        assert_eq!(
            ask(&server, &route, &without[&key].token, project).await,
            "403",
            "without: {told}"
        );
        for permission in permissions.iter().filter(|it| **it != Permission::Admin) {
            if !with.contains_key(permission.name()) {
                let name = format!("with-{}", with.len());
                with.insert(permission.name(), holder(&server, &name, &[*permission]).await);
            }
            let who = &with[permission.name()];
            assert_eq!(
                ask(&server, &route, &who.token, project).await,
                "ok",
                "with {permission:?}: {told}"
            );
            if permission.scope() != Scope::Instance && project == "default" {
                assert_eq!(
                    ask(&server, &route, &who.token, "other").await,
                    "403",
                    "elsewhere: {told}"
                );
            }
        }
    }
    assert!(with.len() > 30, "{}", with.len());
}

#[actix_web::test]
async fn owners_members_and_groups_have_what_the_roles_give_in_their_project_alone() {
    let server = TestServer::new();
    server
        .post("/api/admin/projects", json!({ "id": "other", "name": "Other" }))
        .await
        .ok();
    let owner = person(&server, "owner", "Viewer").await;
    let member = person(&server, "member", "Viewer").await;
    let grouped = person(&server, "grouped", "Viewer").await;
    give(&server, &owner, &[OWNER]).await;
    give(&server, &member, &[MEMBER]).await;
    let team = group(&server, "team", &[&grouped]).await;
    let path = format!("/api/admin/projects/default/groups/{team}/roles");
    server.put(&path, json!({ "roles": [MEMBER] })).await.ok();
    // what runs a project, as the page on access says
    let runs = [
        "UPDATE_PROJECT",
        "DELETE_PROJECT",
        "PROJECT_USER_ACCESS_WRITE",
        "PROJECT_DEFAULT_STRATEGY_WRITE",
        "PROJECT_SETTINGS_WRITE",
        "CREATE_PROJECT_API_TOKEN",
        "DELETE_PROJECT_API_TOKEN",
    ];
    let looks = ["PROJECT_USER_ACCESS_READ", "READ_PROJECT_API_TOKEN"];
    for (route, permissions) in guarded() {
        if !route.path.contains("{project}") {
            continue;
        }
        let told = format!("{} {} {permissions:?}", route.method, route.path);
        let named: Vec<&str> = permissions.iter().map(|it| it.name()).collect();
        let is_run = named.iter().all(|name| runs.contains(name));
        assert_eq!(
            ask(&server, &route, &owner.token, "default").await,
            "ok",
            "owner: {told}"
        );
        for who in [&member, &grouped] {
            let wanted = if is_run { "403" } else { "ok" };
            assert_eq!(
                ask(&server, &route, &who.token, "default").await,
                wanted,
                "member: {told}"
            );
        }
        if !named.iter().any(|name| looks.contains(name)) {
            for who in [&owner, &member, &grouped] {
                assert_eq!(
                    ask(&server, &route, &who.token, "other").await,
                    "403",
                    "elsewhere: {told}"
                );
            }
        }
    }
}

#[actix_web::test]
async fn whoever_is_gone_is_nobody_on_every_route() {
    let server = TestServer::new();
    let gone = person(&server, "gone", "Admin").await;
    let browser = session(&server, &gone).await;
    let token = server
        .post(
            "/api/admin/api-tokens",
            json!({ "tokenName": "t", "type": "admin" }),
        )
        .await
        .ok();
    let token = token["secret"].as_str().unwrap().to_owned();
    server
        .delete(&format!("/api/admin/user-admin/{}", gone.id))
        .await
        .ok();
    server
        .delete(&format!("/api/admin/api-tokens/{token}"))
        .await
        .ok();
    for route in all_routes() {
        if matches!(route.access, Access::Open) {
            continue;
        }
        for token in [&gone.token, &token] {
            assert_eq!(
                ask(&server, &route, token, "default").await,
                "401",
                "{} {}",
                route.method,
                route.path
            );
        }
        let body = json!({});
        let sent = (route.method != "GET").then_some(&body);
        let answer = browser
            .call(route.method.clone(), &path_in(&route, "default"), sent)
            .await;
        assert_eq!(verdict(&answer, &route), "401", "{} {}", route.method, route.path);
    }
}
