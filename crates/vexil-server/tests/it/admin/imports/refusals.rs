//! An import is done as a whole or not at all, and nothing in a document is passed over.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{BATCH, FEATURES, furnished, import, into, one, validate, whole, with};
use crate::admin::event_types;
use crate::databases::scratch::Database;
use crate::support::{TestServer, places};
use crate::users::Person;

fn strategy(more: &Value) -> Value {
    let mut strategy = json!({ "name": "default", "featureName": "new" });
    for (name, value) in more.as_object().unwrap() {
        strategy[name] = value.clone();
    }
    with(json!({ "features": [{ "name": "new" }], "featureStrategies": [strategy] }))
}

fn constrained(constraint: &Value) -> Value {
    strategy(&json!({ "constraints": [constraint] }))
}

fn depending(names: &[&str], on: &[(&str, &str)]) -> Value {
    let flags: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    let on: Vec<Value> = on
        .iter()
        .map(|(child, parent)| json!({ "feature": child, "dependencies": [{ "feature": parent }] }))
        .collect();
    with(json!({ "features": flags, "dependencies": on }))
}

/// Documents that a direct edit of the same would be refused for as well, and what the refusal speaks of.
fn refused() -> Vec<(&'static str, Value, &'static str)> {
    let field = |values: Value| json!([{ "name": "plan", "legalValues": values }]);
    let mut new_field = constrained(&json!({ "contextName": "tier", "operator": "IN", "values": ["gold"] }));
    new_field["contextFields"] = json!([{ "name": "tier", "legalValues": [{ "value": "silver" }] }]);
    let mut too_many = one("new");
    too_many["featureStrategies"] = (0..31)
        .map(|_| json!({ "name": "default", "featureName": "new" }))
        .collect();
    let mut missing = one("new");
    missing["segments"] = json!([{ "id": 4, "name": "nobody" }]);
    let mut foreign = strategy(&json!({ "segments": [4] }));
    foreign["segments"] = json!([{ "id": 4, "name": "of the bank" }]);
    let variants = json!([{ "name": "a", "weight": 1, "weightType": "fix" }]);
    vec![
        (
            "a strategy type",
            strategy(&json!({ "name": "nobody" })),
            "nobody",
        ),
        (
            "a value",
            constrained(&json!({ "contextName": "plan", "operator": "IN", "values": ["gold"] })),
            "gold",
        ),
        ("a value of a new field", new_field, "gold"),
        (
            "a field",
            with(json!({ "contextFields": field(json!([{ "value": "gold" }])) })),
            "plan",
        ),
        (
            "a constraint",
            constrained(&json!({ "contextName": "age", "operator": "NUM_EQ", "value": "old" })),
            "old",
        ),
        (
            "an operator",
            constrained(&json!({ "contextName": "age", "operator": "NEAR", "values": ["1"] })),
            "NEAR",
        ),
        (
            "a rollout",
            strategy(&json!({ "name": "flexibleRollout", "parameters": { "rollout": "101" } })),
            "rollout",
        ),
        ("variants", strategy(&json!({ "variants": variants })), "variable"),
        ("so many strategies", too_many, "30"),
        ("a segment", missing, "nobody"),
        ("a segment of another project", foreign, "bank"),
        ("a flag of another project", one("vault"), "vault"),
        ("a parent", depending(&["new"], &[("new", "nobody")]), "nobody"),
        ("itself", depending(&["new"], &[("new", "new")]), "new"),
        (
            "a circle",
            depending(&["a", "b"], &[("a", "b"), ("b", "a")]),
            "depend",
        ),
        (
            "a chain",
            depending(&["a", "b", "c"], &[("a", "b"), ("b", "c")]),
            "depend",
        ),
        (
            "a parent in another project",
            depending(&["new"], &[("new", "vault")]),
            "vault",
        ),
        (
            "a child with children",
            depending(&["parent"], &[("parent", "checkout")]),
            "checkout",
        ),
        (
            "twice",
            with(json!({ "features": [{ "name": "new" }, { "name": "new" }] })),
            "new",
        ),
        (
            "a tag",
            with(
                json!({ "features": [{ "name": "new" }], "featureTags": [{ "featureName": "new", "tagType": "colour", "tagValue": "red" }] }),
            ),
            "colour",
        ),
    ]
}

async fn with_bank() -> Vec<(Database, TestServer, Person)> {
    let servers = furnished().await;
    for (_, server, _) in &servers {
        for (path, body) in [
            ("/api/admin/projects", json!({ "id": "bank", "name": "Bank" })),
            ("/api/admin/projects/bank/features", json!({ "name": "vault" })),
            (
                "/api/admin/segments",
                json!({ "name": "of the bank", "project": "bank", "constraints": [] }),
            ),
        ] {
            server.post(path, body).await.ok();
        }
    }
    servers
}

#[actix_web::test]
async fn an_import_is_judged_as_every_other_edit_and_is_done_as_a_whole_or_not_at_all() {
    for (_database, server, somebody) in with_bank().await {
        for (what, mut document, word) in refused() {
            // beside something that is in order
            let fine = json!({ "name": format!("fine-{}", what.replace(' ', "-")) });
            document["features"].as_array_mut().unwrap().push(fine);
            document["tagTypes"] = json!([{ "name": "later" }]);
            let before = server.app().serving().snapshot.clone();
            let events = event_types(&server).await.len();
            let answer = import(&server, &somebody, "development", &document).await;
            assert!(
                (400..410).contains(&answer.status),
                "{what}: {} {}",
                answer.status,
                answer.text
            );
            assert!(answer.text.contains(word), "{what}: {}", answer.text);
            assert_eq!(server.app().serving().snapshot, before, "{what}");
            assert_eq!(event_types(&server).await.len(), events, "{what}");
            // whoever asks beforehand is told
            let path = format!("{BATCH}/validate");
            let asked = server
                .post(&path, into("default", "development", &document))
                .await;
            let told = match asked.status {
                200 => asked.json()["errors"].to_string(),
                400 => asked.text.clone(),
                other => panic!("{what}: {other}"),
            };
            assert!(told.contains(word), "{what}: {told}");
        }
    }
}

#[actix_web::test]
async fn names_and_the_number_of_flags_are_those_that_the_project_asks_for() {
    for (_database, server, somebody) in furnished().await {
        let settings =
            json!({ "featureNaming": { "pattern": "pay-.*", "example": "pay-later" }, "featureLimit": 4 });
        server
            .put("/api/admin/projects/default/settings", settings)
            .await
            .ok();
        let named = |names: &[&str]| {
            with(json!({ "features": names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>() }))
        };
        for (names, word) in [
            (vec!["pay-a", "late"], "late"),
            (vec!["pay-a", "pay-b", "pay-c"], "may have 4"),
        ] {
            let document = named(&names);
            let refused = import(&server, &somebody, "development", &document).await;
            assert!(
                refused.status >= 400 && refused.text.contains(word),
                "{}",
                refused.text
            );
            let report = validate(&server, &somebody, "development", &document).await;
            assert!(report["errors"].to_string().contains(word), "{report}");
        }
        // flags that are there keep their names
        let fits = named(&["checkout", "pay-a", "pay-b"]);
        import(&server, &somebody, "development", &fits).await.ok();
    }
}

/// Every object of a document with its place, but those whose members people name.
fn objects(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.push(path.to_owned());
            for (name, member) in members.iter().filter(|(name, _)| *name != "parameters") {
                objects(member, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                objects(item, &format!("{path}/{at}"), found);
            }
        }
        _ => {}
    }
}

#[actix_web::test]
async fn a_member_that_would_be_passed_over_is_refused_with_its_place_wherever_it_stands() {
    for (_database, server, somebody) in furnished().await {
        let mut body = into("default", "development", &whole(&server).await);
        body["data"]["links"] = json!([{ "feature": "checkout", "links": [{ "id": "x", "url": "https://example.org", "title": null }] }]);
        let mut found = Vec::new();
        objects(&body, "", &mut found);
        assert!(found.len() >= 25, "{found:?}");
        let before = server.app().serving().snapshot.clone();
        for place in found {
            let mut changed = body.clone();
            changed.pointer_mut(&place).unwrap()["onlyFor"] = json!(["nobody"]);
            for operation in ["validate", "import"] {
                let path = format!("{BATCH}/{operation}");
                let refused = server
                    .call(
                        &somebody.token,
                        actix_web::http::Method::POST,
                        &path,
                        Some(&changed),
                    )
                    .await
                    .refused(StatusCode::BAD_REQUEST, "BadDataError");
                assert_eq!(places(&refused), [format!("/body{place}/onlyFor")], "{refused}");
            }
        }
        assert_eq!(server.app().serving().snapshot, before);
    }
}

#[actix_web::test]
async fn what_stands_where_it_would_be_passed_over_is_refused() {
    for (_database, server, somebody) in furnished().await {
        let flag = |member: &str, value: Value| {
            let mut document = one("new");
            document["features"][0][member] = value;
            (document, format!("/body/data/features/0/{member}"))
        };
        let settings = |row: Value| {
            with(json!({ "features": [{ "name": "new" }], "featureEnvironments": [row.clone(), row] }))
        };
        for (document, place) in [
            flag("strategies", json!([{ "name": "default" }])),
            flag(
                "environments",
                json!([{ "name": "development", "enabled": false }]),
            ),
            flag("dependencies", json!([{ "feature": "parent" }])),
            flag("variants", json!([{ "name": "a", "weight": 1000 }])),
            flag("tags", json!([{ "type": "simple", "value": "red" }])),
            flag("enabled", json!(false)),
            (
                with(
                    json!({ "features": [], "featureStrategies": [{ "name": "default", "featureName": "checkout" }] }),
                ),
                "/body/data/featureStrategies/0/featureName".to_owned(),
            ),
            (
                with(
                    json!({ "features": [{ "name": "new" }], "featureStrategies": [{ "name": "default", "featureName": "new", "segments": [1] }] }),
                ),
                "/body/data/featureStrategies/0/segments".to_owned(),
            ),
            (
                settings(json!({ "name": "new", "enabled": true })),
                "/body/data/featureEnvironments/1".to_owned(),
            ),
            (
                with(json!({ "segments": [{ "id": 1, "name": "a" }, { "id": 1, "name": "b" }] })),
                "/body/data/segments".to_owned(),
            ),
        ] {
            let refused = import(&server, &somebody, "development", &document)
                .await
                .refused(StatusCode::BAD_REQUEST, "BadDataError");
            assert_eq!(places(&refused), [place], "{refused}");
        }
        // lists without anything narrow nothing: older exports have them
        let (document, _) = flag("strategies", json!([]));
        import(&server, &somebody, "development", &document).await.ok();
        let place = format!("{FEATURES}/new/environments/development/strategies");
        assert_eq!(server.get(&place).await.ok().as_array().unwrap().len(), 1);
    }
}

#[actix_web::test]
async fn what_is_to_be_imported_into_must_be_there() {
    for (_database, server, somebody) in furnished().await {
        for (project, environment) in [("nobody", "development"), ("default", "nowhere")] {
            for operation in ["validate", "import"] {
                let path = format!("{BATCH}/{operation}");
                let body = into(project, environment, &one("new"));
                server
                    .call(&somebody.token, actix_web::http::Method::POST, &path, Some(&body))
                    .await
                    .refused(StatusCode::NOT_FOUND, "NotFoundError");
            }
        }
    }
}
