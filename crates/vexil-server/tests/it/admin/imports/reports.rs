//! What an import would meet, told beforehand.

use serde_json::{Value, json};

use super::{FEATURES, furnished, validate, whole, with};
use crate::users::person;

/// What a list of findings names, together.
fn items(findings: &Value) -> Vec<String> {
    let findings = findings.as_array().unwrap().iter();
    let all = findings.flat_map(|finding| {
        assert!(
            finding["message"].as_str().is_some_and(|it| !it.is_empty()),
            "{finding}"
        );
        finding["affectedItems"].as_array().unwrap()
    });
    all.map(|item| item.as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn what_should_be_known_of_an_import_is_told_and_nothing_is_kept_of_it() {
    for (_database, server, somebody) in furnished().await {
        server.post(FEATURES, json!({ "name": "old" })).await.ok();
        server.delete(&format!("{FEATURES}/old")).await.ok();
        let mut document = whole(&server).await;
        let flags = document["features"].as_array_mut().unwrap();
        flags.extend([
            json!({ "name": "old" }),
            json!({ "name": "gone", "archived": true }),
            json!({ "name": "new" }),
        ]);
        let before = server.app().serving().snapshot.clone();
        let revision = server.app().serving().revision.configuration;
        let report = validate(&server, &somebody, "development", &document).await;
        assert_eq!(
            (&report["errors"], &report["permissions"]),
            (&json!([]), &json!([]))
        );
        assert_eq!(
            items(&report["warnings"]),
            ["weekdays", "old", "gone", "checkout", "parent"]
        );
        assert_eq!(server.app().serving().snapshot, before);
        assert_eq!(server.app().serving().revision.configuration, revision);
    }
}

#[actix_web::test]
async fn all_that_stands_against_an_import_is_told_at_once() {
    for (_database, server, somebody) in furnished().await {
        let document = with(json!({
            "features": [{ "name": "new" }, { "name": "new" }],
            "featureStrategies": [{ "name": "nobody", "featureName": "new" }],
            "segments": [{ "id": 9, "name": "nowhere" }],
            "contextFields": [{ "name": "plan", "legalValues": [{ "value": "gold" }] }],
            "dependencies": [{ "feature": "new", "dependencies": [{ "feature": "none" }] }],
        }));
        let report = validate(&server, &somebody, "development", &document).await;
        assert_eq!(
            items(&report["errors"]),
            ["nobody", "plan", "nowhere", "none", "new"]
        );
        let viewer = person(&server, "viewer", "Viewer").await;
        let report = validate(&server, &viewer, "development", &document).await;
        let lacking = items(&report["permissions"]);
        assert!(lacking.contains(&"Create flags".to_owned()), "{lacking:?}");
    }
}
