//! Flags that are always on, always off, or not asked for.

use actix_web::http::StatusCode;
use serde_json::json;
use time::Duration;

use super::{report, server_with_a_flag};
use crate::flags::put_flag;
use crate::support::START;

const SUMMARY: &str = "/api/admin/projects/default/client-metrics/summary";

#[actix_web::test]
async fn a_flag_is_always_on_always_off_both_or_not_asked_for() {
    let server = server_with_a_flag();
    for flag in ["both", "off", "silent"] {
        put_flag(&server, flag, |_| {});
    }
    put_flag(&server, "archived", |flag| flag.archived_at = Some(START));
    let long_ago = START - Duration::hours(2);
    let counted = json!({ "checkout": { "no": 9 }, "both": { "yes": 1 } });
    report(&server, "shop", long_ago, counted).await;
    let counted =
        json!({ "checkout": { "yes": 3 }, "off": { "no": 2 }, "both": { "no": 1 }, "archived": { "no": 1 } });
    report(&server, "shop", START, counted.clone()).await;
    report(&server, "till", START, counted).await;
    let summary = server.get(&format!("{SUMMARY}?hours=1")).await.ok();
    assert_eq!((&summary["version"], &summary["hours"]), (&json!(1), &json!(1)));
    assert_eq!(summary["start"], "2026-11-27T12:00:00.000Z");
    let found = |summary: &serde_json::Value| -> Vec<String> {
        let features = summary["features"].as_array().unwrap().iter();
        let line = |flag: &serde_json::Value| {
            let here = &flag["environments"][0];
            assert_eq!(here["name"], "development");
            let seen = here["lastSeenAt"].as_str().unwrap_or("never");
            format!(
                "{} {} {} {} {seen}",
                flag["name"], here["result"], here["yes"], here["no"]
            )
            .replace('"', "")
        };
        features.map(line).collect()
    };
    let now = "2026-11-27T12:30:00.000Z";
    assert_eq!(
        found(&summary),
        [
            format!("both alwaysOff 0 2 {now}"),
            format!("checkout alwaysOn 6 0 {now}"),
            format!("off alwaysOff 0 4 {now}"),
            "silent notAskedFor 0 0 never".to_owned(),
        ]
    );
    let day = server.get(SUMMARY).await.ok();
    assert_eq!(
        found(&day)[..2],
        [
            format!("both mixed 1 2 {now}"),
            format!("checkout mixed 6 9 {now}")
        ]
    );
}

#[actix_web::test]
async fn the_hours_are_one_number_from_1_to_48_of_a_project_that_is_there() {
    let server = server_with_a_flag();
    for query in ["hours=0", "hours=49", "hours=", "hours=x", "hours=1&hours=1"] {
        let refused = server.get(&format!("{SUMMARY}?{query}")).await;
        refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let missing = "/api/admin/projects/nobody/client-metrics/summary";
    let refused = server.get(missing).await;
    refused.refused(StatusCode::NOT_FOUND, "NotFoundError");
}
