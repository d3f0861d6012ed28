//! What has a name, how it is made and removed, and everything that can be tied to it meanwhile.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::roles::MEMBER;

pub(super) const DEFAULT: &str = "/api/admin/projects/default";
const SHOP: &str = "/api/admin/projects/shop";

/// A request of an administrator, or of an SDK where only SDKs ask, that must succeed.
pub(super) type Step = (Method, String, Value);

/// Something with a name, how it is made and removed, and everything that can be tied to it meanwhile.
pub(super) struct Thing {
    pub(super) what: &'static str,
    /// The values of parameters of routes. What names it comes first.
    pub(super) names: Vec<(&'static str, &'static str)>,
    pub(super) made: Vec<Step>,
    pub(super) tied: Vec<Step>,
    pub(super) removed: Vec<Step>,
}

fn post(path: impl Into<String>, body: Value) -> Step {
    (Method::POST, path.into(), body)
}

fn put(path: impl Into<String>, body: Value) -> Step {
    (Method::PUT, path.into(), body)
}

fn delete(path: impl Into<String>) -> Step {
    (Method::DELETE, path.into(), Value::Null)
}

/// What is there beside: the user 1 with grants nowhere, the group 1, and a custom role.
pub(super) struct Beside {
    pub(super) user: i64,
    pub(super) group: i64,
}

fn strategy() -> Value {
    json!({ "name": "flexibleRollout", "parameters": { "rollout": "40", "stickiness": "default", "groupId": "g" } })
}

fn usage(flag: &str) -> Value {
    let (start, stop) = ("2026-11-27T12:29:00Z", "2026-11-27T12:30:00Z");
    let bucket = json!({ "start": start, "stop": stop, "toggles": { flag: { "yes": 7, "no": 0 } } });
    json!({ "appName": "old", "instanceId": "i", "bucket": bucket })
}

pub(super) fn flag() -> Thing {
    let here = format!("{DEFAULT}/features/pilot");
    let development = format!("{here}/environments/development");
    Thing {
        what: "a flag",
        names: vec![
            ("feature", "pilot"),
            ("name", "pilot"),
            ("project", "default"),
            ("environment", "development"),
        ],
        made: vec![post(format!("{DEFAULT}/features"), json!({ "name": "pilot" }))],
        tied: vec![
            put(
                &here,
                json!({ "name": "pilot", "type": "experiment", "description": "told", "impressionData": true }),
            ),
            post(format!("{development}/strategies"), strategy()),
            post(format!("{development}/on"), json!({})),
            post(format!("{here}/dependencies"), json!({ "feature": "parent" })),
            post(
                format!("{DEFAULT}/stale"),
                json!({ "features": ["pilot"], "stale": true }),
            ),
            post(
                "/api/admin/features/pilot/tags",
                json!({ "type": "simple", "value": "tied" }),
            ),
            post("/api/client/metrics", usage("pilot")),
        ],
        removed: vec![delete(&here), delete("/api/admin/archive/pilot")],
    }
}

pub(super) fn project(beside: &Beside) -> Thing {
    let access = json!({ "roles": [MEMBER], "users": [beside.user], "groups": [beside.group] });
    let granted =
        json!({ "permissions": [{ "permission": "APPROVE_CHANGE_REQUEST", "environment": "production" }] });
    let token =
        json!({ "tokenName": "t", "type": "client", "environment": "development", "projects": ["shop"] });
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 3 });
    Thing {
        what: "a project",
        names: vec![
            ("project", "shop"),
            ("environment", "development"),
            ("name", "shop"),
        ],
        made: vec![post(
            "/api/admin/projects",
            json!({ "id": "shop", "name": "Shop" }),
        )],
        tied: vec![
            post(format!("{SHOP}/access"), access),
            put(format!("{SHOP}/access/users/{}", beside.user), granted),
            post("/api/admin/api-tokens", token),
            post(
                format!("{SHOP}/context"),
                json!({ "name": "till", "legalValues": [{ "value": "old" }] }),
            ),
            post(
                format!("{SHOP}/environments/development/default-strategy"),
                strategy(),
            ),
            put(
                format!("{SHOP}/settings"),
                json!({ "defaultStickiness": "userId", "featureLimit": 7 }),
            ),
            put(
                format!("{SHOP}/environments/development/change-requests/config"),
                rule,
            ),
            delete(format!("{SHOP}/environments/production")),
        ],
        removed: vec![delete(SHOP)],
    }
}

pub(super) fn environment(beside: &Beside) -> Thing {
    let strategies = format!("{DEFAULT}/features/parent/environments/qa/strategies");
    let granted = json!({ "permissions": [{ "permission": "APPROVE_CHANGE_REQUEST", "environment": "qa" }] });
    let token = json!({ "tokenName": "t", "type": "client", "environment": "qa", "projects": ["*"] });
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 3 });
    let made = vec![
        post("/api/admin/environments", json!({ "name": "qa", "type": "test" })),
        post(format!("{DEFAULT}/environments"), json!({ "environment": "qa" })),
    ];
    Thing {
        what: "an environment",
        names: vec![
            ("environment", "qa"),
            ("name", "qa"),
            ("project", "default"),
            ("feature", "parent"),
        ],
        made,
        tied: vec![
            post(strategies, strategy()),
            post(format!("{DEFAULT}/features/parent/environments/qa/on"), json!({})),
            put(format!("{DEFAULT}/access/users/{}", beside.user), granted),
            post("/api/admin/api-tokens", token),
            post(format!("{DEFAULT}/environments/qa/default-strategy"), strategy()),
            put(format!("{DEFAULT}/environments/qa/change-requests/config"), rule),
        ],
        removed: vec![delete("/api/admin/environments/qa")],
    }
}

pub(super) fn strategy_type() -> Thing {
    let body =
        json!({ "name": "mine", "description": "old", "parameters": [{ "name": "p", "type": "string" }] });
    Thing {
        what: "a strategy type",
        names: vec![("name", "mine")],
        made: vec![post(
            "/api/admin/strategies",
            json!({ "name": "mine", "parameters": [] }),
        )],
        tied: vec![
            put("/api/admin/strategies/mine", body),
            post("/api/admin/strategies/mine/deprecate", json!({})),
        ],
        removed: vec![delete("/api/admin/strategies/mine")],
    }
}

pub(super) fn tag_type() -> Thing {
    let blue = json!({ "type": "team", "value": "blue" });
    let red = json!({ "type": "team", "value": "red" });
    Thing {
        what: "a tag type",
        names: vec![("type", "team"), ("name", "team"), ("value", "blue")],
        made: vec![post("/api/admin/tag-types", json!({ "name": "team" }))],
        tied: vec![
            put(
                "/api/admin/tag-types/team",
                json!({ "description": "old", "icon": "T", "color": "#ff0000" }),
            ),
            post("/api/admin/tags", red),
            post("/api/admin/features/parent/tags", blue),
        ],
        removed: vec![delete("/api/admin/tag-types/team")],
    }
}

pub(super) fn context_field() -> Thing {
    let here = "/api/admin/context/plan";
    Thing {
        what: "a context field",
        names: vec![("field", "plan"), ("project", "default")],
        made: vec![post("/api/admin/context", json!({ "name": "plan" }))],
        tied: vec![
            put(
                here,
                json!({ "description": "old", "stickiness": true, "sortOrder": 9 }),
            ),
            post(format!("{here}/legal-values"), json!({ "value": "old" })),
        ],
        removed: vec![delete(here)],
    }
}
