//! How often and how fast somebody may guess.

use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{LOGIN, PASSWORD, account, try_to_sign_in};
use crate::support::{START, TestServer};

#[actix_web::test]
async fn the_eleventh_sign_in_within_a_minute_is_told_to_wait() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    for left in (0..10).rev() {
        let answer = try_to_sign_in(&server, "ada", PASSWORD).await;
        answer.ok();
        assert_eq!(answer.header("ratelimit-policy"), Some("10;w=60"));
        assert_eq!(answer.header("ratelimit-limit"), Some("10"));
        assert_eq!(
            answer.header("ratelimit-remaining"),
            Some(left.to_string().as_str())
        );
    }
    let answer = try_to_sign_in(&server, "ada", PASSWORD).await;
    answer.refused(StatusCode::TOO_MANY_REQUESTS, "TooManyRequestsError");
    assert_eq!(answer.header("retry-after"), Some("6"));
    assert_eq!(answer.header("ratelimit-remaining"), Some("0"));
    assert_eq!(answer.header("set-cookie"), None);
    server.set_time(START + Duration::from_secs(6));
    try_to_sign_in(&server, "ada", PASSWORD).await.ok();
}

#[actix_web::test]
async fn another_name_does_not_help_and_neither_does_a_made_up_address() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let mut statuses = Vec::new();
    for number in 0..12 {
        let address = format!("203.0.113.{number}");
        let headers = [
            ("content-type", "application/json"),
            ("x-forwarded-for", address.as_str()),
        ];
        let body = json!({ "username": format!("user-{number}"), "password": "x" }).to_string();
        statuses.push(server.send(Method::POST, LOGIN, &headers, body).await.status);
    }
    assert_eq!(statuses, [[401; 10].as_slice(), &[429; 2]].concat());
}

/// The medians of 100 tries each, taken in turns, differ by less than what the tries of one kind differ by
/// among themselves.
#[actix_web::test]
async fn a_known_account_takes_as_long_as_an_unknown_one() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let mut took = [Vec::new(), Vec::new()];
    for number in 0..200_usize {
        // only the tries that reach the password are of interest
        server.set_time(START + Duration::from_secs(600 * u64::try_from(number).unwrap()));
        let name = ["ada", "eve"][number % 2];
        let start = Instant::now();
        let answer = try_to_sign_in(&server, name, "Xy7!pqRstuvw8").await;
        took[number % 2].push(start.elapsed());
        assert_eq!(answer.status, 401);
    }
    let quarters = took.map(|mut all| {
        all.sort_unstable();
        [all[25], all[50], all[75]]
    });
    println!("known and unknown: {quarters:?}");
    let [known, unknown] = quarters;
    let gap = known[1].abs_diff(unknown[1]);
    let noise = (known[2] - known[0]).max(unknown[2] - unknown[0]);
    assert!(gap <= noise.max(known[1] / 20), "{quarters:?}");
}
