//! Where changes go through change requests, an import becomes a draft.

use serde_json::{Value, json};

use super::{FEATURES, furnished, import, one, validate, whole};
use crate::support::TestServer;
use crate::users::{Person, grant, person};

const PROJECT: &str = "/api/admin/projects/default";

async fn protect(server: &TestServer, environment: &str) {
    let path = format!("{PROJECT}/environments/{environment}/change-requests/config");
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 });
    server.put(&path, rule).await.ok();
}

async fn requests(server: &TestServer) -> Vec<Value> {
    let list = server.get(&format!("{PROJECT}/change-requests")).await.ok();
    list.as_array().unwrap().clone()
}

/// What is decided in the environment, of all flags.
fn settings(server: &TestServer, environment: &str) -> Vec<String> {
    let serving = server.app().serving();
    let flags = serving.snapshot.flags.values();
    flags
        .filter_map(|flag| Some(format!("{} {:?}", flag.name, flag.environments.get(environment)?)))
        .collect()
}

async fn state(server: &TestServer, who: &Person, id: i64, state: &str) {
    let path = format!("{PROJECT}/change-requests/{id}/state");
    let body = json!({ "state": state });
    server
        .call(&who.token, actix_web::http::Method::PUT, &path, Some(&body))
        .await
        .ok();
}

#[actix_web::test]
async fn an_import_into_a_protected_environment_becomes_a_draft_of_whoever_imports() {
    for (_database, server, admin) in furnished().await {
        let mut document = whole(&server).await;
        protect(&server, "production").await;
        let editor = person(&server, "editor", "Editor").await;
        document["features"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "name": "new" }));
        document["featureStrategies"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "name": "default", "featureName": "new" }));
        document["featureEnvironments"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "name": "new", "enabled": true }));
        let before = settings(&server, "production");
        let report = validate(&server, &editor, "production", &document).await;
        assert_eq!(
            (&report["errors"], &report["permissions"]),
            (&json!([]), &json!([])),
            "{report}"
        );
        assert!(report["warnings"].to_string().contains("draft"), "{report}");
        assert!(
            requests(&server).await.is_empty(),
            "asking beforehand opens no request"
        );

        // nobody is spared, whoever may skip included
        grant(&server, &editor, &[("SKIP_CHANGE_REQUEST", Some("production"))]).await;
        for (count, who) in [&editor, &admin].into_iter().enumerate() {
            import(&server, who, "production", &document).await.ok();
            assert_eq!(settings(&server, "production"), before);
            assert_eq!(requests(&server).await.len(), count + 1);
        }
        assert!(
            server.get(&format!("{FEATURES}/new")).await.status == 200,
            "a new flag decides nothing"
        );

        // another import adds to the draft
        let first = |list: &[Value]| list.iter().map(|one| one["id"].as_i64().unwrap()).min().unwrap();
        let id = first(&requests(&server).await);
        let changes = |request: &Value| {
            let features = request["features"].as_array().unwrap().iter();
            features
                .map(|flag| flag["changes"].as_array().unwrap().len())
                .sum::<usize>()
        };
        let request = format!("{PROJECT}/change-requests/{id}");
        let many = changes(&server.get(&request).await.ok());
        import(&server, &editor, "production", &one("newer")).await.ok();
        let after = server.get(&request).await.ok();
        assert_eq!(after["state"], "Draft");
        assert_eq!(changes(&after), many + 1);
        let report = validate(&server, &admin, "production", &one("newer")).await;
        assert!(
            report["warnings"].to_string().contains("newer (change request"),
            "{report}"
        );

        // once it is approved and applied, production is what development is
        for next in ["In review", "Approved", "Applied"] {
            let who = if next == "In review" { &editor } else { &admin };
            state(&server, who, id, next).await;
        }
        let told = |environment: &str| {
            let serving = server.app().serving();
            let flag = serving.snapshot.flags.get("checkout").unwrap().clone();
            let settings = flag.environments.get(environment).unwrap();
            let strategies = settings.strategies.iter();
            let strategies: Vec<String> = strategies
                .map(|it| {
                    format!(
                        "{:?} {:?} {:?} {:?}",
                        it.title, it.parameters, it.constraints, it.segments
                    )
                })
                .collect();
            (settings.enabled, settings.variants.clone(), strategies)
        };
        assert_eq!(told("production"), told("development"));
    }
}

#[actix_web::test]
async fn whoever_may_only_look_can_propose_no_new_flag_by_an_import() {
    for (_database, server, _) in furnished().await {
        protect(&server, "production").await;
        let viewer = person(&server, "viewer", "Viewer").await;
        let before = server.app().serving().snapshot.clone();
        let refused = import(&server, &viewer, "production", &one("new")).await;
        assert_eq!(refused.status, 403, "{}", refused.text);
        assert_eq!(server.app().serving().snapshot, before);
        assert!(requests(&server).await.is_empty());
    }
}

#[actix_web::test]
async fn what_reaches_a_protected_environment_from_another_is_refused() {
    for (_database, server, _) in furnished().await {
        let here = format!("{FEATURES}/checkout/environments/production");
        server.post(&format!("{here}/on"), json!({})).await.ok();
        protect(&server, "production").await;
        let editor = person(&server, "editor", "Editor").await;
        let mut document = whole(&server).await;
        let before = server.app().serving().snapshot.clone();
        // a dependency is one of all environments
        document["dependencies"] = json!([]);
        let report = validate(&server, &editor, "development", &document).await;
        assert!(
            report["permissions"].to_string().contains("SKIP_CHANGE_REQUEST"),
            "{report}"
        );
        let refused = import(&server, &editor, "development", &document).await;
        assert_eq!(refused.status, 403, "{}", refused.text);
        assert_eq!(server.app().serving().snapshot, before);
    }
}
