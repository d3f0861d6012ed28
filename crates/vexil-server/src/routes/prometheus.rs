//! Numbers about the server for Prometheus, in its text format.

use std::fmt::Write;

use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::app::App;
use crate::routes::auth::Visitor;
use crate::serving_state::ServingState;

/// The text format, version 0.0.4.
const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Numbers for everybody; those of each environment, which name it, for whoever may use the administration API.
pub(crate) async fn numbers(app: Data<App>, who: Visitor) -> HttpResponse {
    let text = text(&app.serving(), who.0.is_some());
    HttpResponse::Ok().content_type(FORMAT).body(text)
}

fn text(serving: &ServingState, is_known: bool) -> String {
    let mut text = String::new();
    gauge(
        &mut text,
        "environment_revision_id",
        "The revision of each environment.",
    );
    for name in serving.snapshot.environments.keys().filter(|_| is_known) {
        if let Some(environment) = serving.environment(name.as_str()) {
            let revision = environment.revision;
            line(
                &mut text,
                &format!(
                    "environment_revision_id{{environment=\"{}\"}}",
                    label(name.as_str())
                ),
                revision,
            );
        }
    }
    let archived = serving
        .snapshot
        .flags
        .values()
        .filter(|flag| flag.is_archived())
        .count();
    let live = serving.snapshot.flags.len().saturating_sub(archived);
    let counts = [
        (
            "feature_toggles_total",
            "The feature flags that are not archived.",
            live,
        ),
        (
            "feature_toggles_archived_total",
            "The feature flags that are archived.",
            archived,
        ),
        ("projects_total", "The projects.", serving.snapshot.projects.len()),
        (
            "environments_total",
            "The environments.",
            serving.snapshot.environments.len(),
        ),
        ("segments_total", "The segments.", serving.snapshot.segments.len()),
    ];
    for (name, help, count) in counts {
        gauge(&mut text, name, help);
        line(&mut text, name, count);
    }
    text
}

fn gauge(text: &mut String, name: &str, help: &str) {
    // writing to memory does not fail
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n");
}

fn line(text: &mut String, series: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "{series} {value}");
}

/// The value of a label, escaped as the format wants it.
fn label(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
