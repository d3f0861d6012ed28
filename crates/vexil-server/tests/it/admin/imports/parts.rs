//! Each part of an import takes the permission that a direct edit of the same takes.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{BATCH, furnished, import, into, validate, with};
use crate::users::{grant, person};

fn of_parent(lists: Value) -> Value {
    let mut document = with(lists);
    document["features"] = json!([{ "name": "parent" }]);
    document
}

/// Documents, with what they take beside `UPDATE_FEATURE`.
fn parts() -> Vec<(Option<&'static str>, Value)> {
    let mut strategy = of_parent(json!({}));
    strategy["featureStrategies"] = json!([{ "name": "default", "featureName": "parent" }]);
    let settings = |row: Value| of_parent(json!({ "featureEnvironments": [row] }));
    let variant = json!([{ "name": "a", "weight": 1000, "weightType": "variable", "stickiness": "default" }]);
    vec![
        (None, of_parent(json!({}))),
        (
            None,
            of_parent(
                json!({ "featureTags": [{ "featureName": "parent", "tagType": "simple", "tagValue": "red" }] }),
            ),
        ),
        (
            Some("CREATE_FEATURE"),
            with(json!({ "features": [{ "name": "new" }] })),
        ),
        (Some("CREATE_FEATURE_STRATEGY"), strategy),
        (Some("DELETE_FEATURE_STRATEGY"), of_parent(json!({}))),
        (
            Some("UPDATE_FEATURE_ENVIRONMENT"),
            settings(json!({ "featureName": "parent", "name": "parent", "enabled": true })),
        ),
        (
            Some("UPDATE_FEATURE_ENVIRONMENT_VARIANTS"),
            settings(
                json!({ "featureName": "parent", "name": "parent", "enabled": true, "variants": variant }),
            ),
        ),
        (
            Some("UPDATE_PROJECT"),
            with(json!({ "contextFields": [{ "name": "of-project", "project": "default" }] })),
        ),
        (
            Some("CREATE_TAG_TYPE"),
            with(json!({ "tagTypes": [{ "name": "kind" }] })),
        ),
        (
            Some("CREATE_CONTEXT_FIELD"),
            with(json!({ "contextFields": [{ "name": "field" }] })),
        ),
    ]
}

#[actix_web::test]
async fn each_part_of_an_import_takes_the_permission_of_a_direct_edit() {
    for (_database, server, _) in furnished().await {
        let looker = person(&server, "looker", "Viewer").await;
        let own = ["CREATE_TAG_TYPE", "CREATE_CONTEXT_FIELD"];
        let mut held = Vec::new();
        for (needed, document) in parts() {
            let before = server.app().serving().snapshot.clone();
            for lacking in ["UPDATE_FEATURE", needed.unwrap_or("UPDATE_FEATURE")] {
                // what was given for an earlier part
                let others: Vec<(&str, Option<&str>)> = held
                    .iter()
                    .filter(|it: &&&str| **it != lacking)
                    .map(|it: &&str| (*it, environment_of(it)))
                    .collect();
                grant(&server, &looker, &others).await;
                let refused = import(&server, &looker, "development", &document)
                    .await
                    .refused(StatusCode::FORBIDDEN, "PermissionError");
                assert_eq!(refused["permissions"], json!([lacking]), "{document}");
                assert_eq!(server.app().serving().snapshot, before);
                let report = validate(&server, &looker, "development", &document).await;
                assert_eq!(
                    report["permissions"].as_array().map(Vec::len),
                    Some(1),
                    "{report}"
                );
                if !held.contains(&lacking) && !own.contains(&lacking) {
                    held.push(lacking);
                }
            }
            let all: Vec<(&str, Option<&str>)> = held.iter().map(|it| (*it, environment_of(it))).collect();
            grant(&server, &looker, &all).await;
            if needed.is_none_or(|needed| !own.contains(&needed)) {
                import(&server, &looker, "development", &document).await.ok();
            }
        }
        // what belongs to no project, who edits everywhere may add
        let editor = person(&server, "editor", "Editor").await;
        for (_, document) in parts() {
            import(&server, &editor, "development", &document).await.ok();
        }
    }
}

/// What counts by environment is given in the one that is imported into.
fn environment_of(permission: &str) -> Option<&'static str> {
    let by_environment = permission.contains("STRATEGY") || permission.contains("ENVIRONMENT");
    by_environment.then_some("development")
}

#[actix_web::test]
async fn an_admin_token_is_nobody_and_imports_nothing() {
    for (_database, server, _) in furnished().await {
        let path = format!("{BATCH}/import");
        let body = into("default", "development", &super::nothing());
        server
            .post(&path, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}
