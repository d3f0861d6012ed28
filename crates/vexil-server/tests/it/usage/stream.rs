//! The usage of a flag minute by minute, as it is reported.

use serde_json::{Value, json};

use super::{report, server_with_a_flag};
use crate::client::streaming::open;
use crate::support::{ADMIN, START};

const STREAM: &str = "/api/admin/client-metrics/features/checkout/minutes/stream?last=2";

#[actix_web::test]
async fn whoever_listens_is_told_the_minutes_and_again_once_more_is_reported() {
    let server = server_with_a_flag();
    let mut stream = open(&server, STREAM, &[("authorization", ADMIN)]).await;
    assert_eq!(stream.status, 200);
    let (_, name, first) = stream.event().await;
    assert_eq!((name.as_str(), &first["environments"]), ("usage", &json!([])));
    report(
        &server,
        "shop",
        START,
        json!({ "checkout": { "yes": 3, "no": 1 } }),
    )
    .await;
    let (_, _, told) = stream.event().await;
    let shown = server.get(&STREAM.replace("/stream", "")).await.ok();
    assert_eq!(told, shown);
    assert_eq!(told["environments"][0]["yes"], json!([null, 3]));
    assert_eq!(
        told["environments"][0]["applications"]["shop"]["no"],
        Value::from(1)
    );
}

#[actix_web::test]
async fn what_cannot_be_read_is_refused_before_anything_is_told() {
    let server = server_with_a_flag();
    let headers = [("authorization", ADMIN)];
    let paths = [
        (STREAM.replace("checkout", "nobody"), 404),
        (STREAM.replace("=2", "=0"), 400),
    ];
    for (path, status) in paths {
        assert_eq!(open(&server, &path, &headers).await.status, status, "{path}");
    }
    assert_eq!(open(&server, STREAM, &[]).await.status, 401);
}
