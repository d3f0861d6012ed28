//! `POST /api/admin/playground/change-request/{id}/diff`: what a change request would change.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{CLIENT, FRONTEND, TestServer};
use crate::widening::{self, FEATURES};

/// The same beside a flag that nothing changes.
async fn server() -> (TestServer, i64) {
    let (server, id) = widening::server().await;
    server.post(FEATURES, json!({ "name": "idle" })).await.ok();
    (server, id)
}

fn path(id: i64, operation: &str) -> String {
    format!("/api/admin/playground/change-request/{id}/{operation}")
}

fn context() -> Value {
    let users: Vec<String> = (0..40).map(|user| format!("u{user}")).collect();
    json!({ "appName": "a,b", "userId": users.join(","), "properties": { "country": "NO,SE,DK" } })
}

/// `isEnabled` of every combination for the flag `checkout`, in order.
async fn shown(server: &TestServer, path: &str, question: Value) -> Vec<bool> {
    let answer = server.post(path, question).await.ok();
    let features = answer["features"].as_array().unwrap();
    let feature = features
        .iter()
        .find(|feature| feature["name"] == "checkout")
        .unwrap();
    let entries = feature["environments"]["development"].as_array().unwrap();
    entries
        .iter()
        .map(|entry| entry["isEnabled"].as_bool().unwrap())
        .collect()
}

#[actix_web::test]
async fn contexts_of_the_last_hour_are_tried_where_they_are_kept() {
    let (server, id) = server().await;
    let asked = format!("{}?contexts=recent", path(id, "diff"));
    let question = || json!({ "context": { "appName": "a" } });
    let refused = server.post(&asked, question()).await;
    let refused = refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("RECENT_CONTEXT_FIELDS")
    );
    let fields = ["userId".to_owned(), "country".to_owned()];
    let remembering = server.app().clone().with_recent_contexts(&fields);
    let server = server.with_app(remembering);
    for number in 0..50 {
        let country = ["NO", "SE", "DK"][number % 3];
        let query = format!("userId=u{number}&country={country}&secret=s{number}");
        let frontend = format!("/api/frontend?{query}");
        server.call(FRONTEND, Method::GET, &frontend, None).await.ok();
        let context = json!({ "context": { "targetingKey": format!("u{number}"), "country": country } });
        let flags = "/ofrep/v1/evaluate/flags";
        server
            .call(FRONTEND, Method::POST, flags, Some(&context))
            .await
            .ok();
    }
    let answer = server.post(&asked, question()).await.ok();
    // the same users, asked one by one in a matrix of their own
    let mut changed = 0;
    for number in 0..50 {
        let country = ["NO", "SE", "DK"][number % 3];
        let context =
            json!({ "appName": "a", "userId": format!("u{number}"), "properties": { "country": country } });
        let one = server
            .post(&path(id, "diff"), json!({ "context": context }))
            .await
            .ok();
        changed += one["flags"]["changed"].as_u64().unwrap();
    }
    let recent = &answer["recent"];
    assert_eq!(
        (&recent["contexts"], &recent["changed"]),
        (&json!(100), &json!(2 * changed))
    );
    assert_eq!(
        recent["features"],
        json!([{ "name": "checkout", "changed": 2 * changed }])
    );
    assert!(changed > 0);
    let wrong = format!("{}?contexts=all", path(id, "diff"));
    server
        .post(&wrong, question())
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn it_says_what_two_full_previews_say_side_by_side() {
    let (server, id) = server().await;
    let question = json!({ "environments": ["development"], "projects": ["default"], "context": context() });
    let before = shown(&server, "/api/admin/playground/advanced", question).await;
    let preview = format!("/api/admin/playground/change-request/{id}");
    let after = shown(&server, &preview, json!({ "context": context() })).await;
    let count = |was: bool, is: bool| {
        before
            .iter()
            .zip(&after)
            .filter(|pair| *pair == (&was, &is))
            .count()
    };

    let answer = server
        .post(&path(id, "diff"), json!({ "context": context() }))
        .await
        .ok();
    assert_eq!(answer["combinations"], 240);
    assert_eq!(
        answer["flags"],
        json!({ "compared": 1, "changed": 1, "unchanged": 1 })
    );
    let counts = &answer["counts"];
    assert_eq!(counts["offToOn"], count(false, true));
    assert_eq!(counts["onToOff"], count(true, false));
    let same = count(true, true) + count(false, false);
    assert_eq!(
        counts["unchanged"],
        same + 240,
        "the other flag stays as it is in all combinations"
    );
    assert!(count(false, true) > 20);

    let feature = &answer["features"][0];
    assert_eq!(
        (&feature["name"], &feature["reads"]),
        (&json!("checkout"), &json!(["userId", "country"]))
    );
    let group = &feature["groups"][0];
    assert_eq!(group["change"], "offToOn");
    assert_eq!(group["combinations"], count(false, true));
    let cell = group["cell"]["combination"].as_u64().unwrap() as usize;
    assert_eq!((before[cell], after[cell]), (false, true));
    let rollout = &feature["rollouts"][0];
    assert_eq!(
        (&rollout["enters"]["of"], &rollout["leaves"]["of"]),
        (&json!([2, 5]), &json!([0, 1]))
    );
}

#[actix_web::test]
async fn a_cell_is_explained_before_and_after() {
    let (server, id) = server().await;
    let answer = server
        .post(&path(id, "diff"), json!({ "context": context() }))
        .await
        .ok();
    let cell = answer["features"][0]["groups"][0]["cell"].clone();
    let by_number = json!({
        "context": context(), "flag": "checkout", "combination": cell["combination"],
        "seed": answer["draw"]["seed"], "now": answer["draw"]["now"],
    });
    let by_context = json!({ "context": cell["context"], "flag": "checkout" });
    for question in [by_number, by_context] {
        let explained = server.post(&path(id, "diff/explain"), question).await.ok();
        assert_eq!(explained["change"], "offToOn");
        assert_eq!(explained["context"], cell["context"]);
        assert_eq!(
            (&explained["before"]["enabled"], &explained["after"]["enabled"]),
            (&json!(false), &json!(true))
        );
        let rule = &explained["after"]["explanation"]["strategies"][0]["rule"];
        assert_eq!(
            (&rule["kind"], &rule["bound"], &rule["holds"]),
            (&json!("rollout"), &json!(60), &json!(true))
        );
        assert!(
            explained["after"]["text"].as_str().unwrap().contains("checkout"),
            "{explained}"
        );
    }
}

#[actix_web::test]
async fn contexts_are_suggested_and_synthetic_users_counted() {
    let (server, id) = server().await;
    let question = json!({ "suggest": true, "population": { "size": 2000, "seed": 3 }, "seed": 1 });
    let answer = server.post(&path(id, "diff"), question.clone()).await.ok();
    let countries = answer["suggested"]["fields"]["country"].as_array().unwrap();
    for kind in ["NO", "SE", ""] {
        assert!(countries.contains(&json!(kind)), "{countries:?}");
    }
    assert!(answer["counts"]["offToOn"].as_u64().unwrap() > 0, "{answer}");
    let population = &answer["population"];
    let (share, low, high) = (
        &population["share"],
        &population["interval"]["low"],
        &population["interval"]["high"],
    );
    let [share, low, high] = [share, low, high].map(|number| number.as_f64().unwrap());
    assert!(
        0.0 < low && low < share && share < high && high < 1.0,
        "{population}"
    );
    let mut again = server.post(&path(id, "diff"), question).await.ok();
    again["draw"]["now"] = answer["draw"]["now"].clone();
    assert_eq!(again, answer, "equal seeds give equal answers");
}

#[actix_web::test]
async fn chance_is_never_shown_as_change() {
    let server = TestServer::new();
    server.post(FEATURES, json!({ "name": "f" })).await.ok();
    let path_of_flag = format!("{FEATURES}/f/environments/development");
    let half = json!({ "name": "flexibleRollout", "title": "half",
                       "parameters": { "rollout": "50", "stickiness": "random", "groupId": "g" } });
    let strategy = server
        .post(&format!("{path_of_flag}/strategies"), half.clone())
        .await
        .ok();
    server.post(&format!("{path_of_flag}/on"), json!({})).await.ok();
    let mut payload = half;
    payload["id"] = strategy["id"].clone();
    payload["title"] = json!("renamed");
    let requests = "/api/admin/projects/default/environments/development/change-requests";
    let change = json!({ "feature": "f", "action": "updateStrategy", "payload": payload });
    let answer = server.post(requests, change).await.ok();
    let request = if answer.is_array() { &answer[0] } else { &answer };
    let id = request["id"].as_i64().unwrap();
    for _ in 0..20 {
        let answer = server
            .post(&path(id, "diff"), json!({ "context": { "appName": "a" } }))
            .await
            .ok();
        assert_eq!(
            (&answer["features"], &answer["counts"]["unchanged"]),
            (&json!([]), &json!(1))
        );
    }
}

#[actix_web::test]
async fn what_cannot_be_answered_is_refused_with_the_reason() {
    let (server, id) = server().await;
    let bad = server
        .post(&path(id, "diff"), json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        bad["details"][0]["message"]
            .as_str()
            .unwrap()
            .contains("/body/context"),
        "{bad}"
    );
    let question = json!({ "context": { "appName": "a" }, "population": { "size": 0 }, "seed": -1 });
    let bad = server
        .post(&path(id, "diff"), question)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(bad["details"].as_array().unwrap().len(), 2, "{bad}");
    let question = json!({ "context": { "appName": "a" }, "population": { "size": 1_000_000 } });
    let bad = server
        .post(&path(id, "diff"), question)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        bad["message"].as_str().unwrap().contains("2000000 evaluations"),
        "{bad}"
    );

    let explain = path(id, "diff/explain");
    for (question, reason) in [
        (
            json!({ "context": context(), "flag": "checkout", "combination": 240 }),
            "There is no combination 240",
        ),
        (
            json!({ "context": { "appName": "a" }, "flag": "checkout", "combination": "x" }),
            "/body/combination",
        ),
    ] {
        let bad = server
            .post(&explain, question)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert!(
            bad["details"][0]["message"].as_str().unwrap().contains(reason),
            "{bad}"
        );
    }
    let gone = json!({ "context": { "appName": "a" }, "flag": "gone" });
    server
        .post(&explain, gone)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let nobody = json!({ "context": { "appName": "a" } });
    server
        .post(&path(999, "diff"), nobody.clone())
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let answer = server
        .call(CLIENT, Method::POST, &path(id, "diff"), Some(&nobody))
        .await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
}
