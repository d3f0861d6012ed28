//! `GET /internal-backstage/prometheus`: numbers about the server.

use actix_web::http::Method;

use crate::client::streaming::open;
use crate::flags::put_flag;
use crate::support::{CLIENT, FRONTEND, START, TestServer};

#[actix_web::test]
async fn numbers_are_written_in_the_text_format_and_environments_named_to_those_who_may_know() {
    let server = TestServer::new();
    put_flag(&server, "live", |_| {});
    put_flag(&server, "archived", |flag| flag.archived_at = Some(START));
    let revision = server
        .app()
        .serving()
        .environment("development")
        .unwrap()
        .revision
        .number;
    let path = "/internal-backstage/prometheus";
    let strangers = server.send(Method::GET, path, &[], "").await;
    assert!(
        strangers.text.contains("\nfeature_toggles_total 1\n"),
        "{}",
        strangers.text
    );
    assert!(!strangers.text.contains("development"), "{}", strangers.text);
    let answer = server.get(path).await;
    assert_eq!(
        answer.header("content-type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    for line in [
        format!("environment_revision_id{{environment=\"development\"}} {revision}"),
        "feature_toggles_total 1".to_owned(),
        "feature_toggles_archived_total 1".to_owned(),
        "# TYPE feature_toggles_total gauge".to_owned(),
        "projects_total 1".to_owned(),
        "environments_total 2".to_owned(),
        "segments_total 0".to_owned(),
    ] {
        assert!(
            answer.text.lines().any(|found| found == line),
            "{line}\n{}",
            answer.text
        );
    }
}

#[actix_web::test]
async fn requests_and_reports_are_counted_by_what_was_answered() {
    let server = TestServer::new();
    put_flag(&server, "checkout", |_| {});
    server
        .get("/api/admin/client-metrics/features/checkout")
        .await
        .ok();
    let refused = server.get("/api/admin/client-metrics/features/nobody").await;
    assert_eq!(refused.status, 404);
    for _ in 0..2 {
        let report = r#"{"appName":"shop","bucket":{"start":1796000000,"stop":1796000000,"toggles":{"checkout":{"yes":1}}}}"#;
        let headers = [("authorization", CLIENT), ("content-type", "application/json")];
        let sent = server
            .send(Method::POST, "/api/client/metrics", &headers, report)
            .await;
        assert_eq!(sent.status, 202);
    }
    let decided = server
        .send(Method::GET, "/api/frontend", &[("authorization", FRONTEND)], "")
        .await;
    assert_eq!(decided.status, 200);
    let text = server.get("/internal-backstage/prometheus").await.text;
    let usage = r#"method="GET",route="/api/admin/client-metrics/features/{name}""#;
    for line in [
        format!(r#"vexil_http_requests_total{{{usage},status="200"}} 1"#),
        format!(r#"vexil_http_requests_total{{{usage},status="404"}} 1"#),
        format!(r#"vexil_http_request_duration_seconds_count{{{usage}}} 2"#),
        format!(r#"vexil_http_request_duration_seconds_bucket{{{usage},le="+Inf"}} 2"#),
        r#"vexil_http_requests_total{method="POST",route="/api/client/metrics",status="202"} 2"#.to_owned(),
        "# TYPE vexil_http_request_duration_seconds histogram".to_owned(),
        "vexil_evaluations_total 1".to_owned(),
        "vexil_usage_reports_total 2".to_owned(),
        "vexil_usage_reports_failed_total 0".to_owned(),
        r#"vexil_commit_duration_seconds_count{what="usage"} 2"#.to_owned(),
        r#"vexil_commit_duration_seconds_count{what="configuration"} 2"#.to_owned(),
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[actix_web::test]
async fn the_id_that_a_client_gives_its_request_comes_back_where_it_is_short_and_plain() {
    let server = TestServer::new();
    let long = "x".repeat(129);
    let places = [
        ("/health", 200),
        ("/api/client/features", 401),
        // and where no route answers
        ("/nowhere", 404),
        ("/api/client/nowhere/at/all", 404),
        ("/api/client/register", 404),
        ("/api/frontend/features/%zz", 400),
    ];
    for (path, status) in places {
        for (id, expected) in [
            ("a-1", Some("a-1")),
            (&long[1..], Some(&long[1..])),
            (&long, None),
            ("", None),
        ] {
            let answer = server.send(Method::GET, path, &[("x-request-id", id)], "").await;
            assert_eq!((answer.status, answer.header("x-request-id")), (status, expected));
        }
    }
}

#[actix_web::test]
async fn streams_are_counted_while_they_are_open() {
    let server = TestServer::new();
    let counted = async || {
        let text = server.get("/internal-backstage/prometheus").await.text;
        let line = text.lines().find_map(|line| line.strip_prefix("vexil_streams "));
        line.map(str::to_owned)
    };
    assert_eq!(counted().await.as_deref(), Some("0"));
    let headers = [("authorization", CLIENT)];
    let stream = open(&server, "/api/client/streaming", &headers).await;
    assert_eq!(counted().await.as_deref(), Some("1"));
    drop(stream);
    assert_eq!(counted().await.as_deref(), Some("0"));
}
