//! Every date that somebody can send, at the edges of the calendar and beyond: it is taken or refused with its place, and
//! whatever was taken can be shown.

use actix_web::http::Method;
use serde_json::{Value, json};

use super::world::World;
use crate::chance::Chance;
use crate::support::{ADMIN, Answer, CLIENT, FRONTEND, places};

/// Dates that have a year of four digits, also in UTC.
const DATES: &[&str] = &[
    "0000-01-01T00:00:00Z",
    "0000-01-01T00:00:00-23:59",
    "0001-01-01T00:00:00+23:59",
    "1969-12-31T23:59:59.999999999Z",
    "2016-12-31T23:59:60Z",
    "2027-06-30T18:59:60.5-05:00",
    "9999-12-31T23:59:59.999999999Z",
    "9999-12-31T23:59:59+23:59",
];

/// Dates that have no such year in UTC, in which they would be shown; they can be compared.
const BEYOND: &[&str] = &[
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "9999-12-31T23:59:60Z",
];

/// Texts that are no dates.
const OTHERS: &[&str] = &[
    "+999999-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "2027-01-01T24:00:00Z",
    "2027-01-01T12:60:00Z",
    "2027-01-01T12:00:61Z",
    "2027-01-01T12:00:60Z",
    "2027-01-01T12:00:00+24:00",
    "2027-01-01T12:00:00-00:60",
    "2027-02-30T12:00:00Z",
    "2027-00-10T12:00:00Z",
    "2027-01-01T12:00:00.Z",
    "2027-01-01T12:00:00CET",
    "infinity",
    "now",
    "",
    "\u{0}",
    "２０２７-01-01T00:00:00Z",
];

/// Where dates are sent: who sends it, how, and a body with `DATE` in its place; then the place, where it is told.
fn sent(world: &World) -> Vec<(&'static str, Method, String, Value, &'static str)> {
    let date = "DATE";
    let token = json!({ "tokenName": "t", "type": "client", "environment": "development", "projects": ["default"], "expiresAt": date });
    let bucket = |start: &str, stop: &str| json!({ "appName": "a", "bucket": { "start": start, "stop": stop, "toggles": { "checkout": { "yes": 1, "no": 0 } } } });
    let registered =
        json!({ "appName": "a", "instanceId": "i", "strategies": [], "interval": 10, "started": date });
    let fixed = "2026-11-27T12:30:20Z";
    let bulk = json!({ "applications": [], "metrics": [{ "featureName": "checkout", "appName": "a", "environment": "development", "timestamp": date, "yes": 1, "no": 0 }] });
    let context = json!({ "appName": "a", "currentTime": date });
    let change =
        json!([{ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": true } }]);
    let changes = |rest: Value| {
        let mut question = json!({ "project": "default", "environment": "development", "changes": change });
        question
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        question
    };
    let constraint = json!({ "contextName": "currentTime", "operator": "DATE_BEFORE", "value": date });
    let request = world.name("id", &mut Chance::new(1));
    let state = format!("/api/admin/projects/default/change-requests/{request}/state");
    let post = Method::POST;
    vec![
        (
            ADMIN,
            post.clone(),
            "/api/admin/api-tokens".to_owned(),
            token.clone(),
            "/expiresAt",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/projects/default/api-tokens".to_owned(),
            token,
            "/expiresAt",
        ),
        (
            ADMIN,
            Method::PUT,
            "/api/admin/api-tokens/5".to_owned(),
            json!({ "expiresAt": date }),
            "/expiresAt",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/user-admin/1/tokens".to_owned(),
            json!({ "description": "d", "expiresAt": date }),
            "/expiresAt",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/invite-link/tokens".to_owned(),
            json!({ "name": "n", "expiresAt": date }),
            "/expiresAt",
        ),
        (
            ADMIN,
            Method::PUT,
            state,
            json!({ "state": "Scheduled", "scheduledAt": date }),
            "/scheduledAt",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/playground".to_owned(),
            json!({ "environment": "development", "context": context }),
            "/context/currentTime",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/playground/advanced".to_owned(),
            json!({ "environments": ["development"], "context": context }),
            "/context/currentTime",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/playground/changes/diff".to_owned(),
            changes(json!({ "context": context })),
            "/context/currentTime",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/playground/changes/diff".to_owned(),
            changes(json!({ "suggest": true, "now": date })),
            "/now",
        ),
        (
            ADMIN,
            post.clone(),
            "/api/admin/constraints/validate".to_owned(),
            constraint,
            "/value",
        ),
        (
            CLIENT,
            post.clone(),
            "/api/client/register".to_owned(),
            registered.clone(),
            "/started",
        ),
        (
            FRONTEND,
            post.clone(),
            "/api/frontend/client/register".to_owned(),
            registered,
            "/started",
        ),
        (
            CLIENT,
            post.clone(),
            "/api/client/metrics".to_owned(),
            bucket(date, fixed),
            "/bucket/start",
        ),
        (
            CLIENT,
            post.clone(),
            "/api/client/metrics".to_owned(),
            bucket(fixed, date),
            "/bucket/stop",
        ),
        (
            FRONTEND,
            post.clone(),
            "/api/frontend/client/metrics".to_owned(),
            bucket(date, date),
            "/bucket/start",
        ),
        (
            CLIENT,
            post.clone(),
            "/api/client/metrics/bulk".to_owned(),
            bulk,
            "/metrics/0/timestamp",
        ),
        (
            FRONTEND,
            post.clone(),
            "/api/frontend".to_owned(),
            json!({ "context": context }),
            "",
        ),
        (
            FRONTEND,
            post,
            "/ofrep/v1/evaluate/flags".to_owned(),
            json!({ "context": context }),
            "",
        ),
    ]
}

fn with_date(body: &Value, date: &Value) -> Value {
    let text = body.to_string().replace("\"DATE\"", &date.to_string());
    serde_json::from_str(&text).unwrap()
}

#[actix_web::test]
async fn every_date_is_taken_or_refused_with_its_place() {
    let world = World::new(1).await;
    let (mut taken, mut refused) = (0, 0);
    for (who, method, path, body, place) in sent(&world) {
        let dates = DATES.iter().map(|date| (*date, true));
        let others = BEYOND.iter().chain(OTHERS).map(|text| (*text, false));
        for (date, is_one) in dates.chain(others) {
            let body = with_date(&body, &json!(date));
            let answer = world.server.call(who, method.clone(), &path, Some(&body)).await;
            let told = format!("{method} {path} {date:?}: {} {}", answer.status, answer.text);
            assert!(answer.status < 500, "{told}");
            if answer.status < 300 {
                taken += 1;
                // what is read as SDKs spell it, and contexts of SDKs, may be no date of the format
                let is_compared = place.ends_with("/value") || place.ends_with("/currentTime");
                let may = is_one || who != ADMIN || is_compared && BEYOND.contains(&date);
                assert!(may, "{told}");
            } else {
                refused += 1;
                is_refused_at(&answer, place, is_one, &told);
            }
        }
    }
    assert!(taken > 100 && refused > 150, "{taken} {refused}");
    let numbers = [
        "0",
        "-1",
        "1e308",
        "-1e308",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "253402300800",
        "1e11",
        "-6e10",
        "1795778400.5",
        "null",
        "true",
        "[]",
        "{}",
    ];
    for (who, method, path, body, _) in sent(&world) {
        for number in numbers {
            let number: Value = serde_json::from_str(number).unwrap();
            let answer = world
                .server
                .call(who, method.clone(), &path, Some(&with_date(&body, &number)))
                .await;
            assert!(
                answer.status < 500,
                "{method} {path} {number}: {} {}",
                answer.status,
                answer.text
            );
        }
    }
    everything_is_shown(&world).await;
}

/// A date is refused for what it is for only, such as an end that is past.
fn is_refused_at(answer: &Answer, place: &str, is_one: bool, told: &str) {
    assert!([400, 401, 403, 409].contains(&answer.status), "{told}");
    if !is_one && answer.status == 400 {
        let refusal = answer.json();
        let places = places(&refusal);
        assert!(places.iter().any(|path| path.ends_with(place)), "{told}");
    }
}

/// What was taken can be shown.
async fn everything_is_shown(world: &World) {
    for path in [
        "/api/admin/api-tokens",
        "/api/admin/projects/default/api-tokens",
        "/api/admin/user/tokens",
        "/api/admin/invite-link/tokens",
        "/api/admin/projects/default/change-requests",
        "/api/admin/events",
        "/api/admin/metrics/applications",
        "/api/admin/metrics/applications/a",
        "/api/admin/metrics/instances/a/environment/development",
        "/api/admin/client-metrics/features/checkout",
        "/api/admin/client-metrics/features/checkout/raw",
        "/api/admin/client-metrics/features/checkout/minutes",
        "/api/admin/metrics/unknown-flags",
        "/api/admin/search/features",
        "/api/admin/projects/default/insights",
        "/api/admin/personal-dashboard",
    ] {
        for server in [&world.server, &world.server.another()] {
            let answer = server.get(path).await;
            assert!(
                [200, 403, 404].contains(&answer.status),
                "{path}: {} {}",
                answer.status,
                answer.text
            );
            // a year has four digits
            assert!(
                !answer.text.contains("\"-0") && !answer.text.contains("\"+1"),
                "{path}: {}",
                answer.text
            );
        }
    }
}

#[actix_web::test]
async fn every_date_of_a_query_is_taken_or_refused() {
    let world = World::new(1).await;
    let queries = [
        ("/api/admin/search/events", vec!["from=IS:", "to=IS:"]),
        (
            "/api/admin/search/features",
            vec![
                "createdAt=IS_BEFORE:",
                "createdAt=IS_ON_OR_AFTER:",
                "lastSeenAt=IS_BEFORE:",
                "lastSeenAt=IS_ON_OR_AFTER:",
            ],
        ),
    ];
    let days = [
        "0000-01-01",
        "9999-12-31",
        "2016-12-31",
        "-0001-01-01",
        "10000-01-01",
        "2027-02-29",
        "+999999-01-01",
    ];
    for (path, parameters) in queries {
        for parameter in parameters {
            for date in DATES.iter().chain(BEYOND).chain(OTHERS).chain(&days) {
                let written: String = date.bytes().map(|byte| format!("%{byte:02X}")).collect();
                let answer = world.server.get(&format!("{path}?{parameter}{written}")).await;
                assert!(
                    [200, 400].contains(&answer.status),
                    "{path} {parameter}{date:?}: {} {}",
                    answer.status,
                    answer.text
                );
            }
            for day in ["0000-01-01", "9999-12-31"] {
                assert_eq!(
                    world.server.get(&format!("{path}?{parameter}{day}")).await.status,
                    200,
                    "{parameter}{day}"
                );
            }
        }
    }
    for date in DATES.iter().chain(BEYOND).chain(OTHERS) {
        let written: String = date.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let path = format!("/api/frontend?currentTime={written}&properties%5Bday%5D={written}");
        let answer = world.server.call(FRONTEND, Method::GET, &path, None).await;
        assert_eq!(answer.status, 200, "{date:?}");
    }
}
