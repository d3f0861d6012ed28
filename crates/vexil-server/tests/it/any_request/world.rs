//! A server with something of everything, and what things are called in it.

use std::collections::BTreeMap;

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_server::Route;

use super::bodies::strategy;
use crate::chance::Chance;
use crate::support::{ADMIN, CLIENT, FRONTEND, PRODUCTION_CLIENT, TestServer};
use crate::users::{grant, person};

/// A token that may be ended and removed, with the id 5.
const SPARE: &str = "default:development.spare";
const PROJECT: &str = "/api/admin/projects/default";

pub(crate) struct World {
    pub(crate) server: TestServer,
    /// Who asks: the first is an administrator.
    pub(crate) callers: Vec<String>,
    names: BTreeMap<&'static str, Vec<String>>,
}

impl World {
    pub(crate) async fn new(seed: u64) -> Self {
        Self::on(TestServer::new(), seed).await
    }

    /// The same on any server, which has nothing yet.
    pub(crate) async fn on(server: TestServer, seed: u64) -> Self {
        let chance = &mut Chance::new(seed);
        server.add_client_token(SPARE);
        let mut callers = vec![ADMIN.to_owned()];
        for (name, role) in [("ed", "Editor"), ("vi", "Viewer"), ("boss", "Admin")] {
            let person = person(&server, name, role).await;
            let both = [("APPROVE_CHANGE_REQUEST", None), ("APPLY_CHANGE_REQUEST", None)];
            grant(&server, &person, &both).await;
            callers.push(person.token);
        }
        callers.extend([CLIENT, FRONTEND, PRODUCTION_CLIENT, "", "nobody"].map(str::to_owned));
        let mut world = Self {
            server,
            callers,
            names: names(),
        };
        world.furnish(chance).await;
        world
    }

    /// What something is called that a path names.
    pub(crate) fn name(&self, parameter: &str, chance: &mut Chance) -> String {
        let known = self.names.get(parameter).filter(|names| !names.is_empty());
        known.map_or_else(|| "nothing".to_owned(), |names| chance.pick(names).clone())
    }

    /// Calls things by these names alone.
    pub(crate) fn calls(&mut self, parameter: &'static str, names: &[&str]) {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        self.names.insert(parameter, names);
    }

    /// The path of a route with names that are drawn.
    pub(crate) fn any_path(&self, route: &Route, chance: &mut Chance) -> String {
        self.path_with(route, |name| self.name(name, chance))
    }

    /// The path of a route with the first names of everything, which belong together.
    pub(crate) fn first_path(&self, route: &Route) -> String {
        self.path_with(route, |name| self.first(name))
    }

    /// The same with one of its names in place of what is there.
    pub(crate) fn path_without(&self, route: &Route, missing: &str, instead: &str) -> String {
        self.path_with(route, |name| {
            if name == missing {
                instead.to_owned()
            } else {
                self.first(name)
            }
        })
    }

    fn path_with(&self, route: &Route, mut named: impl FnMut(&str) -> String) -> String {
        let path = route.path.replace(":.*}", "}");
        route.parameters().fold(path, |path, name| {
            path.replace(&format!("{{{name}}}"), &named(name))
        })
    }

    fn first(&self, parameter: &str) -> String {
        let known = self.names.get(parameter).and_then(|names| names.first());
        known.cloned().unwrap_or_else(|| "1".to_owned())
    }

    async fn furnish(&mut self, chance: &mut Chance) {
        let post = async |path: &str, body: Value| self.server.post(path, body).await;
        post("/api/admin/environments", json!({ "name": "qa", "type": "test" }))
            .await
            .ok();
        post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
            .await
            .ok();
        for (name, project) in [("pilot", json!(null)), ("beta", json!("default"))] {
            let constraint = json!({ "contextName": "userId", "operator": "IN", "values": ["1"] });
            post(
                "/api/admin/segments",
                json!({ "name": name, "project": project, "constraints": [constraint] }),
            )
            .await
            .ok();
        }
        let country = json!({ "name": "country", "legalValues": [{ "value": "N" }, { "value": "NO" }] });
        post("/api/admin/context", country).await.ok();
        post(
            "/api/admin/strategies",
            json!({ "name": "mine", "parameters": [] }),
        )
        .await
        .ok();
        for (name, project) in [
            ("checkout", "default"),
            ("banner", "default"),
            ("parent", "default"),
            ("old", "default"),
            ("cart", "shop"),
        ] {
            post(
                &format!("/api/admin/projects/{project}/features"),
                json!({ "name": name }),
            )
            .await
            .ok();
        }
        let mut strategies = Vec::new();
        for (flag, environment) in [
            ("checkout", "development"),
            ("checkout", "production"),
            ("banner", "development"),
        ] {
            let here = format!("{PROJECT}/features/{flag}/environments/{environment}");
            for _ in 0..2 {
                let added = post(&format!("{here}/strategies"), strategy(chance)).await.ok();
                strategies.push(added["id"].as_str().unwrap().to_owned());
            }
            post(&format!("{here}/on"), json!({})).await.ok();
        }
        post(
            &format!("{PROJECT}/features/banner/dependencies"),
            json!({ "feature": "parent" }),
        )
        .await
        .ok();
        self.server.delete(&format!("{PROJECT}/features/old")).await.ok();
        self.names.insert("strategy", strategies);
        self.propose().await;
    }

    /// Change requests in several states.
    async fn propose(&mut self) {
        let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 });
        self.server
            .put(
                &format!("{PROJECT}/environments/production/change-requests/config"),
                rule,
            )
            .await
            .ok();
        let author = &self.callers[1];
        let (mut requests, mut changes) = (Vec::new(), Vec::new());
        for (environment, states) in [
            ("development", &["In review", "Approved"][..]),
            ("production", &["In review", "Approved", "Scheduled"]),
            ("production", &["In review"]),
            ("development", &[]),
        ] {
            let path = format!("{PROJECT}/environments/{environment}/change-requests");
            let body = json!([{ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": false } }]);
            let request = self
                .server
                .call(author, Method::POST, &path, Some(&body))
                .await
                .ok();
            let id = request["id"].to_string();
            for (step, state) in states.iter().enumerate() {
                let path = format!("{PROJECT}/change-requests/{id}/state");
                let body = match *state {
                    "Scheduled" => json!({ "state": state, "scheduledAt": "2026-11-27T13:00:00Z" }),
                    _ => json!({ "state": state }),
                };
                let who = &self.callers[if step == 0 { 1 } else { 2 }];
                self.server.call(who, Method::PUT, &path, Some(&body)).await.ok();
            }
            changes.push(request["features"][0]["changes"][0]["id"].to_string());
            requests.push(id);
        }
        self.names.insert("id", requests);
        self.names.insert("change", changes);
    }
}

fn names() -> BTreeMap<&'static str, Vec<String>> {
    let names: [(&str, &[&str]); 13] = [
        ("project", &["default", "shop"]),
        ("environment", &["development", "production", "qa"]),
        ("feature", &["checkout", "banner", "parent", "cart", "old"]),
        ("name", &["checkout", "development", "qa", "mine", "default"]),
        ("parent", &["parent", "checkout"]),
        ("segment", &["1", "2"]),
        ("field", &["userId", "country"]),
        ("kind", &["release", "kill-switch"]),
        ("application", &["app"]),
        ("token", &["5", SPARE]),
        ("page", &["", "projects/default"]),
        ("file", &["app.js"]),
        ("digest", &["x"]),
    ];
    names
        .into_iter()
        .map(|(parameter, names)| (parameter, names.iter().map(|name| (*name).to_owned()).collect()))
        .collect()
}
