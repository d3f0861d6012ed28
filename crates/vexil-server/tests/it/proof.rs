//! Proofs over HTTP, and `vexil prove` and `vexil compare` from files.

mod blocked;
mod guards;
mod projects;
mod repeated;
mod states;
mod warnings;

use std::process::{Command, Output};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::folder::Folder;
use crate::support;
use crate::widening::{FEATURES, rollout, server};

#[actix_web::test]
async fn a_change_request_is_proven_for_every_context() {
    let (server, id) = server().await;
    let path = format!("/api/admin/playground/change-request/{id}/proof");
    let question = json!({ "never": ["country=DK"], "only": ["country=NO"], "atMost": "50%" });
    let proof = server.post(&path, question).await.ok();
    assert_eq!(proof["complete"], json!(true), "{proof:#}");
    assert_eq!(proof["sentence"], json!("Nobody else changes: proven."));
    let groups = proof["features"][0]["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1);
    let boxes = groups[0]["boxes"].as_array().unwrap();
    let mut shares: Vec<(String, Value, Value)> = boxes
        .iter()
        .map(|one| {
            let share = &one["share"];
            (
                one["sentence"].to_string(),
                share["numerator"].clone(),
                share["denominator"].clone(),
            )
        })
        .collect();
    shares.sort_by_key(|(sentence, ..)| sentence.clone());
    // Norway: buckets 21 to 60, 40 %; Sweden: buckets 1 to 60, 60 %
    let only: Vec<(&Value, &Value)> = shares.iter().map(|(_, part, whole)| (part, whole)).collect();
    assert_eq!(
        only,
        [(&json!(2), &json!(5)), (&json!(3), &json!(5))],
        "{shares:?}"
    );
    let verdicts: Vec<&Value> = proof["guards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|guard| &guard["verdict"])
        .collect();
    assert_eq!(verdicts, ["holds", "broken", "broken"]);
    let witness = &proof["guards"][1]["witness"]["context"];
    assert_eq!(witness["country"], json!("SE"));
    let mut context = witness.clone();
    context["appName"] = json!("a");
    let diff = format!("/api/admin/playground/change-request/{id}/diff");
    let shown = server
        .post(&diff, json!({ "context": context, "suggest": false }))
        .await
        .ok();
    assert_eq!(shown["counts"]["offToOn"], json!(1), "a witness can be replayed");
}

#[actix_web::test]
async fn the_difference_says_whether_it_reaches_every_region() {
    let (server, id) = server().await;
    let path = format!("/api/admin/playground/change-request/{id}/diff");
    let suggested = server.post(&path, json!({ "suggest": true })).await.ok();
    assert_eq!(
        suggested["covers"],
        json!({ "regions": 2, "covered": 2, "complete": true })
    );
    let context = json!({ "appName": "a", "userId": "u", "country": "DK" });
    let tried = server.post(&path, json!({ "context": context })).await.ok();
    assert_eq!(
        tried["covers"],
        json!({ "regions": 2, "covered": 0, "complete": true })
    );
}

#[actix_web::test]
async fn two_environments_are_compared_for_every_context() {
    let (server, _) = server().await;
    let question = |before: &str, after: &str| json!({ "before": { "environment": before }, "after": { "environment": after } });
    let same = server
        .post(
            "/api/admin/playground/proof",
            question("development", "development"),
        )
        .await
        .ok();
    assert_eq!(same["sentence"], json!("Nothing changes for anybody: proven."));
    let other = server
        .post(
            "/api/admin/playground/proof",
            question("development", "production"),
        )
        .await
        .ok();
    assert_eq!(other["flags"]["changed"], json!(1), "{other:#}");
    let unknown = server
        .post("/api/admin/playground/proof", question("development", "nowhere"))
        .await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let wrong = server
        .post(
            "/api/admin/playground/proof",
            json!({ "before": {}, "atMost": "x" }),
        )
        .await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

#[actix_web::test]
async fn a_state_that_is_sent_is_compared_with_an_environment_or_another_state() {
    let (server, _) = server().await;
    let path = "/api/admin/playground/proof";
    let ask = |before: Value, after: Value| json!({ "before": before, "after": after });
    let own = server
        .call(support::CLIENT, Method::GET, "/api/client/features", None)
        .await
        .ok();
    let mut strategy = rollout("20", &["NO"]);
    strategy["featureName"] = json!("checkout");
    let export = json!({
        "features": [{ "name": "checkout", "type": "release", "project": "default" }], "featureStrategies": [strategy], "segments": [],
        "featureEnvironments": [{ "featureName": "checkout", "environment": "development", "enabled": true }],
    });
    for same in [
        json!({ "state": own, "environment": "development" }),
        json!({ "state": export }),
    ] {
        let proof = server
            .post(path, ask(json!({ "environment": "development" }), same))
            .await
            .ok();
        assert_eq!(
            proof["sentence"],
            json!("Nothing changes for anybody: proven."),
            "{proof:#}"
        );
        assert_eq!(proof["after"], json!({ "environment": "development" }));
    }
    let given = |countries: &[&str]| json!({ "state": state(countries) });
    let question = ask(given(&["NO"]), given(&["NO", "SE"]));
    let proof = server.post(path, question.clone()).await.ok();
    assert_eq!(proof["flags"]["changed"], json!(1), "{proof:#}");
    assert_eq!(proof["before"], json!({ "environment": "production" }));
    let mut elsewhere = question;
    elsewhere["project"] = json!("default");
    let nowhere = server.post(path, elsewhere.clone()).await;
    assert_eq!(
        nowhere.status,
        StatusCode::NOT_FOUND,
        "no side has a flag of this project"
    );
    elsewhere["project"] = json!("shop");
    let proof = server.post(path, elsewhere).await.ok();
    assert_eq!(proof["flags"]["changed"], json!(1), "{proof:#}");
}

fn vexil(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vexil"))
        .args(arguments)
        .output()
        .unwrap()
}

fn state(countries: &[&str]) -> Value {
    json!({
        "version": 2,
        "features": [{
            "name": "checkout", "type": "release", "project": "shop", "enabled": true, "variants": [],
            "strategies": [{
                "name": "default", "parameters": {},
                "constraints": [{ "contextName": "country", "operator": "IN", "values": countries }],
            }],
        }],
        "query": { "environment": "production" },
    })
}

#[test]
fn the_exit_code_says_whether_guards_hold() {
    let folder = Folder::new();
    let file = |name: &str, content: &Value| folder.json(name, content);
    let norway = file("no.json", &state(&["NO"]));
    let both = file("both.json", &state(&["SE", "NO"]));
    let turned = file("turned.json", &state(&["NO", "SE"]));
    let swedes = json!([{ "contextName": "country", "operator": "IN", "values": ["NO", "SE"] }]);
    let changes = file(
        "changes.json",
        &json!([{ "feature": "checkout", "action": "updateStrategy",
                  "payload": { "id": "0", "name": "default", "constraints": swedes } }]),
    );
    let golden = folder.path("golden.json");
    let prove = |more: &[&str]| {
        let files = ["prove", "--state", &norway, "--changes", &changes];
        vexil(&[&files[..], more].concat())
    };
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let plain = prove(&["--golden", &golden]);
    assert_eq!(plain.status.code(), Some(0), "{plain:?}");
    assert!(text(&plain).contains("country is SE"), "{}", text(&plain));
    assert!(text(&plain).contains("Nobody else changes: proven."));
    let effect = text(&plain).split("effect ").nth(1).unwrap().trim().to_owned();
    for (more, code) in [
        (&["--only", "country=SE"][..], 0),
        (&["--never", "country=NO,DK"], 0),
        (&["--never", "country=SE"], 1),
        (&["--at-most", "10%"], 1),
        (&["--at-most", "100%"], 0),
        (&["--expect-effect", &effect], 0),
        (&["--at-most", "many"], 2),
        (&["--never", "country"], 2),
        (&["--budget", "10"], 3),
        (&["--check"], 0),
        (&["--markdown"], 0),
        (&["--json"], 0),
    ] {
        let output = prove(more);
        assert_eq!(output.status.code(), Some(code), "{more:?} {output:?}");
    }
    let proofs = folder.path("proofs.json");
    assert_eq!(prove(&["--proofs", &proofs]).status.code(), Some(0));
    let checked = prove(&["--check", &proofs]);
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");
    assert_eq!(text(&checked), "1 of 1 proofs hold\n");
    let written = std::fs::read_to_string(&proofs).unwrap();
    let forged = file(
        "forged.json",
        &serde_json::from_str(&written.replace("\"SE\"", "\"DK\"")).unwrap(),
    );
    assert_eq!(prove(&["--check", &forged]).status.code(), Some(2));
    let none = file("none.json", &json!([]));
    assert_eq!(prove(&["--check", &none]).status.code(), Some(3));
    let replayed = vexil(&[
        "preview",
        "--state",
        &norway,
        "--changes",
        &changes,
        "--expect",
        &golden,
    ]);
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    assert!(text(&replayed).contains("Nobody else changes: proven."));
    assert_eq!(vexil(&["compare", &both, &turned]).status.code(), Some(0));
    assert_eq!(vexil(&["compare", &norway, &both]).status.code(), Some(1));
    assert_eq!(
        vexil(&["compare", &norway, "nowhere.json"]).status.code(),
        Some(2)
    );
}

#[actix_web::test]
async fn what_never_changes_anything_is_told_of_a_project_with_its_usage() {
    let (server, _) = server().await;
    let path = format!("{FEATURES}/checkout/environments/development/strategies");
    server.post(&path, rollout("10", &["NO"])).await.ok();
    let answer = server.get("/api/admin/projects/default/insights").await.ok();
    let environments = answer["environments"].as_array().unwrap();
    let of = |name: &str| {
        let found = environments.iter().find(|it| it["environment"] == name).unwrap();
        assert_eq!(found["undecided"], json!([]));
        found["findings"].clone()
    };
    assert_eq!(
        of("development"),
        json!([{
            "feature": "checkout", "kind": "strategyDecidesNothing",
            "reason": "without strategy 2 (flexibleRollout) nothing would change for anybody",
        }])
    );
    assert_eq!(
        of("production"),
        json!([{
            "feature": "checkout", "kind": "constantOff", "reason": "it is switched off here",
            "lastSevenDays": { "yes": 0, "no": 0 },
        }])
    );
    server
        .get("/api/admin/projects/none/insights")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[test]
fn vexil_lint_says_what_decides_nothing_and_ends_with_one() {
    let folder = Folder::new();
    let state = |name: &str, percentages: &[&str]| {
        let strategies: Vec<Value> = percentages
            .iter()
            .map(|percentage| rollout(percentage, &["NO"]))
            .collect();
        let features = json!({ "version": 2, "features": [
            { "name": "checkout", "enabled": true, "strategies": strategies },
        ] });
        let path = folder.join(name).to_string_lossy().into_owned();
        std::fs::write(&path, features.to_string()).unwrap();
        path
    };
    let lint = |path: &str| {
        let output = vexil(&["lint", "--state", path]);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(
        lint(&state("good.json", &["50"])),
        (Some(0), "Everything decides something: proven.\n".to_owned())
    );
    let told = "checkout: strategyDecidesNothing: \
                without strategy 2 (flexibleRollout) nothing would change for anybody\n";
    assert_eq!(
        lint(&state("bad.json", &["50", "20"])),
        (Some(1), told.to_owned())
    );
    assert_eq!(lint("none.json").0, Some(2));
}
