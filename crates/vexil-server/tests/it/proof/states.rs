//! States that come with a question.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{server, state};

/// What is no state is refused where it stands, and is never taken for one without flags.
#[actix_web::test]
async fn what_is_no_state_is_refused_and_named() {
    let (server, _) = server().await;
    let good = state(&["NO"]);
    let mut broken = good.clone();
    broken["features"][0]["strategies"][0]["constraints"] = json!([7]);
    let mut nowhere = json!({ "featureStrategies": [], "segments": [], "dependencies": [] });
    nowhere["features"] = json!([{ "name": "a", "type": "release", "project": "default" }]);
    nowhere["featureEnvironments"] = json!([{ "featureName": "a", "environment": "qa", "enabled": true }]);
    let wrong = [
        json!({}),
        json!({ "flags": [] }),
        json!({ "features": {} }),
        json!({ "features": [7] }),
        json!({ "features": [{}] }),
        broken,
        json!({ "features": [null] }),
        json!({ "features": [good["features"][0], good["features"][0]] }),
        json!({ "features": [], "segments": [null] }),
        json!({ "features": [], "segments": [{ "id": 1, "constraints": [] }, { "id": 1, "constraints": [] }] }),
        json!([]),
        json!("state"),
        json!(7),
        json!(true),
    ];
    let flag = json!({ "name": "a", "type": "release", "project": "default" });
    let export = |more: Value| {
        let mut export = json!({ "features": [flag], "featureStrategies": [], "segments": [] });
        export
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        export
    };
    let row = |flag: &str, environment: &str| json!({ "featureName": flag, "environment": environment, "enabled": true });
    let wrong = wrong.into_iter().chain([
        json!({ "featureStrategies": [] }),
        export(json!({ "features": "a" })),
        export(json!({ "features": [{ "type": "release" }] })),
        export(json!({ "featureStrategies": {} })),
        export(json!({ "featureStrategies": [{ "name": "default" }] })),
        export(json!({ "featureStrategies": [{ "name": "default", "featureName": "b" }] })),
        export(json!({ "featureEnvironments": [row("b", "qa")] })),
        export(json!({ "featureEnvironments": [row("a", "qa"), row("a", "production")] })),
        export(json!({ "featureEnvironments": [row("a", "qa"), row("a", "qa")] })),
        export(json!({ "featureEnvironments": [{ "featureName": "a", "environment": 7, "enabled": true }] })),
        export(json!({ "dependencies": [{ "feature": "b", "dependencies": [] }] })),
        export(json!({ "dependencies": [{ "feature": "a", "dependencies": "b" }] })),
        export(json!({ "segments": 7 })),
        export(json!({ "features": [flag, flag] })),
        json!({ "version": 2, "features": [], "query": { "environment": 7 } }),
    ]);
    let mut sides: Vec<Value> = wrong.map(|state| json!({ "state": state })).collect();
    let elsewhere = json!({ "version": 2, "features": [], "query": { "environment": "qa" } });
    for state in [nowhere, elsewhere] {
        sides.push(json!({ "state": state, "environment": "production" }));
    }
    sides.push(json!({ "state": good, "environment": "" }));
    sides.push(json!({ "state": good, "revision": 3 }));
    sides.push(json!({ "state": null }));
    for side in sides {
        let question = json!({ "before": { "environment": "development" }, "after": side });
        let answer = server.post("/api/admin/playground/proof", question).await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{side}: {:#}",
            answer.text
        );
        assert!(answer.text.contains("after"), "{side}: {:#}", answer.text);
    }
}
