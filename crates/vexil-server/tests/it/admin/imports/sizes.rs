//! How large documents may be.

use std::sync::Arc;
use std::time::Instant;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use vexil_domain::{Actor, ActorId, FeatureFlag};
use vexil_service::Limits;

use super::{BATCH, into, is_kept, with};
use crate::databases::scratch::Database;
use crate::support::{START, TestServer};
use crate::users::person;

/// A document of so many flags, each with as many values in a constraint.
fn large(flags: usize, values: usize) -> Value {
    let names: Vec<String> = (0..flags).map(|number| format!("flag-{number}")).collect();
    let values: Vec<String> = (0..values)
        .map(|number| format!("somebody-{number}@example.org"))
        .collect();
    let strategy = |name: &String| {
        json!({
            "name": "flexibleRollout", "featureName": name, "parameters": { "rollout": "50" },
            "constraints": [{ "contextName": "userId", "operator": "IN", "values": values }],
        })
    };
    with(json!({
        "features": names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
        "featureStrategies": names.iter().map(strategy).collect::<Vec<_>>(),
        "featureEnvironments": names.iter().map(|name| json!({ "name": name, "enabled": true })).collect::<Vec<_>>(),
    }))
}

#[actix_web::test]
async fn a_document_of_four_megabytes_is_imported_and_comes_out_again() {
    let body = into("default", "development", &large(1000, 160));
    let bytes = body.to_string().len();
    assert!(bytes > 4 << 20, "{bytes}");
    for database in Database::each() {
        let server = TestServer::with(database.open(), Limits::default());
        let somebody = person(&server, "importer", "Admin").await;
        let begun = Instant::now();
        for operation in ["validate", "import"] {
            let path = format!("{BATCH}/{operation}");
            server
                .call(&somebody.token, Method::POST, &path, Some(&body))
                .await
                .ok();
            println!("{operation} of {bytes} bytes: {:?} so far", begun.elapsed());
        }
        let question = json!({ "environment": "development", "project": "default" });
        let document = server.post(&format!("{BATCH}/export"), question).await;
        println!("export: {:?} so far", begun.elapsed());
        assert_eq!(document.ok()["features"].as_array().unwrap().len(), 1000);
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
        is_kept(&server);
    }
}

#[actix_web::test]
async fn what_is_larger_than_an_import_takes_is_neither_imported_nor_exported() {
    let server = TestServer::new();
    let somebody = person(&server, "importer", "Admin").await;
    let path = format!("{BATCH}/import");
    let body = into("default", "development", &large(1, 400_000));
    server
        .call(&somebody.token, Method::POST, &path, Some(&body))
        .await
        .refused(StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLargeError");
    let body = into("default", "development", &large(5001, 1));
    let refused = server
        .call(&somebody.token, Method::POST, &path, Some(&body))
        .await;
    let refused = refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        refused["message"].to_string().contains("details") && refused.to_string().contains("5000"),
        "{refused}"
    );

    let actor = Actor {
        id: ActorId(-1),
        name: "test".to_owned(),
    };
    let add = |tx: &mut vexil_service::Transaction<'_>| {
        for number in 0..5001 {
            let flag = FeatureFlag::new(format!("flag-{number}"), "default", START);
            tx.snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
        }
        Ok(())
    };
    server.app().edit_blocking(&actor, add).unwrap();
    let question = json!({ "environment": "development", "features": [] });
    server
        .post(&format!("{BATCH}/export"), question)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}
