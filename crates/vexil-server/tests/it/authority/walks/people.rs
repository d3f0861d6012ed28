//! People with rights that are given and taken away, and what the test knows of them.

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::support::TestServer;
use crate::users::{Person, person};

pub(crate) const ABOUT_CHANGES: [&str; 3] = [
    "APPROVE_CHANGE_REQUEST",
    "APPLY_CHANGE_REQUEST",
    "SKIP_CHANGE_REQUEST",
];

/// What somebody may do in the project `default`. In the project `bank` only administrators may do anything
/// about changes.
#[derive(Debug, Default)]
pub(crate) struct Rights {
    pub(crate) admin: bool,
    pub(crate) held: BTreeSet<(&'static str, Option<&'static str>)>,
}

impl Rights {
    pub(crate) fn in_production(&self, permission: &'static str) -> bool {
        self.admin
            || self.held.contains(&(permission, None))
            || self.held.contains(&(permission, Some("production")))
    }

    fn drawn(chance: &mut Chance) -> Self {
        let mut held = BTreeSet::new();
        for permission in ABOUT_CHANGES {
            // skipping is rare, or hardly anything would need an approval
            let often = if permission.starts_with("SKIP") { 4 } else { 2 };
            if chance.one_in(often) {
                held.insert((
                    permission,
                    *chance.pick(&[None, Some("production"), Some("production"), Some("development")]),
                ));
            }
        }
        Self { admin: false, held }
    }
}

pub(crate) struct Walker {
    pub(crate) person: Person,
    pub(crate) rights: Rights,
}

const ROLES: [&str; 5] = ["Editor", "Editor", "Viewer", "Viewer", "Admin"];

impl Walker {
    /// Somebody new, who has the rights that chance gives.
    pub(crate) async fn new(server: &TestServer, number: usize, role: &str, chance: &mut Chance) -> Self {
        let name = format!("person-{number}");
        let person = person(server, &name, role).await;
        let mut walker = Self {
            person,
            rights: Rights {
                admin: role == "Admin",
                ..Rights::default()
            },
        };
        walker.grant(server, chance).await;
        walker
    }

    /// Others rights in the project.
    pub(crate) async fn grant(&mut self, server: &TestServer, chance: &mut Chance) {
        let drawn = Rights::drawn(chance);
        let permissions = drawn
            .held
            .iter()
            .map(|(permission, environment)| json!({ "permission": permission, "environment": environment }));
        let permissions: Vec<Value> = permissions.collect();
        let path = format!("/api/admin/projects/default/access/users/{}", self.person.id);
        server
            .put(&path, json!({ "permissions": permissions }))
            .await
            .ok();
        self.rights.held = drawn.held;
    }

    /// Another root role.
    pub(crate) async fn promote(&mut self, server: &TestServer, chance: &mut Chance) {
        let role = *chance.pick(&ROLES);
        let path = format!("/api/admin/user-admin/{}", self.person.id);
        server.put(&path, json!({ "rootRole": role })).await.ok();
        self.rights.admin = role == "Admin";
    }
}

/// Requests by which somebody might raise rights or get around the rule. None of them succeeds for whoever is no
/// administrator.
pub(crate) fn doors(own: i64, other: i64, chance: &mut Chance) -> (Method, String, Value) {
    let all: Vec<Value> = ABOUT_CHANGES
        .iter()
        .map(|permission| json!({ "permission": permission }))
        .collect();
    let rule = "/api/admin/projects/default/environments/production/change-requests/config";
    let token = json!({ "description": format!("t{}", chance.next()), "expiresAt": "2027-06-01T00:00:00Z" });
    match chance.below(9) {
        0 => (
            Method::PUT,
            format!("/api/admin/projects/default/access/users/{own}"),
            json!({ "permissions": all }),
        ),
        1 => (
            Method::PUT,
            format!("/api/admin/projects/bank/access/users/{own}"),
            json!({ "permissions": all }),
        ),
        2 => (
            Method::PUT,
            format!("/api/admin/user-admin/{own}"),
            json!({ "rootRole": "Admin" }),
        ),
        3 => (
            Method::POST,
            "/api/admin/user-admin".to_owned(),
            json!({ "username": format!("n{}", chance.next()), "rootRole": 1 }),
        ),
        4 => (
            Method::POST,
            "/api/admin/api-tokens".to_owned(),
            json!({ "tokenName": "t", "type": "admin" }),
        ),
        5 => (
            Method::POST,
            format!("/api/admin/user-admin/{other}/tokens"),
            token,
        ),
        6 => (
            Method::POST,
            format!("/api/admin/user-admin/{other}/change-password"),
            json!({ "password": "Xy7!pqRstuvw9" }),
        ),
        7 => (
            Method::PUT,
            rule.to_owned(),
            json!({ "changeRequestsEnabled": false }),
        ),
        _ => (
            Method::PUT,
            rule.to_owned(),
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 }),
        ),
    }
}
