//! Names that context fields might get, and very many values that they may not have.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{server_with, strategies_of};
use crate::support::TestServer;

const FIELDS: &str = "/api/admin/context";
const OWN: &str = "/api/admin/projects/default/context";

#[actix_web::test]
async fn a_name_is_validated_in_a_project_that_is_there() {
    let server = TestServer::new();
    let body = json!({ "name": "plan" });
    assert_eq!(
        server.post(&format!("{OWN}/validate"), body.clone()).await.status,
        200
    );
    server
        .post("/api/admin/projects/nobody/context/validate", body)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_hundred_thousand_values_that_a_field_may_not_have_are_told_in_short_and_soon() {
    let server = server_with("checkout").await;
    let legal: Vec<Value> = (0..1000)
        .map(|number| json!({ "value": format!("L{number}") }))
        .collect();
    let field = json!({ "name": "country", "legalValues": legal });
    assert_eq!(server.post(FIELDS, field).await.status, 201);
    let values: Vec<String> = (0..100_000).map(|number| format!("x{number}")).collect();
    let constraint = json!({ "contextName": "country", "operator": "IN", "values": values });
    let begun = std::time::Instant::now();
    for (path, body) in [
        ("/api/admin/constraints/validate".to_owned(), constraint.clone()),
        (
            strategies_of("checkout"),
            json!({ "name": "default", "constraints": [constraint] }),
        ),
    ] {
        let answer = server.post(&path, body).await;
        let refused = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        let told = refused["details"].as_array().unwrap();
        assert!(
            told.len() <= 201 && answer.text.len() < 100_000,
            "{}",
            answer.text.len()
        );
        assert!(
            told.last().unwrap()["message"].to_string().contains("more"),
            "{:?}",
            told.last()
        );
    }
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
