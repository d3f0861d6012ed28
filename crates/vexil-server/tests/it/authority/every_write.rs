//! Every route that may write, from the table of routes itself, asked for a protected environment by everybody who may
//! neither approve nor skip there: SDKs are told the same before and after, by every document.
//!
//! A route counts as tried where somebody got it done with such a request, an administrator if nobody else did. So a new
//! route without a request that it takes fails here.

use std::collections::BTreeSet;
use std::env;

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_access::{Permission, Scope};
use vexil_domain::ProjectId;
use vexil_server::{Route, all_routes};
use vexil_service::{InitialTokens, bootstrap};
use vexil_store::TokenKind;

use super::told::{PAGE, SERVER, told};
use crate::any_request::bodies::body;
use crate::any_request::world::World;
use crate::chance::Chance;
use crate::roles::{MEMBER, OWNER, give};
use crate::support::{ADMIN, AnyService, CLIENT, ask};
use crate::users::person;

/// How often everybody tries each route.
const TRIES: usize = 3;
/// So many routes are tried with one server.
const TOGETHER: usize = 12;
const PROJECT: &str = "/api/admin/projects/default";

fn writes(route: &Route) -> bool {
    !matches!(route.method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// A server whose production asks for more approvals than there are people, and who may try.
async fn protected(seed: u64) -> (World, Vec<(&'static str, String)>) {
    let mut world = World::new(seed).await;
    let tokens = vec![
        (TokenKind::Client, SERVER.to_owned()),
        (TokenKind::Frontend, PAGE.to_owned()),
    ];
    bootstrap(world.server.app(), &InitialTokens(tokens)).unwrap();
    world.calls(
        "environment",
        &["production", "production", "production", "development"],
    );
    world.calls("project", &["default", "default", "default", "shop", "empty"]);
    world.calls(
        "feature",
        &["checkout", "checkout", "banner", "parent", "cart", "old"],
    );
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 9 });
    let path = format!("{PROJECT}/environments/production/change-requests/config");
    world.server.put(&path, rule).await.ok();
    spare(&mut world).await;
    // on for everybody, so that whatever is lost shows
    let here = format!("{PROJECT}/features/checkout/environments/production");
    for strategy in [
        json!({ "name": "default" }),
        json!({ "name": "default", "segments": [1] }),
    ] {
        world
            .server
            .post(&format!("{here}/strategies"), strategy)
            .await
            .ok();
    }
    let mut callers = vec![
        ("nobody", String::new()),
        ("a stranger", "nobody".to_owned()),
        ("an SDK there", SERVER.to_owned()),
        ("a page there", PAGE.to_owned()),
        ("a Viewer who may approve and apply", world.callers[2].clone()),
    ];
    let server = &world.server;
    for (who, name, role) in [("a Member", "member", MEMBER), ("an Owner", "owner", OWNER)] {
        let someone = person(server, name, "Viewer").await;
        give(server, &someone, &[role]).await;
        callers.push((who, someone.token));
    }
    let plain = person(server, "plain", "Editor").await;
    callers.push(("an Editor", plain.token));
    callers.push(("an Editor who may approve and apply", world.callers[1].clone()));
    callers.push(("whoever may do everything else", everything_else(&world).await));
    (world, callers)
}

/// Things of every kind that may be edited and removed.
async fn spare(world: &mut World) {
    let server = world.server.clone();
    let make = async |path: &str, body: Value| server.post(path, body).await.ok();
    make("/api/admin/projects", json!({ "id": "empty", "name": "Empty" })).await;
    make(
        "/api/admin/segments",
        json!({ "name": "unused", "constraints": [] }),
    )
    .await;
    make("/api/admin/tag-types", json!({ "name": "team" })).await;
    make(
        "/api/admin/features/checkout/tags",
        json!({ "type": "simple", "value": "blue" }),
    )
    .await;
    let flag = format!("{PROJECT}/features/checkout");
    let variants = json!([{ "name": "v", "weight": 1000 }]);
    let variants = json!({ "environments": ["development"], "variants": variants });
    server.put(&format!("{flag}/variants-batch"), variants).await.ok();
    let link = json!({ "url": "https://example.org", "title": "a page" });
    server.post(&format!("{flag}/link"), link).await.ok();
    let link = server.get(&flag).await.ok()["links"][0]["id"].clone();
    world.calls("link", &[link.as_str().unwrap()]);
    let values = json!([{ "value": "NO" }]);
    make(
        "/api/admin/context",
        json!({ "name": "spare", "legalValues": values }),
    )
    .await;
    make(
        &format!("{PROJECT}/context"),
        json!({ "name": "tier", "legalValues": values }),
    )
    .await;
    let role = json!({ "name": "spare", "type": "custom", "permissions": [] });
    let role = make("/api/admin/roles", role).await["id"].to_string();
    let group = make("/api/admin/groups", json!({ "name": "spare" })).await["id"].to_string();
    let link = json!({ "name": "spare", "expiresAt": "2026-12-01T00:00:00Z" });
    let link = make("/api/admin/invite-link/tokens", link).await;
    let token = json!({ "tokenName": "t", "type": "client", "environment": "development" });
    let token = make(&format!("{PROJECT}/api-tokens"), token).await["id"].to_string();
    world.calls("role", &[&role]);
    world.calls("group", &[&group]);
    world.calls("token", &["5", link["secret"].as_str().unwrap(), &token]);
    world.calls("segment", &["1", "2", "3"]);
    world.calls("field", &["country", "spare", "tier"]);
    world.calls("value", &["NO", "blue"]);
    world.calls("type", &["simple"]);
    world.calls("notice", &["welcome"]);
    world.calls(
        "name",
        &["checkout", "development", "qa", "mine", "default", "team"],
    );
}

/// Somebody with every permission but those that get around the rule.
async fn everything_else(world: &World) -> String {
    let around = ["ADMIN", "SKIP_CHANGE_REQUEST", "PROJECT_CHANGE_REQUEST_WRITE"];
    let mut roles = Vec::new();
    for (kind, is_of_kind) in [
        (
            "root-custom",
            (|scope| scope == Scope::Instance) as fn(Scope) -> bool,
        ),
        ("custom", |scope| scope != Scope::Instance),
    ] {
        let permissions: Vec<_> = Permission::ALL
            .iter()
            .filter(|it| is_of_kind(it.scope()) && !around.contains(&it.name()))
            .map(|it| json!({ "name": it.name() }))
            .collect();
        let role = json!({ "name": format!("all {kind}"), "type": kind, "permissions": permissions });
        let made = world.server.post("/api/admin/roles", role).await.ok();
        roles.push(made["id"].as_i64().unwrap());
    }
    let someone = person(&world.server, "all", "Viewer").await;
    let path = format!("/api/admin/user-admin/{}", someone.id);
    world
        .server
        .put(&path, json!({ "rootRole": roles[0] }))
        .await
        .ok();
    give(&world.server, &someone, &[roles[1], OWNER, MEMBER]).await;
    someone.token
}

/// Sends a request with drawn names and a body that the route takes; what it was and what was answered.
async fn attempt(
    world: &World,
    service: &impl AnyService,
    route: &Route,
    token: &str,
    chance: &mut Chance,
) -> (u16, String) {
    let path = world.any_path(route, chance);
    let body = body(&format!("{} {}", route.method, route.path), world, chance);
    let text = body.unwrap_or_else(|| json!({})).to_string();
    let headers = [("authorization", token), ("content-type", "application/json")];
    let answer = ask(
        service,
        route.method.clone(),
        &path,
        &headers,
        text.clone().into(),
    )
    .await;
    assert!(
        answer.status < 500,
        "{} {path} {text}: {}",
        route.method,
        answer.text
    );
    (
        answer.status,
        format!(
            "{} {path} {text}: {} {}",
            route.method, answer.status, answer.text
        ),
    )
}

fn revision(world: &World) -> u64 {
    world.server.app().serving().revision.configuration
}

/// Routes that nobody gets done with what is drawn here: for people who sign in, for a link or a key that is not known
/// here, with a form, for a draft, questions that change nothing, and what would end the walk, since nothing is written
/// after it.
const ELSEWHERE: [&str; 17] = [
    "POST /api/admin/maintenance",
    "DELETE /api/admin/projects/{project}/change-requests/{id}/changes/{change}",
    "PUT /api/admin/projects/{project}/change-requests/{id}/changes/{change}",
    "POST /api/client/metrics/bulk",
    "POST /api/frontend/features/{name}",
    "DELETE /api/admin/projects/{project}/change-requests/{id}",
    "DELETE /api/admin/user/sessions/{id}",
    "POST /api/admin/auth/oidc/settings",
    "POST /api/admin/playground/changes/proof",
    "POST /api/admin/user/change-password",
    "POST /auth/reset/password",
    "POST /auth/reset/password-email",
    "POST /auth/simple/login",
    "POST /edge/issue-token",
    "POST /new-user",
    "POST /reset-password",
    "PUT /api/admin/auth/oidc/settings",
];

#[actix_web::test]
async fn no_write_route_changes_what_sdks_are_told_in_a_protected_environment() {
    let routes: Vec<Route> = all_routes().into_iter().filter(writes).collect();
    let (mut tried, mut not_done, mut found) = (0, Vec::new(), Vec::new());
    for (seed, some) in (0..).zip(routes.chunks(TOGETHER)) {
        let chance = &mut Chance::new(seed);
        let (world, callers) = protected(seed).await;
        let service = world.server.service().await;
        let before = told(&service).await;
        for route in some {
            let mut done = false;
            for (who, token) in &callers {
                for _ in 0..TRIES {
                    let known = revision(&world);
                    let (status, what) = attempt(&world, &service, route, token, chance).await;
                    tried += 1;
                    done |= status < 300;
                    if revision(&world) != known && told(&service).await != before {
                        found.push(format!("{who}: {what}"));
                    }
                }
            }
            if !done {
                not_done.push(route);
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    println!("{tried} requests by others");
    let mut never = BTreeSet::new();
    for route in not_done {
        let name = format!("{} {}", route.method, route.path);
        if let Some(last) = refused_to_administrators(route).await {
            println!("{last}");
            never.insert(name);
        }
    }
    let known: BTreeSet<String> = ELSEWHERE.iter().map(|name| (*name).to_owned()).collect();
    let unknown: Vec<&String> = never.difference(&known).collect();
    assert!(unknown.is_empty(), "nobody got these done: {unknown:?}");
}

/// The last refusal, where an administrator does not get a route done either.
async fn refused_to_administrators(route: &Route) -> Option<String> {
    let chance = &mut Chance::new(1);
    let (world, _) = protected(1).await;
    let service = world.server.service().await;
    let mut last = None;
    for at in 0..100 {
        // an API token is nobody who has sessions, and SDKs have tokens of their own
        let token = [ADMIN, &world.callers[3], CLIENT, PAGE][at % 4];
        let (status, what) = attempt(&world, &service, route, token, chance).await;
        if status < 400 {
            return None;
        }
        last = Some(what);
    }
    last
}

#[actix_web::test]
async fn no_sequence_of_writes_changes_what_sdks_are_told_in_a_protected_environment() {
    let walks: u64 = env::var("VEXIL_WALKS")
        .ok()
        .map_or(10, |text| text.parse().unwrap());
    let routes: Vec<Route> = all_routes().into_iter().filter(writes).collect();
    for seed in 0..walks {
        let chance = &mut Chance::new(7_000 + seed);
        let (world, callers) = protected(seed).await;
        let service = world.server.service().await;
        let before = told(&service).await;
        let (mut steps, mut known) = (Vec::new(), revision(&world));
        for _ in 0..300 {
            let (who, token) = chance.pick(&callers[4..]).clone();
            let route = chance.pick(&routes);
            let (status, what) = attempt(&world, &service, route, &token, chance).await;
            if status >= 300 {
                continue;
            }
            steps.push(format!("{who}: {what}"));
            if revision(&world) == known {
                continue;
            }
            known = revision(&world);
            assert_eq!(told(&service).await, before, "walk {seed}\n{}", steps.join("\n"));
        }
        assert!(steps.len() > 20, "{}", steps.len());
        let rule = world.server.app().serving().snapshot.projects[&ProjectId::from("default")].clone();
        assert!(format!("{rule:?}").contains('9'), "{rule:?}");
    }
}
