//! A member that stands twice: one of the two would be passed over, and what it was to narrow would be open.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{server, state, vexil};
use crate::folder::Folder;
use crate::support::{ADMIN, CLIENT, FRONTEND};

#[actix_web::test]
async fn questions_and_proposals_with_a_member_twice_are_refused_with_its_place() {
    let (server, id) = server().await;
    let request = format!("/api/admin/playground/change-request/{id}");
    let proposals = "/api/admin/projects/default/environments/development/change-requests";
    let before = server.app().serving().revision;
    let constraint = r#"{"contextName":"country","operator":"IN","values":["NO"],"values":[]}"#;
    let strategy = format!(r#"{{"name":"default","constraints":[{constraint}]}}"#);
    let change = format!(r#"{{"feature":"checkout","action":"addStrategy","payload":{strategy}}}"#);
    let side = r#"{"environment":"development"}"#;
    let given = format!(r#"{{"features":[{{"name":"a","enabled":true,"strategies":[{strategy}]}}]}}"#);
    for (path, body, place) in [
        (
            format!("{request}/proof"),
            r#"{"never":["country=SE"],"never":[]}"#.to_owned(),
            "/body/never",
        ),
        (
            format!("{request}/diff"),
            r#"{"context":{"appName":"a","properties":{"x":"1","x":"2"}}}"#.to_owned(),
            "/body/context/properties/x",
        ),
        (
            request.clone(),
            r#"{"context":{"appName":"a"},"context":{}}"#.to_owned(),
            "/body/context",
        ),
        (
            "/api/admin/playground/proof".to_owned(),
            format!(r#"{{"before":{side},"after":{{"state":{given}}}}}"#),
            "/body/after/state/features/0/strategies/0/constraints/0/values",
        ),
        (
            "/api/admin/playground/changes/proof".to_owned(),
            format!(r#"{{"project":"default","environment":"development","changes":[{change}]}}"#),
            "/body/changes/0/payload/constraints/0/values",
        ),
        (
            proposals.to_owned(),
            format!("[{change}]"),
            "/body/0/payload/constraints/0/values",
        ),
        (
            "/api/admin/projects/default/features/checkout/environments/development/strategies".to_owned(),
            strategy.clone(),
            "/body/constraints/0/values",
        ),
    ] {
        let headers = [("authorization", ADMIN), ("content-type", "application/json")];
        let answer = server.send(Method::POST, &path, &headers, body).await;
        let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(refusal["details"][0]["path"], place, "{path}: {refusal}");
    }
    assert_eq!(server.app().serving().revision, before);
}

#[actix_web::test]
async fn of_what_sdks_send_twice_the_last_counts() {
    let (server, _) = server().await;
    let counts = r#"{"appName":"x","appName":"a","bucket":{"start":"2026-11-27T12:00:00Z","stop":"2026-11-27T12:01:00Z",
        "toggles":{"checkout":{"yes":1,"yes":2,"no":0}}}}"#;
    let bulk = r#"{"applications":[],"applications":[],"metrics":[]}"#;
    let register = r#"{"appName":"x","appName":"a","strategies":["default"],"started":"2026-11-27T12:00:00Z","interval":10}"#;
    let context = r#"{"context":{"userId":"x","userId":"u"}}"#;
    let targeted = r#"{"context":{"targetingKey":"u","country":"NO","country":"SE"}}"#;
    for (token, path, body) in [
        (CLIENT, "/api/client/metrics", counts),
        (CLIENT, "/api/client/metrics/bulk", bulk),
        (CLIENT, "/api/client/register", register),
        (FRONTEND, "/api/frontend", context),
        (FRONTEND, "/ofrep/v1/evaluate/flags", targeted),
    ] {
        let headers = [("authorization", token), ("content-type", "application/json")];
        server.send(Method::POST, path, &headers, body).await.ok();
    }
}

#[test]
fn files_with_a_member_twice_end_with_2_and_name_its_place() {
    let folder = Folder::new();
    let file = |name: &str, content: &str| folder.file(name, content);
    let sound = state(&["NO"]).to_string();
    let good = file("state.json", &sound);
    let twice = file(
        "twice.json",
        &sound.replacen("\"enabled\":true", "\"enabled\":true,\"enabled\":false", 1),
    );
    let off = json!([{ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": false } }]);
    let changes = file("changes.json", &off.to_string());
    let hidden =
        r#"[{"feature":"checkout","action":"updateEnabled","payload":{"enabled":false,"enabled":true}}]"#;
    let hidden = file("hidden.json", hidden);
    let kept = file(
        "kept.json",
        r#"[{"flag":"checkout","context":"country=NO","context":"country=SE","enabled":true}]"#,
    );
    let both = ["--state", &good, "--changes", &changes];
    for (arguments, place) in [
        (
            ["prove", "--state", &twice, "--changes", &changes].to_vec(),
            "/features/0/enabled",
        ),
        (
            ["prove", "--state", &good, "--changes", &hidden].to_vec(),
            "/0/payload/enabled",
        ),
        (
            ["preview", "--state", &good, "--changes", &hidden].to_vec(),
            "/0/payload/enabled",
        ),
        (
            [&["preview"][..], &both[..], &["--expect", &kept]].concat(),
            "/0/context",
        ),
        (
            [&["prove"][..], &both[..], &["--check", &twice]].concat(),
            "/features/0/enabled",
        ),
        (["compare", &good, &twice].to_vec(), "/features/0/enabled"),
        (["lint", "--state", &twice].to_vec(), "/features/0/enabled"),
    ] {
        let output = vexil(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        let told = format!("The `{place}` property stands more than once");
        assert!(said.contains(&told), "{arguments:?} {said}");
    }
}
