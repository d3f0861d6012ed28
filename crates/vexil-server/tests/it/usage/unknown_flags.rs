//! `GET /api/admin/metrics/unknown-flags`: names that were reported and that no flag has.

use serde_json::json;

use super::{report, report_of, send_report, server_with_a_flag};
use crate::flags::put_flag;
use crate::support::{PRODUCTION_CLIENT, START};

#[actix_web::test]
async fn flags_that_nobody_knows_are_listed_with_who_reported_them() {
    let server = server_with_a_flag();
    put_flag(&server, "archived", |flag| flag.archived_at = Some(START));
    assert_eq!(
        server.get("/api/admin/metrics/unknown-flags").await.ok(),
        json!({ "unknownFlags": [] })
    );
    let toggles = json!({ "typo": { "yes": 1 }, "checkout": { "yes": 1 }, "archived": { "no": 1 } });
    report(&server, "web", START, toggles.clone()).await;
    report(
        &server,
        "app",
        START,
        json!({ "typo": { "yes": 1 }, "gone": { "yes": 1 } }),
    )
    .await;
    send_report(&server, PRODUCTION_CLIENT, &report_of("web", START, &toggles)).await;
    let seen = "2026-11-27T12:30:00.000Z";
    let in_development = json!({ "environment": "development", "seenAt": seen });
    assert_eq!(
        server.get("/api/admin/metrics/unknown-flags").await.ok(),
        json!({ "unknownFlags": [
            {
                "name": "gone", "lastSeenAt": seen, "lastEventAt": null,
                "reports": [{ "appName": "app", "environments": [in_development] }],
            },
            {
                "name": "typo", "lastSeenAt": seen, "lastEventAt": null,
                "reports": [
                    { "appName": "app", "environments": [in_development] },
                    { "appName": "web", "environments": [
                        in_development, { "environment": "production", "seenAt": seen },
                    ] },
                ],
            },
        ] })
    );
}
