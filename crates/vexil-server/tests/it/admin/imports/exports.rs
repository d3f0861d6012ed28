//! Which flags an export tells of, and what of them.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{BATCH, FEATURES, export, furnished, import, whole, with};
use crate::admin::event_types;
use crate::support::{CLIENT, TestServer};
use crate::users::person;

fn names(document: &Value) -> Vec<&str> {
    let flags = document["features"].as_array().unwrap().iter();
    flags.map(|flag| flag["name"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn an_export_tells_what_a_flag_is_in_one_environment_and_what_it_needs() {
    for (_database, server, _) in furnished().await {
        let document = export(
            &server,
            json!({ "environment": "development", "features": ["checkout"] }),
        )
        .await;
        let strategies = &document["featureStrategies"];
        assert_eq!(
            document["features"],
            json!([{
                "name": "checkout", "description": "Pays", "type": "experiment", "project": "default", "stale": false,
                "impressionData": true, "archived": false,
            }])
        );
        assert_eq!(
            (&strategies[0]["title"], &strategies[0]["segments"]),
            (&json!("Half"), &json!([1]))
        );
        assert_eq!(
            (&strategies[1]["name"], &strategies[1]["disabled"]),
            (&json!("weekdays"), &json!(true))
        );
        assert_eq!(
            (
                &document["featureEnvironments"][0]["enabled"],
                &document["featureEnvironments"][0]["variants"][0]["name"]
            ),
            (&json!(true), &json!("own"))
        );
        assert_eq!(document["segments"], json!([{ "id": 1, "name": "pilot" }]));
        let fields = document["contextFields"].as_array().unwrap().iter();
        let fields: Vec<&str> = fields.map(|field| field["name"].as_str().unwrap()).collect();
        assert_eq!(fields, ["plan", "userId"]);
        assert_eq!(
            document["contextFields"][0]["legalValues"],
            json!([{ "value": "free" }, { "value": "pro", "description": "Paid" }])
        );
        assert_eq!(document["featureTags"].as_array().unwrap().len(), 2);
        assert_eq!(
            document["tagTypes"][1],
            json!({ "name": "team", "description": "Who", "icon": "T", "color": "#00ff00" })
        );
        assert_eq!(
            document["dependencies"],
            json!([{ "feature": "checkout", "dependencies": [{ "feature": "parent", "enabled": true, "variants": ["blue"] }] }])
        );
        let mut links = document["links"].clone();
        assert!(links[0]["links"][0]["id"].take().is_string());
        assert_eq!(
            links,
            json!([{ "feature": "checkout", "links": [{ "id": null, "url": "https://example.org/why", "title": "Why", "feature": "checkout" }] }])
        );
        let elsewhere = export(
            &server,
            json!({ "environment": "production", "features": ["checkout"] }),
        )
        .await;
        assert_eq!(
            (
                &elsewhere["featureStrategies"],
                &elsewhere["featureEnvironments"][0]["enabled"]
            ),
            (&json!([]), &json!(false))
        );
    }
}

#[actix_web::test]
async fn flags_are_chosen_by_name_by_tag_or_by_project() {
    for (_database, server, _) in furnished().await {
        server
            .post("/api/admin/projects", json!({ "id": "bank", "name": "Bank" }))
            .await
            .ok();
        server
            .post("/api/admin/projects/bank/features", json!({ "name": "vault" }))
            .await
            .ok();
        server.post(FEATURES, json!({ "name": "old" })).await.ok();
        server.delete(&format!("{FEATURES}/old")).await.ok();
        for (what, expected) in [
            (
                json!({ "features": ["vault", "parent", "nobody", "parent"] }),
                vec!["parent", "vault"],
            ),
            (json!({ "features": ["old"] }), vec!["old"]),
            (json!({ "features": [] }), vec!["checkout", "parent", "vault"]),
            (json!({ "tag": "red" }), vec!["checkout"]),
            (json!({ "tag": "blue" }), vec![]),
            (json!({ "project": "bank" }), vec!["vault"]),
            (json!({ "project": "nobody" }), vec![]),
            (json!({ "features": [], "project": "bank" }), vec!["vault"]),
        ] {
            let mut question = what.clone();
            question["environment"] = json!("development");
            let document = export(&server, question).await;
            assert_eq!(names(&document), expected, "{what}");
        }
        let path = format!("{BATCH}/export");
        for (question, status) in [
            (json!({ "environment": "development" }), 400),
            (json!({ "features": [] }), 400),
            (json!({ "environment": "development", "features": "parent" }), 400),
            (
                json!({ "environment": "development", "features": [], "tags": ["red"] }),
                400,
            ),
            (
                json!({ "environment": "development", "tag": "red", "project": "bank" }),
                400,
            ),
            (
                json!({ "environment": "development", "features": ["parent"], "tag": "red" }),
                400,
            ),
            (json!({ "environment": "nowhere", "features": [] }), 404),
        ] {
            assert_eq!(
                server.post(&path, question.clone()).await.status,
                status,
                "{question}"
            );
        }
    }
}

#[actix_web::test]
async fn whoever_may_look_may_export_and_it_is_in_the_audit_log() {
    for (_database, server, _) in furnished().await {
        let viewer = person(&server, "viewer", "Viewer").await;
        let path = format!("{BATCH}/export");
        let question = json!({ "environment": "development", "project": "default", "downloadFile": true });
        let answer = server
            .call(&viewer.token, Method::POST, &path, Some(&question))
            .await;
        assert_eq!(answer.ok(), whole(&server).await);
        assert_eq!(
            answer.header("content-disposition"),
            Some("attachment; filename=\"export.json\"")
        );
        server
            .call(CLIENT, Method::POST, &path, Some(&question))
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
        assert!(
            event_types(&server)
                .await
                .contains(&"features-exported".to_owned())
        );
        let events = server
            .get("/api/admin/search/events?type=IS:features-exported")
            .await
            .ok();
        let told = &events["events"][1];
        assert_eq!(
            (&told["environment"], &told["project"], &told["data"]["count"]),
            (&json!("development"), &json!("default"), &json!(2))
        );
    }
}

#[actix_web::test]
async fn an_export_by_name_keeps_to_flags_that_are_there() {
    let server = TestServer::new();
    for hostile in ["__proto__", "constructor", "..", "\u{0}", "%2F"] {
        let document = export(
            &server,
            json!({ "environment": "development", "features": [hostile] }),
        )
        .await;
        assert_eq!(names(&document), [""; 0]);
    }
}

#[actix_web::test]
async fn an_import_adds_the_links_that_a_flag_does_not_have() {
    for (_database, server, somebody) in furnished().await {
        let link = |url: &str, title: Value| json!({ "id": "of another server", "url": url, "title": title });
        let (known, other) = (
            link("https://example.org/why", json!("Why")),
            link("https://example.org/why", json!(null)),
        );
        let mut document = with(json!({ "features": [{ "name": "checkout" }, { "name": "new" }] }));
        document["links"] = json!([
            { "feature": "checkout", "links": [known, other] },
            { "feature": "new", "links": [other] },
        ]);
        for _ in 0..2 {
            import(&server, &somebody, "development", &document).await.ok();
            for (flag, titles) in [("checkout", json!(["Why", null])), ("new", json!([null]))] {
                let shown = server.get(&format!("{FEATURES}/{flag}")).await.ok();
                let shown = shown["links"].as_array().unwrap().iter();
                let shown: Vec<&Value> = shown.map(|link| &link["title"]).collect();
                assert_eq!(json!(shown), titles, "{flag}");
            }
        }
        let script = link("javascript:alert(1)", json!(null));
        document["links"] = json!([{ "feature": "new", "links": [script] }]);
        let refused = import(&server, &somebody, "development", &document).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        assert!(
            refused.text.contains("/body/data/links/0/links/0/url"),
            "{}",
            refused.text
        );
    }
}
