//! How many names that nobody configured one token can bring.

use actix_web::http::Method;
use serde_json::{Value, json};

use super::{report, report_of, send_report, server_with_a_flag, usage};
use crate::support::{ADMIN, CLIENT, FRONTEND, PRODUCTION_CLIENT, START, TestServer};

const MOST: usize = 1_000;

async fn unknown_flags(server: &TestServer) -> Vec<Value> {
    let list = server
        .get("/api/admin/metrics/unknown-flags?limit=5000")
        .await
        .ok();
    list["unknownFlags"].as_array().unwrap().clone()
}

fn flags(range: std::ops::Range<usize>) -> Value {
    range
        .map(|number| (format!("f{number:05}"), json!({ "yes": 1 })))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[actix_web::test]
async fn a_token_brings_a_thousand_unknown_flags_and_what_goes_beyond_counts_as_others() {
    let server = server_with_a_flag();
    report(&server, "shop", START, flags(0..900)).await;
    let mut counted = flags(850..1_100);
    counted["checkout"] = json!({ "yes": 5, "variants": { "red": 5 } });
    report(&server, "shop", START, counted).await;
    assert_eq!(unknown_flags(&server).await.len(), MOST + 1);
    let yes = |shown: &Value| shown["lastHourUsage"][0]["yes"].clone();
    assert_eq!(yes(&usage(&server, "(other)").await), 100);
    assert_eq!(yes(&usage(&server, "f00900").await), 1);
    assert_eq!(yes(&usage(&server, "f00860").await), 2);
    let configured = usage(&server, "checkout").await;
    assert_eq!(configured["lastHourUsage"][0]["variants"], json!({ "red": 5 }));

    // another token has room of its own
    let body = report_of("shop", START, &flags(1_099..1_101));
    assert_eq!(send_report(&server, PRODUCTION_CLIENT, &body).await.status, 202);
    assert_eq!(unknown_flags(&server).await.len(), MOST + 3);
}

#[actix_web::test]
async fn what_one_token_brought_is_kept_for_all_others_also_after_a_restart() {
    let server = server_with_a_flag();
    report(&server, "shop", START, flags(0..MOST + 1)).await;
    let restarted = server.another();
    report(&restarted, "shop", START, flags(0..1)).await;
    let shown = usage(&restarted, "f00000").await;
    assert_eq!(shown["lastHourUsage"][0]["yes"], 2);
}

#[actix_web::test]
async fn a_page_of_any_visitor_brings_a_thousand_applications_and_no_more() {
    let server = server_with_a_flag();
    let path = "/api/frontend/client/metrics";
    for number in 0..MOST + 50 {
        let body = report_of(
            &format!("a{number:04}"),
            START,
            &json!({ "checkout": { "yes": 1 } }),
        );
        let answer = server.call(FRONTEND, Method::POST, path, Some(&body)).await;
        assert_eq!(answer.status, 200);
    }
    let list = server.get("/api/admin/metrics/applications").await.ok();
    assert_eq!(list["total"], MOST + 1);
    let shown = usage(&server, "checkout").await;
    assert_eq!(shown["lastHourUsage"][0]["yes"], MOST + 50);
    assert!(
        shown["seenApplications"]
            .as_array()
            .unwrap()
            .contains(&json!("(other)"))
    );
    report(&server, "a9999", START, json!({ "checkout": { "yes": 1 } })).await;
    let shown = usage(&server, "checkout").await;
    assert!(
        shown["seenApplications"]
            .as_array()
            .unwrap()
            .contains(&json!("a9999"))
    );
}

#[actix_web::test]
async fn a_thousand_instances_are_told_apart_and_the_rest_is_one() {
    let server = server_with_a_flag();
    for number in 0..MOST + 5 {
        let body = json!({
            "appName": "shop", "instanceId": number.to_string(), "strategies": [],
            "started": "2026-11-27T12:30:20Z", "interval": 1,
        });
        let answer = server.call(CLIENT, Method::POST, "/api/client/register", Some(&body));
        assert_eq!(answer.await.status, 202);
    }
    let shown = server.get("/api/admin/metrics/applications/shop").await.ok();
    let instances: Vec<&Value> = shown["instances"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["instanceId"])
        .collect();
    assert_eq!(instances.len(), MOST + 1);
    assert!(instances.contains(&&json!("(other)")));
}

/// The variants that a flag was reported with, once more `times` of each of some names.
async fn variants_after(server: &TestServer, token: &str, names: &[String], times: u64) -> Value {
    let variants: serde_json::Map<_, _> = names.iter().map(|name| (name.clone(), json!(times))).collect();
    let flags = json!({ "checkout": { "yes": 1, "variants": variants } });
    let path = if token == FRONTEND {
        "/api/frontend/client/metrics"
    } else {
        "/api/client/metrics"
    };
    let report = report_of("shop", START, &flags);
    let answer = server.call(token, Method::POST, path, Some(&report)).await;
    assert!(answer.status < 300, "{}", answer.status);
    usage(server, "checkout").await["lastHourUsage"][0]["variants"].clone()
}

#[actix_web::test]
async fn a_hundred_variants_of_a_flag_are_named_that_nobody_configured_and_the_rest_are_others() {
    let server = server_with_a_flag();
    let new = |numbers: std::ops::Range<usize>| -> Vec<String> {
        numbers.map(|number| format!("v{number:05}")).collect()
    };
    let shown = variants_after(&server, CLIENT, &new(0..130), 2).await;
    assert_eq!(shown.as_object().unwrap().len(), 101);
    assert_eq!((&shown["v00099"], &shown["(other)"]), (&json!(2), &json!(60)));
    // however many reports they come in, and whoever sends them
    for report in 1..30 {
        let token = [CLIENT, FRONTEND][report % 2];
        let shown = variants_after(&server, token, &new(report * 100..report * 100 + 90), 1).await;
        assert_eq!(shown.as_object().unwrap().len(), 101, "{report}");
    }
    let shown = variants_after(&server, CLIENT, &new(99..101), 1).await;
    // 30 of the first hundred and some that follow it were others from the beginning
    assert_eq!(
        (&shown["v00099"], &shown["(other)"]),
        (&json!(3), &json!(60 + 29 * 90 + 1))
    );

    // what is configured has a name however many there are, and so has no variant at all
    let own: Vec<Value> = (0..150)
        .map(|number| json!({ "name": format!("own{number}"), "weight": 6, "weightType": "variable", "stickiness": "default" }))
        .collect();
    let strategy = json!({ "name": "flexibleRollout", "parameters": { "rollout": "100", "stickiness": "default", "groupId": "checkout" }, "variants": own });
    let path = "/api/admin/projects/default/features/checkout/environments/production/strategies";
    server.call(ADMIN, Method::POST, path, Some(&strategy)).await.ok();
    let names: Vec<String> = (0..150)
        .map(|number| format!("own{number}"))
        .chain(["disabled".to_owned()])
        .collect();
    let shown = variants_after(&server, CLIENT, &names, 7).await;
    assert_eq!(shown.as_object().unwrap().len(), 101 + 151);
    assert_eq!((&shown["own149"], &shown["disabled"]), (&json!(7), &json!(7)));
}

#[actix_web::test]
async fn after_a_restart_the_names_count_that_were_stored_before_it() {
    let server = server_with_a_flag();
    let named = |letter: &str, numbers: std::ops::Range<usize>| -> Vec<String> {
        numbers.map(|number| format!("{letter}{number:05}")).collect()
    };
    variants_after(&server, CLIENT, &named("v", 0..60), 1).await;
    let restarted = server.another();
    let shown = variants_after(&restarted, CLIENT, &named("w", 0..60), 1).await;
    assert_eq!(shown.as_object().unwrap().len(), 101);
    assert_eq!((&shown["v00059"], &shown["w00039"]), (&json!(1), &json!(1)));
    assert_eq!(shown["(other)"], 20);
    let again = restarted.another();
    let known: Vec<String> = [named("v", 0..60), named("w", 0..60)].concat();
    let shown = variants_after(&again, FRONTEND, &known, 1).await;
    assert_eq!(
        (&shown["v00000"], &shown["w00039"], &shown["(other)"]),
        (&json!(2), &json!(2), &json!(40))
    );
}

#[actix_web::test]
async fn what_registered_before_a_restart_is_told_apart_after_it() {
    let server = server_with_a_flag();
    let register = async |server: &TestServer, application: &str, instance: &str| {
        let body = json!({
            "appName": application, "instanceId": instance, "strategies": [],
            "started": "2026-11-27T12:30:20Z", "interval": 1,
        });
        let answer = server.call(CLIENT, Method::POST, "/api/client/register", Some(&body));
        assert_eq!(answer.await.status, 202);
    };
    register(&server, "only-registered", "first").await;
    let restarted = server.another();
    for number in 0..MOST {
        register(&restarted, &format!("a{number}"), "i").await;
    }
    // the token has no room for new names any more
    register(&restarted, "only-registered", "first").await;
    register(&restarted, "one-more", "i").await;
    let names = restarted
        .get("/api/admin/metrics/applications?limit=5000")
        .await
        .ok();
    let names: Vec<&str> = names["applications"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["appName"].as_str())
        .collect();
    assert_eq!(names.len(), MOST + 2, "{names:?}");
    assert!(names.contains(&"only-registered") && names.contains(&"(other)"));
    let shown = restarted
        .get("/api/admin/metrics/applications/only-registered")
        .await
        .ok();
    let instances = shown["instances"].as_array().unwrap();
    assert_eq!(instances.len(), 1, "{instances:?}");
    assert_eq!(instances[0]["instanceId"], "first");
}
