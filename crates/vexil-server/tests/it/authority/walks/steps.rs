//! What somebody does next: edits of every kind, and changes that are proposed.

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_domain::Snapshot;

use crate::chance::Chance;

const PROJECT: &str = "/api/admin/projects/default";
pub(crate) const FLAGS: [&str; 3] = ["checkout", "banner", "parent"];

fn environment(chance: &mut Chance) -> &'static str {
    chance.pick::<&str>(&["production", "production", "development"])
}

fn constraints(chance: &mut Chance) -> Value {
    match chance.below(3) {
        0 => json!([]),
        _ => json!([{ "contextName": "userId", "operator": "IN", "values": [chance.below(3).to_string()] }]),
    }
}

fn strategy(chance: &mut Chance) -> Value {
    json!({
        "name": "flexibleRollout", "parameters": { "rollout": chance.pick(&["0", "50", "100"]), "stickiness": "default", "groupId": "g" },
        "constraints": constraints(chance), "segments": if chance.one_in(3) { json!([1]) } else { json!([]) }, "disabled": chance.one_in(4),
    })
}

/// The id of a strategy of a flag, if it has any there.
fn strategy_id(snapshot: &Snapshot, flag: &str, environment: &str, chance: &mut Chance) -> String {
    let settings = snapshot
        .flags
        .get(flag)
        .and_then(|flag| flag.environments.get(environment));
    let ids: Vec<String> = settings.map_or_else(Vec::new, |it| {
        it.strategies
            .iter()
            .map(|strategy| strategy.id.to_string())
            .collect()
    });
    if ids.is_empty() {
        "none".to_owned()
    } else {
        chance.pick(&ids).clone()
    }
}

/// An edit without a change request.
pub(crate) fn edit(snapshot: &Snapshot, chance: &mut Chance) -> (Method, String, Value) {
    let (flag, environment) = (*chance.pick(&FLAGS), environment(chance));
    let one = format!("{PROJECT}/features/{flag}");
    let here = format!("{one}/environments/{environment}");
    let id = strategy_id(snapshot, flag, environment, chance);
    let (post, put, delete) = (Method::POST, Method::PUT, Method::DELETE);
    match chance.below(32) {
        28 | 29 => (
            post,
            "/api/admin/features-batch/import".to_owned(),
            import(flag, environment, chance),
        ),
        30 => (
            put,
            format!("{one}/variants-batch"),
            json!({ "environments": [environment, "development"], "variants": variants(chance) }),
        ),
        31 => (put, format!("{here}/variants"), variants(chance)),
        0 | 1 => (
            post,
            format!("{here}/on?shouldActivateDisabledStrategies={}", chance.one_in(2)),
            json!({}),
        ),
        2 => (post, format!("{here}/off"), json!({})),
        3 => (post, format!("{here}/strategies"), strategy(chance)),
        4 => (put, format!("{here}/strategies/{id}"), strategy(chance)),
        5 => (
            Method::PATCH,
            format!("{here}/strategies/{id}"),
            json!([{ "op": "replace", "path": "/constraints", "value": [] }]),
        ),
        6 => (delete, format!("{here}/strategies/{id}"), json!({})),
        7 => (
            post,
            format!("{here}/strategies/set-sort-order"),
            json!([{ "id": id, "sortOrder": chance.below(5) }]),
        ),
        8 => (
            post,
            "/api/admin/segments/strategies".to_owned(),
            json!({ "projectId": "default", "environmentId": environment, "strategyId": id, "segmentIds": [] }),
        ),
        9 | 10 => (
            put,
            "/api/admin/segments/1".to_owned(),
            json!({ "name": "pilot", "constraints": constraints(chance) }),
        ),
        11 => (delete, "/api/admin/segments/1".to_owned(), json!({})),
        12 | 13 => (
            post,
            format!("{PROJECT}/environments/{environment}/default-strategy"),
            default_strategy(chance),
        ),
        14 => (
            put,
            PROJECT.to_owned(),
            json!({ "name": "Default", "defaultStickiness": chance.pick(&["default", "random", "userId"]) }),
        ),
        15 => (delete, one, json!({})),
        16 | 25 | 26 => (post, format!("/api/admin/archive/revive/{flag}"), json!({})),
        17 => (
            put,
            one,
            json!({ "name": flag, "type": "release", "archived": chance.one_in(2) }),
        ),
        18 => (
            Method::PATCH,
            one,
            json!([{ "op": "add", "path": "/archived", "value": true }]),
        ),
        19 => (
            post,
            format!("{one}/dependencies"),
            json!({ "feature": chance.pick(&FLAGS), "enabled": chance.one_in(2) }),
        ),
        20 => (delete, format!("{one}/dependencies"), json!({})),
        21 => (
            post,
            format!(
                "{PROJECT}/bulk_features/environments/{environment}/{}",
                chance.pick(&["on", "off"])
            ),
            json!({ "features": FLAGS }),
        ),
        22 => (
            post,
            format!(
                "{PROJECT}/{}",
                chance.pick(&["archive", "revive", "revive", "delete"])
            ),
            json!({ "features": [flag] }),
        ),
        23 if chance.one_in(3) => (delete, format!("{PROJECT}/environments/production"), json!({})),
        23..=24 => (
            post,
            format!("{PROJECT}/environments"),
            json!({ "environment": "production" }),
        ),
        _ => (
            post,
            format!("{one}/clone"),
            json!({ "name": format!("copy-{}", chance.below(3)) }),
        ),
    }
}

fn variants(chance: &mut Chance) -> Value {
    let name = *chance.pick(&["blue", "red"]);
    json!([{ "name": name, "weight": 1000, "weightType": "variable", "stickiness": "default" }])
}

/// An import, of a flag that may be there or not, with whatever decides.
fn import(flag: &str, environment: &str, chance: &mut Chance) -> Value {
    let other = format!("copy-{}", chance.below(3));
    let name = if chance.one_in(4) { other.as_str() } else { flag };
    let strategies: Vec<Value> = (0..chance.below(3))
        .map(|_| {
            let mut strategy = strategy(chance);
            strategy["featureName"] = json!(name);
            strategy
        })
        .collect();
    let mut data = json!({
        "features": [{ "name": name }], "featureStrategies": strategies, "tagTypes": [],
        "segments": [{ "id": 1, "name": "pilot" }],
    });
    if !chance.one_in(3) {
        data["featureEnvironments"] =
            json!([{ "name": name, "enabled": !chance.one_in(3), "variants": variants(chance) }]);
    }
    if chance.one_in(3) {
        data["dependencies"] =
            json!([{ "feature": name, "dependencies": [{ "feature": chance.pick(&FLAGS) }] }]);
    }
    json!({ "project": "default", "environment": environment, "data": data })
}

fn default_strategy(chance: &mut Chance) -> Value {
    json!({ "name": "flexibleRollout", "parameters": { "rollout": chance.pick(&["1", "100"]) }, "constraints": [] })
}

/// A change request, with one to three changes.
pub(crate) fn proposal(snapshot: &Snapshot, chance: &mut Chance) -> (Method, String, Value) {
    let environment = environment(chance);
    let changes = (0..=chance.below(3))
        .map(|_| change(snapshot, environment, chance))
        .collect();
    (
        Method::POST,
        format!("{PROJECT}/environments/{environment}/change-requests"),
        Value::Array(changes),
    )
}

/// One change for a request.
pub(crate) fn change(snapshot: &Snapshot, environment: &str, chance: &mut Chance) -> Value {
    let flag = *chance.pick(&FLAGS);
    let id = strategy_id(snapshot, flag, environment, chance);
    let mut update = strategy(chance);
    update["id"] = json!(id);
    let (action, payload) = match chance.below(10) {
        0..3 => ("updateEnabled", json!({ "enabled": !chance.one_in(3) })),
        3 => ("addStrategy", strategy(chance)),
        4 => ("updateStrategy", update),
        5 => ("deleteStrategy", json!({ "id": id })),
        6 => ("addDependency", json!({ "feature": chance.pick(&FLAGS) })),
        7 => ("archiveFeature", Value::Null),
        8 => ("deleteDependency", Value::Null),
        _ => {
            return json!({ "action": "updateSegment", "payload": { "id": 1, "name": "pilot", "constraints": constraints(chance) } });
        }
    };
    json!({ "feature": flag, "action": action, "payload": payload })
}
