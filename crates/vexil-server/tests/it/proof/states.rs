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
        export(json!({ "features": null })),
        export(json!({ "featureStrategies": null })),
        export(json!({ "dependencies": null })),
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

/// Each would let in more than whoever gives the state means.
#[actix_web::test]
async fn what_a_state_misspells_or_leaves_open_is_refused_with_its_place() {
    let (server, _) = server().await;
    let constraint = json!({ "contextName": "country", "operator": "IN", "values": ["NO"] });
    let strategy =
        json!({ "name": "default", "segments": [7], "constraints": [constraint], "parameters": {} });
    let segment = json!({ "id": 7, "name": "pilot", "constraints": [constraint] });
    let flag = json!({ "name": "checkout", "project": "default", "enabled": true, "dependencies": [] });
    let with = |mut document: Value, at: &str, name: &str, value: Value| {
        document.pointer_mut(at).unwrap()[name] = value;
        document
    };
    let client = json!({ "version": 2, "features": [with(flag.clone(), "", "strategies", json!([strategy]))], "segments": [segment] });
    let row = with(strategy.clone(), "", "featureName", json!("checkout"));
    let settings =
        json!({ "featureName": "checkout", "environment": "development", "enabled": true, "variants": [] });
    let export = json!({ "features": [{ "name": "checkout" }], "featureStrategies": [row], "featureEnvironments": [settings], "segments": [segment], "dependencies": [] });
    let mut asked = Vec::new();
    for (document, strategies) in [
        (&client, "/features/0/strategies"),
        (&export, "/featureStrategies"),
    ] {
        let at = format!("{strategies}/0");
        let place = at
            .trim_start_matches('/')
            .replace("/0/", "[0].")
            .replace("/0", "[0]");
        for (name, value) in [
            ("constraint", json!([])),
            ("Constraints", json!([])),
            ("segment", json!([7])),
            ("constraints", Value::Null),
            ("segments", Value::Null),
        ] {
            asked.push((
                with(document.clone(), &at, name, value),
                format!("{place}.{name}"),
            ));
        }
        for (name, value) in [
            ("Inverted", json!(true)),
            ("caseInsensitiv", json!(true)),
            ("value_", json!("x")),
        ] {
            let at = format!("{at}/constraints/0");
            asked.push((
                with(document.clone(), &at, name, value.clone()),
                format!("{place}.constraints[0].{name}"),
            ));
            let document = with(document.clone(), "/segments/0/constraints/0", name, value);
            asked.push((document, format!("segments[0].constraints[0].{name}")));
        }
        asked.push((
            with(document.clone(), "/segments/0", "constraints", Value::Null),
            "segments[0].constraints".to_owned(),
        ));
        let mut open = document.clone();
        open.pointer_mut("/segments/0")
            .unwrap()
            .as_object_mut()
            .unwrap()
            .remove("constraints");
        asked.push((open, "segments[0]` (\"pilot\") has no `constraints`".to_owned()));
    }
    asked.push((
        with(client.clone(), "/features/0", "dependencies", Value::Null),
        "features[0].dependencies".to_owned(),
    ));
    asked.push((
        with(client.clone(), "/features/0", "dependancies", json!([])),
        "features[0].dependancies".to_owned(),
    ));
    asked.push((
        with(export.clone(), "/featureEnvironments/0", "variants", Value::Null),
        "featureEnvironments[0].variants".to_owned(),
    ));
    let ask = async |state: &Value| {
        let question = json!({ "before": { "environment": "development" }, "after": { "state": state } });
        server.post("/api/admin/playground/proof", question).await
    };
    for (state, place) in asked {
        let refusal = ask(&state).await.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert!(
            refusal["message"].as_str().unwrap().contains(&place),
            "{place}: {refusal}"
        );
    }
    // what later servers may say besides is passed over, and a segment that no strategy uses may be told by name alone
    for document in [client, export] {
        let more = with(document, "/segments/0/constraints/0", "weightedBy", json!(1));
        let mut more = with(more, "/features/0", "owners", json!(["ada"]));
        more["segments"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "id": 8, "name": "nobody's" }));
        ask(&more).await.ok();
    }
}
