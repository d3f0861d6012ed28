//! Usage minute by minute: of a flag, of several, of a project.

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use time::Duration;

use super::{report, report_of, send_report, server_with_a_flag};
use crate::flags::put_flag;
use crate::support::{PRODUCTION_CLIENT, START, TestServer};

const OF_CHECKOUT: &str = "/api/admin/client-metrics/features/checkout/minutes";
const OF_SEVERAL: &str = "/api/admin/client-metrics/minutes";
const OF_PROJECT: &str = "/api/admin/projects/default/client-metrics/minutes";

async fn four_reports(server: &TestServer) {
    let counted = json!({ "checkout": { "yes": 3, "no": 1, "variants": { "red": 2, "blue": 1 } } });
    report(server, "shop", START, counted).await;
    let counted = json!({ "checkout": { "yes": 1, "variants": { "red": 1 } }, "search": { "no": 7 } });
    report(server, "till", START, counted).await;
    let earlier = START - Duration::minutes(2);
    report(server, "shop", earlier, json!({ "checkout": { "no": 5 } })).await;
    let counted = report_of("shop", earlier, &json!({ "checkout": { "yes": 9 } }));
    assert_eq!(send_report(server, PRODUCTION_CLIENT, &counted).await.status, 202);
}

#[actix_web::test]
async fn a_minute_without_a_report_is_null_which_is_not_zero() {
    let server = server_with_a_flag();
    four_reports(&server).await;
    let expected = json!({
        "version": 1,
        "featureName": "checkout",
        "start": "2026-11-27T12:27:00.000Z",
        "minutes": 4,
        "environments": [
            {
                "environment": "development",
                "yes": [null, 0, null, 4],
                "no": [null, 5, null, 1],
                "variants": { "blue": [null, 0, null, 1], "red": [null, 0, null, 3] },
                "applications": {
                    "shop": {
                        "yes": 3,
                        "no": 6,
                        "minutes": {
                            "yes": [null, 0, null, 3],
                            "no": [null, 5, null, 1],
                            "variants": { "blue": [null, 0, null, 1], "red": [null, 0, null, 2] },
                        },
                    },
                    "till": {
                        "yes": 1,
                        "no": 0,
                        "minutes": {
                            "yes": [null, null, null, 1],
                            "no": [null, null, null, 0],
                            "variants": { "red": [null, null, null, 1] },
                        },
                    },
                },
            },
            {
                "environment": "production",
                "yes": [null, 9, null, null],
                "no": [null, 0, null, null],
                "variants": {},
                "applications": {
                    "shop": {
                        "yes": 9,
                        "no": 0,
                        "minutes": { "yes": [null, 9, null, null], "no": [null, 0, null, null], "variants": {} },
                    },
                },
            },
        ],
    });
    assert_eq!(server.get(&format!("{OF_CHECKOUT}?last=4")).await.ok(), expected);
    while server.store.fold_usage().unwrap() != vexil_store::Folding::Idle {}
    assert_eq!(
        server.get(&format!("{OF_CHECKOUT}?last=4")).await.ok(),
        expected,
        "after folding"
    );
}

#[actix_web::test]
async fn several_flags_and_a_project_are_shown_without_their_applications() {
    let server = server_with_a_flag();
    put_flag(&server, "search", |_| {});
    put_flag(&server, "silent", |_| {});
    four_reports(&server).await;
    let search = json!({
        "name": "search",
        "environments": [{ "environment": "development", "yes": [null, 0], "no": [null, 7], "variants": {} }],
    });
    let asked = json!({ "features": ["search", "silent", "nobody"] });
    let several = server.post(&format!("{OF_SEVERAL}?last=2"), asked).await.ok();
    assert_eq!(
        several,
        json!({ "version": 1, "start": "2026-11-27T12:29:00.000Z", "minutes": 2, "features": [search] })
    );
    let project = server.get(&format!("{OF_PROJECT}?last=2")).await.ok();
    let names: Vec<&Value> = project["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["checkout", "search"]);
    assert_eq!(project["features"][1], search);
}

#[actix_web::test]
async fn the_number_of_minutes_is_one_number_from_1_to_120() {
    let server = server_with_a_flag();
    for (query, minutes) in [("", 60), ("?last=1", 1), ("?last=120", 120)] {
        let shown = server.get(&format!("{OF_CHECKOUT}{query}")).await.ok();
        assert_eq!(
            (&shown["minutes"], &shown["environments"]),
            (&json!(minutes), &json!([]))
        );
    }
    for query in [
        "last=0",
        "last=121",
        "last=",
        "last=1.5",
        "last=-1",
        "last=x",
        "last=1&last=2",
    ] {
        for path in [OF_CHECKOUT, OF_PROJECT] {
            let refused = server.get(&format!("{path}?{query}")).await;
            refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
        }
        let path = format!("{OF_SEVERAL}?{query}");
        let refused = server.post(&path, json!({ "features": [] })).await;
        refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}

#[actix_web::test]
async fn what_is_not_there_is_not_found_and_too_many_flags_are_refused() {
    let server = server_with_a_flag();
    for path in [
        "/api/admin/client-metrics/features/nobody/minutes",
        "/api/admin/projects/nobody/client-metrics/minutes",
    ] {
        let refused = server.get(path).await;
        refused.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let names: Vec<String> = (0..501).map(|number| format!("flag-{number}")).collect();
    let refused = server.post(OF_SEVERAL, json!({ "features": names })).await;
    refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let most = server.post(OF_SEVERAL, json!({ "features": names[1..] })).await;
    assert_eq!(most.ok()["features"], json!([]));
}
