//! What an export tells is what an import takes: in another project, environment and server flags are decided as before.

use std::collections::BTreeMap;

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_service::Limits;

use super::{BATCH, FEATURES, export, furnished, import, into, is_kept, nothing, validate, whole};
use crate::admin::event_types;
use crate::chance::Chance;
use crate::databases::scratch::Database;
use crate::support::{CLIENT, TestServer};
use crate::users::person;

/// Names that a flag may have and that something might take for something else.
const NAMES: [&str; 8] = [
    "__proto__",
    "constructor",
    "toString",
    "a.b~c_d-e",
    "...",
    "null",
    "0",
    "checkout",
];
/// Values that a constraint may be compared with.
const VALUES: [&str; 8] = ["NO", "İ ς", "\"\\", "{{x}}", "a,b", "<b>", "\u{202e}x", "~1/0"];

fn constraint(chance: &mut Chance) -> Value {
    let inverted = chance.one_in(3);
    match chance.below(6) {
        0 => {
            json!({ "contextName": "userId", "operator": "NUM_GT", "value": chance.below(99).to_string(), "inverted": inverted })
        }
        1 => {
            json!({ "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2026-01-01T00:00:00.000Z" })
        }
        2 => {
            json!({ "contextName": "version", "operator": "SEMVER_EQ", "value": "1.2.3-a", "inverted": inverted })
        }
        3 => json!({ "contextName": "plan", "operator": "NOT_IN", "values": ["free"] }),
        4 => {
            json!({ "contextName": "country", "operator": "STR_CONTAINS", "values": [chance.pick(&VALUES)], "caseInsensitive": chance.one_in(2) })
        }
        _ => {
            json!({ "contextName": chance.pick(&["country", "__proto__"]), "operator": "IN", "values": [chance.pick(&VALUES), "x"], "inverted": inverted })
        }
    }
}

fn variants(chance: &mut Chance) -> Value {
    let many = chance.below(4);
    let variants = (0..many).map(|number| {
        let mut variant = json!({ "name": format!("v{number}"), "weight": 1000 / many, "weightType": "variable", "stickiness": chance.pick(&["default", "userId", "plan"]) });
        if chance.one_in(2) {
            variant["payload"] = json!({ "type": "string", "value": chance.pick(&VALUES) });
        }
        variant
    });
    variants.collect()
}

fn strategy(chance: &mut Chance) -> Value {
    let kind = *chance.pick(&["flexibleRollout", "default", "weekdays", "remoteAddress"]);
    let parameters = match kind {
        "flexibleRollout" => {
            json!({ "rollout": chance.below(101).to_string(), "stickiness": chance.pick(&["default", "random", "plan"]), "groupId": chance.pick(&VALUES) })
        }
        "remoteAddress" => json!({ "IPs": "10.0.0.0/8" }),
        _ => json!({}),
    };
    let constraints: Vec<Value> = (0..chance.below(3)).map(|_| constraint(chance)).collect();
    let segments = (1..=3).filter(|_| chance.one_in(3)).collect::<Vec<_>>();
    json!({
        "name": kind, "title": chance.pick(&VALUES), "disabled": chance.one_in(4), "parameters": parameters,
        "constraints": constraints, "segments": segments, "variants": variants(chance), "sortOrder": chance.below(4),
    })
}

/// Segments, a field and a strategy type, which a document leaves to whoever imports it.
async fn found(server: &TestServer, order: &[usize]) {
    let segments = ["pilot", "beta \"2\"", "ünï"];
    for at in order {
        let body = json!({ "name": segments[*at], "constraints": [{ "contextName": "userId", "operator": "IN", "values": [at.to_string()] }] });
        server.post("/api/admin/segments", body).await.ok();
    }
    let kind = json!({ "name": "weekdays", "parameters": [] });
    server.post("/api/admin/strategies", kind).await.ok();
}

async fn furnish(server: &TestServer, chance: &mut Chance) {
    let plan = json!({ "name": "plan", "legalValues": [{ "value": "free" }, { "value": "pro" }] });
    server.post("/api/admin/context", plan).await.ok();
    server
        .post("/api/admin/tag-types", json!({ "name": "team" }))
        .await
        .ok();
    for name in NAMES {
        let tags: Vec<Value> = (0..chance.below(3))
            .map(|number| json!({ "type": chance.pick(&["team", "simple"]), "value": format!("t{number}") }))
            .collect();
        let flag = json!({ "name": name, "type": chance.pick(&["release", "kill-switch"]), "description": chance.pick(&VALUES), "impressionData": chance.one_in(2), "stale": chance.one_in(3), "tags": tags });
        server.post(FEATURES, flag).await.ok();
        let here = format!("{FEATURES}/{name}/environments/development");
        for _ in 0..chance.below(4) {
            let added = server.post(&format!("{here}/strategies"), strategy(chance)).await;
            assert!(added.status == 200, "{}", added.text);
        }
        if chance.one_in(2) {
            let form = json!({ "environments": ["development"], "variants": variants(chance) });
            server
                .put(&format!("{FEATURES}/{name}/variants-batch"), form)
                .await
                .ok();
        }
        if !chance.one_in(3) {
            server.post(&format!("{here}/on"), json!({})).await.ok();
        }
    }
    for (child, parent) in [("toString", "__proto__"), ("0", "constructor")] {
        if chance.one_in(2) {
            let dependency = json!({ "feature": parent, "enabled": chance.one_in(2), "variants": [] });
            server
                .post(&format!("{FEATURES}/{child}/dependencies"), dependency)
                .await
                .ok();
        }
    }
}

/// What SDKs are told, with names in the place of what is numbered by the server.
async fn told(server: &TestServer, token: &str) -> Value {
    let headers = [("authorization", token), ("unleash-client-spec", "5.1.9")];
    let document = server
        .send(Method::GET, "/api/client/features", &headers, "")
        .await;
    let document = document.ok();
    let segments = document["segments"].as_array().cloned().unwrap_or_default();
    let names: BTreeMap<i64, Value> = segments
        .iter()
        .map(|segment| (segment["id"].as_i64().unwrap(), segment["name"].clone()))
        .collect();
    let mut features = document["features"].clone();
    for feature in features.as_array_mut().unwrap() {
        feature["project"].take();
        for strategy in feature["strategies"].as_array_mut().into_iter().flatten() {
            let strategy = strategy.as_object_mut().unwrap();
            strategy.remove("id");
            strategy.remove("sortOrder");
            let mut used: Vec<String> = strategy
                .get("segments")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(|id| names[&id.as_i64().unwrap()].to_string())
                .collect();
            used.sort();
            strategy.insert("segments".to_owned(), json!(used));
        }
    }
    features
}

#[actix_web::test]
async fn what_an_export_tells_another_project_environment_and_server_serve_as_well() {
    let mut strategies = 0;
    for seed in 0..18 {
        let chance = &mut Chance::new(seed);
        let source = TestServer::new();
        found(&source, &[0, 1, 2]).await;
        furnish(&source, chance).await;
        let expected = told(&source, CLIENT).await;
        let document = whole(&source).await;
        strategies += document["featureStrategies"].as_array().unwrap().len();

        // the databases take turns
        let mut databases = Database::each();
        let place = usize::try_from(seed).unwrap() % databases.len();
        let database = databases.swap_remove(place);
        let target = TestServer::with(database.open(), Limits::default());
        found(&target, &[2, 0, 1]).await;
        let somebody = person(&target, "importer", "Admin").await;
        target
            .post("/api/admin/projects", json!({ "id": "bank", "name": "Bank" }))
            .await
            .ok();
        let body = into("bank", "production", &document);
        let path = format!("{BATCH}/validate");
        let report = target
            .call(&somebody.token, Method::POST, &path, Some(&body))
            .await;
        assert_eq!(report.ok()["errors"], json!([]), "seed {seed}");
        let path = format!("{BATCH}/import");
        let imported = target
            .call(&somebody.token, Method::POST, &path, Some(&body))
            .await;
        assert_eq!(
            (imported.status, imported.text.as_str()),
            (200, ""),
            "seed {seed}"
        );
        is_kept(&target);
        let token = target.add_client_token("bank:production.over-there");
        assert_eq!(told(&target, &token).await, expected, "seed {seed}");

        // and it comes out as it went in, but for what each place calls it
        let question = json!({ "environment": "production", "project": "bank" });
        let mut again = export(&target, question).await;
        for list in [
            "features",
            "contextFields",
            "featureTags",
            "tagTypes",
            "dependencies",
        ] {
            for row in again[list].as_array_mut().unwrap() {
                if row.get("project").is_some() {
                    row["project"] = json!("default");
                }
            }
            assert_eq!(again[list], document[list], "{list} of seed {seed}");
        }
    }
    assert!(strategies > 100, "{strategies}");
}

#[actix_web::test]
async fn importing_what_is_there_changes_nothing() {
    for (_database, server, somebody) in furnished().await {
        let document = whole(&server).await;
        let before = server.app().serving().snapshot.clone();
        let counters = server.app().serving().counters;
        import(&server, &somebody, "development", &document).await.ok();
        assert_eq!(server.app().serving().snapshot, before);
        assert_eq!(server.app().serving().counters, counters);
        assert_eq!(
            event_types(&server).await.last().map(String::as_str),
            Some("features-imported")
        );
        import(&server, &somebody, "development", &nothing()).await.ok();
        assert_eq!(server.app().serving().snapshot, before);
    }
}

#[actix_web::test]
async fn an_import_replaces_what_a_flag_is_in_its_environment_and_leaves_others_alone() {
    for (_database, server, somebody) in furnished().await {
        let here = format!("{FEATURES}/checkout/environments/production");
        let strategy = json!({ "name": "default", "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["7"] }] });
        server.post(&format!("{here}/strategies"), strategy).await.ok();
        let production = server.get(&here).await.ok();
        let document = super::with(json!({
            "features": [{ "name": "checkout", "description": "Other" }],
            "featureStrategies": [
                { "name": "default", "featureName": "checkout", "sortOrder": 2, "title": "second" },
                { "name": "default", "featureName": "checkout", "sortOrder": 1, "title": "first" },
                { "name": "flexibleRollout", "featureName": "checkout", "title": "third" },
            ],
            "featureTags": [{ "featureName": "checkout", "tagType": "simple", "tagValue": "green" }],
        }));
        for _ in 0..2 {
            import(&server, &somebody, "development", &document).await.ok();
            let flag = server
                .get(&format!("{FEATURES}/checkout/environments/development"))
                .await
                .ok();
            let titles: Vec<&str> = flag["strategies"]
                .as_array()
                .unwrap()
                .iter()
                .map(|strategy| strategy["title"].as_str().unwrap())
                .collect();
            assert_eq!(titles, ["first", "second", "third"]);
            assert_eq!(flag["strategies"][2]["parameters"]["groupId"], "checkout");
            // the document does not tell of the switch, of variants and of dependencies
            assert_eq!(flag["enabled"], true);
        }
        assert_eq!(server.get(&here).await.ok(), production);
        let flag = server.get(&format!("{FEATURES}/checkout")).await.ok();
        assert_eq!(
            (&flag["description"], &flag["type"]),
            (&json!("Other"), &json!("release"))
        );
        assert_eq!(flag["dependencies"].as_array().unwrap().len(), 1);
        let tags = server.get("/api/admin/features/checkout/tags").await.ok();
        assert_eq!(tags["tags"].as_array().unwrap().len(), 1);
        assert_eq!(tags["tags"][0]["value"], "green");
        let variants = format!("{FEATURES}/checkout/environments/development/variants");
        assert_eq!(server.get(&variants).await.ok()["variants"][0]["name"], "own");
        assert!(validate(&server, &somebody, "development", &document).await["errors"] == json!([]));
    }
}

#[actix_web::test]
async fn a_flag_that_is_archived_stays_as_it_is() {
    for (_database, server, somebody) in furnished().await {
        let document = whole(&server).await;
        server.delete(&format!("{FEATURES}/checkout")).await.ok();
        let before = server.app().serving().snapshot.clone();
        import(&server, &somebody, "development", &document).await.ok();
        assert_eq!(server.app().serving().snapshot, before);
        // and one that the document says is archived is made so
        let mut archived = super::one("gone");
        archived["features"][0]["archived"] = json!(true);
        import(&server, &somebody, "development", &archived).await.ok();
        let list = server.get("/api/admin/archive/features/default").await.ok();
        assert!(list.to_string().contains("\"gone\""), "{list}");
    }
}
