//! For every route that takes a body one that it takes.

use serde_json::{Value, json};

use super::world::World;
use crate::chance::Chance;

/// A body for a route, unless it takes none.
pub(crate) fn body(route: &str, world: &World, chance: &mut Chance) -> Option<Value> {
    let flag = world.name("feature", chance);
    let new = format!("new-{}", chance.below(1000));
    let segment = chance.below(4);
    let (_, path) = route.split_once(' ').unwrap();
    Some(match route {
        "POST /auth/simple/login" => chance
            .pick(&[
                json!({ "username": "ed", "password": "Xy7!pqRstuvw9" }),
                json!({ "token": "nobody" }),
            ])
            .clone(),
        "POST /api/client/register"
        | "POST /api/frontend/client/register"
        | "POST /api/proxy/client/register" => register(),
        "POST /api/client/metrics"
        | "POST /api/frontend/client/metrics"
        | "POST /api/proxy/client/metrics" => metrics(&flag),
        "POST /api/client/metrics/bulk" => bulk(&flag),
        _ if path.starts_with("/api/frontend") || path.starts_with("/api/proxy") => {
            json!({ "context": context(chance) })
        }
        _ if path.starts_with("/ofrep") => {
            json!({ "context": { "targetingKey": "u", "country": "NO", "age": chance.below(99), "deep": { "a": [1] } } })
        }
        "POST /api/admin/client-metrics/minutes" => json!({ "features": [flag, "nobody"] }),
        "POST /edge/issue-token" => {
            json!({ "tokens": [{ "environment": "development", "projects": ["*"] }] })
        }
        "POST /edge/validate" => json!({ "tokens": [crate::support::CLIENT, "nobody"] }),
        "POST /api/admin/playground/advanced" => {
            json!({ "environments": ["development", "production"], "projects": ["default"], "context": context(chance) })
        }
        "POST /api/admin/playground" => {
            json!({ "environment": "development", "projects": "*", "context": context(chance) })
        }
        "POST /api/admin/playground/change-request/{id}" => json!({ "context": context(chance) }),
        "POST /api/admin/playground/change-request/{id}/proof" => {
            json!({ "never": ["country=DK"], "only": ["country=NO,SE"], "atMost": "50%" })
        }
        "POST /api/admin/playground/proof" => {
            json!({ "before": { "environment": "development" }, "after": { "environment": "production" }, "project": "default", "atMost": "5%" })
        }
        _ if path.starts_with("/api/admin/playground") => question(path, &flag, world, chance),
        "PUT /api/admin/projects/{project}/environments/{environment}/change-requests/config" => {
            json!({ "changeRequestsEnabled": chance.one_in(2), "requiredApprovals": 1 + chance.below(3) })
        }
        "PUT /api/admin/projects/{project}/change-requests/{id}/title" => json!({ "title": "Open it" }),
        "PUT /api/admin/projects/{project}/change-requests/{id}/approvers" => json!({ "reviewers": [1, 2] }),
        "POST /api/admin/projects/{project}/change-requests/{id}/comments" => json!({ "text": "Why?" }),
        "PUT /api/admin/projects/{project}/change-requests/{id}/state" => state(chance),
        "PUT /api/admin/projects/{project}/change-requests/{id}/changes/{change}" => {
            change(&flag, world, chance)
        }
        "POST /api/admin/projects/{project}/environments/{environment}/change-requests" => Value::Array(
            (0..1 + chance.below(4))
                .map(|_| change(&flag, world, chance))
                .collect(),
        ),
        "POST /api/admin/projects" => {
            json!({ "id": new, "name": "New", "description": "d", "environments": ["development"], "changeRequestEnvironments": [{ "name": "development", "requiredApprovals": 2 }] })
        }
        "PUT /api/admin/projects/{project}" => {
            json!({ "name": "Other", "description": "d", "defaultStickiness": "userId" })
        }
        "POST /api/admin/projects/{project}/environments" => {
            json!({ "environment": "qa", "changeRequestsEnabled": true })
        }
        "POST /api/admin/environments" => {
            json!({ "name": new, "type": "test", "sortOrder": 3, "requiredApprovals": 1 })
        }
        "PUT /api/admin/environments/sort-order" => json!({ "development": 2, "production": 1 }),
        "PUT /api/admin/environments/update/{name}" => {
            json!({ "type": "test", "sortOrder": 7, "enabled": true })
        }
        "POST /api/admin/features-batch/export" => {
            json!({ "environment": "development", "features": [flag, "nobody"], "downloadFile": true })
        }
        "POST /api/admin/features-batch/validate" | "POST /api/admin/features-batch/import" => {
            import(&flag, &new, chance)
        }
        "PUT /api/admin/projects/{project}/features/{feature}/environments/{environment}/variants" => {
            json!([{ "name": "v", "weight": 1000, "weightType": "variable", "stickiness": "default" }])
        }
        "PATCH /api/admin/projects/{project}/features/{feature}/environments/{environment}/variants" => {
            json!([{ "op": "add", "path": "/-", "value": { "name": "w", "weight": 1 } }])
        }
        "PUT /api/admin/projects/{project}/features/{feature}/variants-batch" => {
            json!({ "environments": ["development", "production"], "variants": [{ "name": "v", "weight": 1000 }] })
        }
        "POST /api/admin/projects/{project}/features" => {
            json!({ "name": new, "type": "release", "description": "d", "impressionData": true })
        }
        "PUT /api/admin/projects/{project}/features/{feature}" => {
            json!({ "name": flag, "type": "release", "description": "d", "impressionData": false, "stale": true, "archived": false })
        }
        "PATCH /api/admin/projects/{project}/features/{feature}" => {
            json!([{ "op": "replace", "path": "/stale", "value": true }, { "op": "test", "path": "/name", "value": flag }])
        }
        "PATCH /api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/{strategy}" =>
        {
            json!([{ "op": "replace", "path": "/parameters/rollout", "value": "20" }, { "op": "copy", "from": "/parameters/rollout", "path": "/title" }])
        }
        "POST /api/admin/projects/{project}/features/{feature}/clone" => {
            json!({ "name": new, "replaceGroupId": true })
        }
        "POST /api/admin/projects/{project}/features/{feature}/changeProject" => {
            json!({ "newProjectId": world.name("project", chance) })
        }
        "POST /api/admin/projects/{project}/features/{feature}/link"
        | "PUT /api/admin/projects/{project}/features/{feature}/link/{link}" => {
            json!({ "url": format!("https://example.com/{new}"), "title": new })
        }
        "POST /api/admin/projects/{project}/features/{feature}/lifecycle/complete" => {
            json!({ "status": "kept", "statusValue": "blue" })
        }
        "POST /api/admin/features/validate" | "POST /api/admin/segments/validate" => json!({ "name": new }),
        "POST /api/admin/projects/{project}/stale" => json!({ "features": [flag], "stale": true }),
        "POST /api/admin/projects/{project}/features/{feature}/dependencies" => {
            json!({ "feature": flag, "enabled": true, "variants": ["blue"] })
        }
        "POST /api/admin/projects/{project}/environments/{environment}/default-strategy" => strategy(chance),
        "POST /api/admin/segments" | "PUT /api/admin/segments/{segment}" => {
            json!({ "name": new, "description": "d", "project": "shop", "constraints": [constraint(chance)] })
        }
        "POST /api/admin/segments/strategies" => {
            json!({ "projectId": "default", "strategyId": world.name("strategy", chance), "environmentId": world.name("environment", chance), "segmentIds": [segment] })
        }
        "POST /api/admin/strategies" => {
            json!({ "name": new, "description": "d", "parameters": [parameter()] })
        }
        "PUT /api/admin/strategies/{name}" => json!({ "description": "d", "parameters": [parameter()] }),
        "POST /api/admin/constraints/validate" => constraint(chance),
        "POST /api/admin/api-tokens" => {
            json!({ "tokenName": new, "type": chance.pick(&["client", "frontend", "admin", "backend"]), "environment": "development", "projects": ["shop"] })
        }
        "PUT /api/admin/api-tokens/{token}" => json!({ "expiresAt": "2026-11-27T13:00:00Z" }),
        "POST /api/admin/user-admin" | "PUT /api/admin/user-admin/{id}" => {
            json!({ "email": format!("{new}@example.org"), "name": "N", "rootRole": 1 + chance.below(3) })
        }
        "POST /api/admin/user-admin/validate-password"
        | "POST /api/admin/user-admin/{id}/change-password" => {
            json!({ "password": "Xy7!pqRstuvw9" })
        }
        "PUT /api/admin/projects/{project}/access/users/{id}" => {
            json!({ "permissions": [{ "permission": "APPROVE_CHANGE_REQUEST", "environment": "production" }, { "permission": "SKIP_CHANGE_REQUEST" }] })
        }
        "POST /api/admin/user/tokens" | "POST /api/admin/user-admin/{id}/tokens" => {
            json!({ "description": new, "expiresAt": "2027-01-01T00:00:00Z" })
        }
        _ if path.ends_with("/strategies/set-sort-order") => {
            json!([{ "id": world.name("strategy", chance), "sortOrder": chance.below(9) }])
        }
        _ if path.contains("/strategies") && path.contains("/features/") => strategy(chance),
        _ if path.contains("/bulk_features/")
            || path.contains("{project}/archive")
            || path.ends_with("{project}/revive")
            || path.ends_with("{project}/delete") =>
        {
            json!({ "features": [flag, world.name("feature", chance)] })
        }
        "POST /api/admin/tags" | "POST /api/admin/features/{feature}/tags" => tag(&new),
        "PUT /api/admin/features/{feature}/tags" => tags(&new),
        "PUT /api/admin/projects/{project}/tags" => json!({ "features": [flag], "tags": tags(&new) }),
        "POST /api/admin/tag-types" | "POST /api/admin/tag-types/validate" => {
            json!({ "name": new, "description": "d", "icon": "#", "color": "#ff0000" })
        }
        _ if path.ends_with("/legal-values") => json!({ "value": new, "description": "d" }),
        _ if path.contains("/context") => context_field(route, &new),
        "POST /api/admin/metrics/applications/{application}" => {
            json!({ "description": new, "url": "https://example.org", "color": "red", "icon": "shop" })
        }
        "PUT /api/admin/feature-types/{kind}/lifetime" => json!({ "lifetimeDays": chance.below(50) }),
        "PUT /api/admin/tag-types/{name}" => json!({ "description": new }),
        _ => return of_people(route, &new, chance),
    })
}

/// A context field; one that is edited keeps its name.
fn context_field(route: &str, name: &str) -> Value {
    let values = ["1", "7", "8", "N", "NO"].map(|value| json!({ "value": value, "description": "one" }));
    let mut field = json!({ "description": "d", "stickiness": true, "sortOrder": 3, "legalValues": values });
    if route.starts_with("POST") {
        field["name"] = json!(name);
    }
    field
}

/// A parameter of a strategy type.
fn parameter() -> Value {
    json!({ "name": "p", "type": "percentage", "required": true })
}

fn tag(value: &str) -> Value {
    json!({ "type": "simple", "value": value })
}

fn tags(value: &str) -> Value {
    json!({ "addedTags": [tag(value)], "removedTags": [tag("blue")] })
}

/// The same for routes about people, their roles and how they sign in.
fn of_people(route: &str, new: &str, chance: &mut Chance) -> Option<Value> {
    let password = "Xy7!pqRstuvw9";
    let id = chance.below(4);
    Some(match route {
        "POST /auth/reset/validate-password" => json!({ "password": password }),
        "POST /auth/reset/password" => json!({ "token": "nobody", "password": password }),
        "POST /auth/reset/password-email" => json!({ "email": "ed@example.org" }),
        "POST /invite/{token}/signup" => json!({ "username": new, "name": "N", "password": password }),
        "POST /api/admin/user-admin/inactive/delete" => json!({ "ids": [id] }),
        "POST /api/admin/user-admin/reset-password" => json!({ "id": id }),
        "POST /api/admin/invite-link/tokens" => {
            json!({ "name": new, "expiresAt": "2026-12-01T00:00:00Z", "rootRole": 3 })
        }
        "PUT /api/admin/invite-link/tokens/{token}" => json!({ "enabled": false }),
        "POST /api/admin/user/change-password" => {
            json!({ "oldPassword": "o", "password": password, "confirmPassword": password })
        }
        "POST /api/admin/feedback" => json!({ "feedbackId": new, "neverShow": true }),
        "PUT /api/admin/feedback/{notice}" => json!({ "neverShow": true }),
        "POST /api/admin/ui-config/cors" => json!({ "frontendApiOrigins": ["https://shop.example"] }),
        "POST /api/admin/record-ui-error" => json!({ "errorMessage": "broke\noff" }),
        "POST /api/admin/auth/oidc/settings" | "PUT /api/admin/auth/oidc/settings" => {
            json!({ "enabled": false, "discoverUrl": "http://localhost:1/", "clientId": "vexil", "secret": "s" })
        }
        "POST /api/admin/auth/simple/settings" => json!({ "disabled": chance.one_in(2) }),
        "POST /api/admin/roles" | "PUT /api/admin/roles/{role}" => {
            json!({ "name": new, "description": "d", "type": "custom", "permissions": [{ "name": "CREATE_FEATURE" }, { "name": "UPDATE_FEATURE_ENVIRONMENT", "environment": "development" }] })
        }
        "POST /api/admin/roles/validate" | "POST /api/admin/environments/validate" => json!({ "name": new }),
        "POST /api/admin/groups" | "PUT /api/admin/groups/{group}" => {
            json!({ "name": new, "description": "d", "rootRole": 3, "mappingsSSO": ["x"], "users": [{ "user": { "id": id } }] })
        }
        "PUT /api/admin/projects/{project}/access" => {
            json!({ "roles": [{ "id": 4, "users": [{ "id": id }], "groups": [{ "id": 1 }] }] })
        }
        "POST /api/admin/projects/{project}/access" => {
            json!({ "roles": [4], "users": [{ "id": id }], "groups": [] })
        }
        "PUT /api/admin/projects/{project}/users/{id}/roles"
        | "PUT /api/admin/projects/{project}/groups/{group}/roles" => json!({ "roles": [5] }),
        "PUT /api/admin/projects/{project}/settings" => {
            json!({ "mode": "protected", "defaultStickiness": "userId" })
        }
        "POST /api/admin/projects/{project}/api-tokens" => {
            json!({ "tokenName": new, "type": "client", "environment": "development" })
        }
        _ => return None,
    })
}

pub(crate) fn strategy(chance: &mut Chance) -> Value {
    let constraints: Vec<Value> = (0..chance.below(3)).map(|_| constraint(chance)).collect();
    let name = *chance.pick(&["flexibleRollout", "default", "remoteAddress", "mine"]);
    let parameters = match name {
        "flexibleRollout" => {
            json!({ "rollout": chance.below(101).to_string(), "stickiness": "userId", "groupId": "g" })
        }
        "remoteAddress" => json!({ "IPs": "10.0.0.0/8" }),
        _ => json!({}),
    };
    json!({
        "name": name,
        "title": "for some", "disabled": chance.one_in(4), "sortOrder": chance.below(5),
        "parameters": parameters,
        "constraints": constraints, "segments": [1 + chance.below(2)],
        "variants": [
            { "name": "blue", "weight": 400, "weightType": "fix", "stickiness": "userId", "payload": { "type": "json", "value": "{}" } },
            { "name": "red", "weight": 600, "weightType": "variable", "stickiness": "userId", "overrides": [] },
        ],
    })
}

fn constraint(chance: &mut Chance) -> Value {
    chance
        .pick(&[
            json!({ "contextName": "userId", "operator": "IN", "values": ["7", "8"], "inverted": true, "caseInsensitive": false }),
            json!({ "contextName": "country", "operator": "STR_STARTS_WITH", "values": ["N"], "caseInsensitive": true }),
            json!({ "contextName": "version", "operator": "SEMVER_GT", "value": "1.2.3" }),
            json!({ "contextName": "age", "operator": "NUM_LTE", "value": "18.5" }),
            json!({ "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2026-11-27T12:00:00Z" }),
            json!({ "contextName": "remoteAddress", "operator": "IN_CIDR", "values": ["10.0.0.0/8", "2001:db8::/32"] }),
            json!({ "contextName": "email", "operator": "REGEX", "value": "^[a-z]+@example\\.(org|com)$" }),
        ])
        .clone()
}

fn context(chance: &mut Chance) -> Value {
    json!({
        "appName": "a,b", "userId": (0..1 + chance.below(6)).map(|id| id.to_string()).collect::<Vec<_>>().join(","),
        "remoteAddress": "10.1.2.3", "currentTime": "2026-11-27T12:00:00Z", "sessionId": "s",
        "properties": { "country": "NO,DK", "version": "1.2.4", "age": 18, "email": "x@example.org" },
    })
}

fn question(path: &str, flag: &str, world: &World, chance: &mut Chance) -> Value {
    let mut question = json!({ "context": context(chance), "suggest": chance.one_in(2), "population": { "size": 50, "seed": 3 }, "seed": 1, "now": "2026-11-27T12:00:00Z" });
    if path.contains("/changes/") {
        question["project"] = json!("default");
        question["environment"] = json!("development");
        question["changes"] = json!([change(flag, world, chance)]);
    }
    if path.ends_with("/explain") {
        question["flag"] = json!(flag);
        question["combination"] = json!(0);
    }
    question
}

fn change(flag: &str, world: &World, chance: &mut Chance) -> Value {
    let id = world.name("strategy", chance);
    let mut update = strategy(chance);
    update["id"] = json!(id);
    let segment = json!({ "id": 1, "name": "pilot", "constraints": [constraint(chance)] });
    let (action, payload) = chance
        .pick(&[
            (
                "updateEnabled",
                json!({ "enabled": true, "shouldActivateDisabledStrategies": true }),
            ),
            ("updateEnabled", json!({ "enabled": false })),
            ("addStrategy", strategy(&mut Chance::new(3))),
            ("updateStrategy", update),
            ("deleteStrategy", json!({ "id": id })),
            ("reorderStrategy", json!([{ "id": id, "sortOrder": 3 }])),
            (
                "patchVariant",
                json!({ "variants": [{ "name": "v", "weight": 1000 }] }),
            ),
            ("archiveFeature", json!(null)),
            ("addDependency", json!({ "feature": "parent" })),
            ("deleteDependency", json!({ "feature": "parent" })),
            ("updateSegment", segment),
            ("deleteSegment", json!({ "id": 2 })),
        ])
        .clone();
    if action.ends_with("Segment") {
        return json!({ "action": action, "payload": payload });
    }
    json!({ "feature": flag, "action": action, "payload": payload })
}

fn state(chance: &mut Chance) -> Value {
    let state = chance.pick(&[
        "Draft",
        "In review",
        "Approved",
        "Rejected",
        "Scheduled",
        "Applied",
        "Cancelled",
    ]);
    let mut body = json!({ "state": state, "comment": "c" });
    if *state == "Scheduled" {
        body["scheduledAt"] = json!("2026-11-27T14:00:00Z");
    }
    body
}

fn register() -> Value {
    json!({ "appName": "app", "instanceId": "i", "sdkVersion": "x:1.0", "interval": 10, "started": "2026-11-27T12:00:00Z", "strategies": ["default"] })
}

fn metrics(flag: &str) -> Value {
    json!({ "appName": "app", "instanceId": "i", "bucket": { "start": "2026-11-27T12:20:00Z", "stop": "2026-11-27T12:21:00Z", "toggles": { flag: { "yes": 3, "no": 1, "variants": { "blue": 2 } } } } })
}

fn bulk(flag: &str) -> Value {
    json!({
        "applications": [{ "appName": "app", "instanceId": "i", "environment": "development", "interval": 10, "started": "2026-11-27T12:00:00Z", "strategies": [] }],
        "metrics": [{ "featureName": flag, "appName": "app", "environment": "development", "timestamp": "2026-11-27T12:20:00Z", "yes": 3, "no": 1, "variants": { "blue": 2 } }],
    })
}

/// A document with one of everything.
fn import(flag: &str, new: &str, chance: &mut Chance) -> Value {
    let environment = *chance.pick(&["development", "production"]);
    let data = json!({
        "features": [{ "name": flag, "type": "release", "stale": false }, { "name": new, "description": "d" }],
        "featureStrategies": [{ "name": "flexibleRollout", "featureName": new, "parameters": { "rollout": "50" }, "segments": [7], "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["1"] }] }],
        "featureEnvironments": [{ "name": new, "featureName": new, "enabled": true, "environment": "development", "variants": [] }],
        "contextFields": [{ "name": "country", "legalValues": [] }],
        "featureTags": [{ "featureName": new, "tagType": "simple", "tagValue": "red" }],
        "segments": [{ "id": 7, "name": "pilot" }],
        "tagTypes": [{ "name": "simple", "color": "#ff0000" }],
        "dependencies": [{ "feature": new, "dependencies": [{ "feature": flag, "enabled": true }] }],
        "links": [],
    });
    json!({ "project": "default", "environment": environment, "data": data })
}
