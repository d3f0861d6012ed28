//! `GET /internal-backstage/prometheus`: numbers about the server.

use actix_web::http::Method;

use crate::flags::put_flag;
use crate::support::{START, TestServer};

#[actix_web::test]
async fn numbers_are_written_in_the_text_format_and_environments_named_to_those_who_may_know() {
    let server = TestServer::new();
    put_flag(&server, "live", |_| {});
    put_flag(&server, "archived", |flag| flag.archived_at = Some(START));
    let revision = server.app.serving().environment("development").unwrap().revision;
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
