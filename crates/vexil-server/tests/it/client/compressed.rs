//! Request bodies that come compressed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

async fn send(server: &TestServer, path: &str, coding: &str, body: Vec<u8>) -> Answer {
    let headers = [
        ("authorization", CLIENT),
        ("content-type", "application/json"),
        ("content-encoding", coding),
    ];
    server.send(Method::POST, path, &headers, body).await
}

#[actix_web::test]
async fn compressed_reports_and_registrations_count_as_plain_ones() {
    let server = TestServer::new();
    let toggles = json!({ "f": { "yes": 3, "no": 1 } });
    let bucket =
        json!({ "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z", "toggles": toggles });
    let report = json!({ "appName": "a", "bucket": bucket });
    let registration = json!({ "appName": "a", "strategies": [], "started": 1, "interval": 1 });
    for (path, body) in [
        ("/api/client/metrics", &report),
        (
            "/api/client/metrics/bulk",
            &json!({ "applications": [registration], "metrics": [] }),
        ),
        ("/api/client/register", &registration),
    ] {
        let answer = send(&server, path, "gzip", gzip(body.to_string().as_bytes())).await;
        assert_eq!(answer.status, 202, "{path}: {}", answer.text);
    }
    let usage = server.get("/api/admin/client-metrics/features/f").await.ok();
    assert_eq!(usage["lastHourUsage"][0]["yes"], 3);
}

#[actix_web::test]
async fn broken_unknown_and_bursting_bodies_are_refused() {
    let server = TestServer::new();
    let path = "/api/client/metrics";
    send(&server, path, "gzip", b"{}".to_vec())
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let unknown = send(&server, path, "compress", b"{}".to_vec()).await;
    unknown.refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentCodingError");
    let bomb = gzip(&vec![b' '; 64 << 20]);
    assert!(bomb.len() < 1 << 20);
    let burst = send(&server, path, "gzip", bomb).await;
    burst.refused(StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLargeError");
}
