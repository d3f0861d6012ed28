//! The flags that servers are measured with.

use serde_json::{Value, json};

use crate::http::Api;
use crate::outcome::Outcome;

/// How many flags there are.
pub(super) const FLAGS: usize = 500;

/// Flags of a realistic mix: plain rollouts, lists, text, numbers and dates, segments, variants, two strategies.
pub(super) fn furnish(api: &Api) -> Outcome {
    let constraints = json!([{ "contextName": "country", "operator": "IN", "values": ["NO", "SE", "DK"] }, { "contextName": "age", "operator": "NUM_GT", "value": "17" }]);
    let segment = json!({ "name": "grown-up-nordics", "constraints": constraints });
    let segment = api.json("POST", "/api/admin/segments", Some(&segment))?["id"].clone();
    for number in 0..FLAGS {
        let name = format!("flag-{number}");
        let flags = "/api/admin/projects/default/features";
        api.json("POST", flags, Some(&json!({ "name": name })))?;
        let here = format!("{flags}/{name}/environments/development");
        for strategy in strategies(number, &segment) {
            api.json("POST", &format!("{here}/strategies"), Some(&strategy))?;
        }
        api.json("POST", &format!("{here}/on"), None)?;
    }
    Ok(())
}

fn strategies(number: usize, segment: &Value) -> Vec<Value> {
    let rollout = |constraints: Value| {
        json!({ "name": "flexibleRollout", "constraints": constraints,
                "parameters": { "rollout": (number % 101).to_string(), "stickiness": "userId", "groupId": format!("flag-{number}") } })
    };
    let mut strategy = match number % 5 {
        0 | 1 => rollout(json!([])),
        2 => rollout(
            json!([{ "contextName": "userId", "operator": "IN", "values": (0..20).map(|user| format!("user-{user}")).collect::<Vec<_>>() }]),
        ),
        3 => rollout(
            json!([{ "contextName": "email", "operator": "STR_ENDS_WITH", "values": ["@example.org"], "caseInsensitive": true },
                            { "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2026-01-01T00:00:00Z" }]),
        ),
        _ => rollout(json!([{ "contextName": "version", "operator": "SEMVER_GT", "value": "1.2.3" }])),
    };
    if number.is_multiple_of(4) {
        strategy["segments"] = json!([segment]);
    }
    if number.is_multiple_of(3) {
        strategy["variants"] = json!([{ "name": "blue", "weight": 500, "weightType": "variable", "stickiness": "userId" },
                                      { "name": "green", "weight": 500, "weightType": "variable", "stickiness": "userId" }]);
    }
    if number.is_multiple_of(10) {
        vec![strategy, rollout(json!([]))]
    } else {
        vec![strategy]
    }
}
