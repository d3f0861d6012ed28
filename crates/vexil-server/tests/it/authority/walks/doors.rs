//! Requests by which somebody might raise rights or get around the rule.

use actix_web::http::Method;
use serde_json::{Value, json};

use super::people::{ABOUT_CHANGES, Office};
use crate::chance::Chance;

/// What a door leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leads {
    /// To the access of the project, which whoever keeps it may give to others.
    Access,
    /// To the rule, which whoever runs the project may ask for where there is none.
    Rule,
    /// To what only administrators may do.
    Nowhere,
}

/// One of them, for somebody with this number, and another one.
pub(crate) fn door(
    own: i64,
    other: i64,
    office: &Office,
    chance: &mut Chance,
) -> (Leads, Method, String, Value) {
    let all: Vec<Value> = ABOUT_CHANGES
        .iter()
        .map(|permission| json!({ "permission": permission }))
        .collect();
    let all = json!({ "permissions": all });
    let here = "/api/admin/projects/default";
    let rule = format!("{here}/environments/production/change-requests/config");
    let token = json!({ "description": format!("t{}", chance.next()), "expiresAt": "2027-06-01T00:00:00Z" });
    let role = office.any(chance);
    let (post, put) = (Method::POST, Method::PUT);
    let new_role = json!({ "name": format!("r{}", chance.next()), "type": "custom", "permissions": [{ "name": "SKIP_CHANGE_REQUEST" }] });
    let team = json!({ "name": "team", "users": [{ "user": { "id": own } }] });
    match chance.below(24) {
        0 => (Leads::Access, put, format!("{here}/access/users/{own}"), all),
        1 => (Leads::Access, put, format!("{here}/access/users/{other}"), all),
        2 => (
            Leads::Access,
            put,
            format!("{here}/users/{own}/roles"),
            json!({ "roles": [role] }),
        ),
        3 => (
            Leads::Access,
            put,
            format!("{here}/users/{other}/roles"),
            json!({ "roles": [role] }),
        ),
        4 => (
            Leads::Access,
            put,
            format!("{here}/groups/{}/roles", office.team),
            json!({ "roles": [role] }),
        ),
        5 => (
            Leads::Access,
            post,
            format!("{here}/access"),
            json!({ "roles": [role], "users": [own, other], "groups": [] }),
        ),
        6 => (
            Leads::Access,
            put,
            format!("{here}/access"),
            json!({ "roles": [{ "id": role, "users": [{ "id": own }], "groups": [{ "id": office.team }] }] }),
        ),
        7 => (
            Leads::Nowhere,
            put,
            format!("/api/admin/projects/bank/access/users/{own}"),
            all,
        ),
        8 => (
            Leads::Nowhere,
            put,
            format!("/api/admin/projects/bank/users/{own}/roles"),
            json!({ "roles": [4] }),
        ),
        9 => (
            Leads::Nowhere,
            post,
            "/api/admin/projects/bank/access".to_owned(),
            json!({ "roles": [role], "users": [own], "groups": [] }),
        ),
        10 => (
            Leads::Nowhere,
            put,
            "/api/admin/projects/bank/settings".to_owned(),
            json!({ "mode": "open" }),
        ),
        11 => (
            Leads::Nowhere,
            put,
            format!("/api/admin/user-admin/{own}"),
            json!({ "rootRole": "Admin" }),
        ),
        12 => (
            Leads::Nowhere,
            post,
            "/api/admin/user-admin".to_owned(),
            json!({ "username": format!("n{}", chance.next()), "rootRole": 1 }),
        ),
        13 => (
            Leads::Nowhere,
            post,
            "/api/admin/api-tokens".to_owned(),
            json!({ "tokenName": "t", "type": "admin" }),
        ),
        14 => (
            Leads::Nowhere,
            post,
            format!("/api/admin/user-admin/{other}/tokens"),
            token,
        ),
        15 => (
            Leads::Nowhere,
            post,
            format!("/api/admin/user-admin/{other}/change-password"),
            json!({ "password": "Xy7!pqRstuvw9" }),
        ),
        16 => (
            Leads::Nowhere,
            post,
            "/api/admin/user-admin/reset-password".to_owned(),
            json!({ "id": other }),
        ),
        17 => (Leads::Nowhere, post, "/api/admin/roles".to_owned(), new_role),
        18 => (Leads::Nowhere, put, format!("/api/admin/roles/{role}"), new_role),
        19 => (
            Leads::Nowhere,
            put,
            format!("/api/admin/groups/{}", office.team),
            team,
        ),
        20 => (
            Leads::Nowhere,
            post,
            "/api/admin/auth/simple/settings".to_owned(),
            json!({ "disabled": false }),
        ),
        21 => (
            Leads::Nowhere,
            post,
            "/api/admin/invite-link/tokens".to_owned(),
            json!({ "name": "i", "expiresAt": "2026-12-20T00:00:00Z", "rootRole": "Editor" }),
        ),
        22 => (Leads::Rule, put, rule, json!({ "changeRequestsEnabled": false })),
        _ => (
            Leads::Rule,
            put,
            rule,
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 }),
        ),
    }
}
