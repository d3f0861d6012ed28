//! Numbers about the server for Prometheus, in its text format.

use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_service::numbers::{Histogram, Numbers};
use vexil_service::{App, ServingState, UsageNumbers};

use crate::routes::auth::Visitor;

/// The text format, version 0.0.4.
const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Numbers for everybody; those of each environment, which name it, for whoever may use the administration API.
pub(crate) async fn numbers(app: Data<App>, who: Visitor) -> HttpResponse {
    let mut page = Page::default();
    configuration(&mut page, &app.serving(), who.0.is_some());
    requests(&mut page, app.numbers());
    let help = "Event streams that are open.";
    page.one("vexil_streams", "gauge", help, app.streams.open());
    usage(&mut page, app.numbers(), app.usage_writer.numbers());
    HttpResponse::Ok().content_type(FORMAT).body(page.0)
}

/// What is configured.
fn configuration(page: &mut Page, serving: &ServingState, is_known: bool) {
    page.begin(
        "environment_revision_id",
        "gauge",
        "The revision of each environment.",
    );
    for name in serving.snapshot.environments.keys().filter(|_| is_known) {
        if let Some(environment) = serving.environment(name.as_str()) {
            let labels = [("environment", name.as_str())];
            page.line("environment_revision_id", &labels, environment.revision.number);
        }
    }
    let snapshot = &serving.snapshot;
    let archived = snapshot.flags.values().filter(|flag| flag.is_archived()).count();
    let live = snapshot.flags.len().saturating_sub(archived);
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
        ("projects_total", "The projects.", snapshot.projects.len()),
        (
            "environments_total",
            "The environments.",
            snapshot.environments.len(),
        ),
        ("segments_total", "The segments.", snapshot.segments.len()),
    ];
    for (name, help, count) in counts {
        page.one(name, "gauge", help, count);
    }
    let revision = serving.revision.sequence;
    page.one(
        "vexil_revision",
        "gauge",
        "The revision of the whole configuration.",
        revision,
    );
}

/// What was asked, and what it took.
fn requests(page: &mut Page, numbers: &Numbers) {
    const REQUESTS: &str = "vexil_http_requests_total";
    const SECONDS: &str = "vexil_http_request_duration_seconds";
    let routes = numbers.routes();
    page.begin(
        REQUESTS,
        "counter",
        "Requests that were answered, by route and status.",
    );
    for (method, path, of) in &routes {
        for (status, count) in of.by_status() {
            let labels = [
                ("method", method.as_str()),
                ("route", path),
                ("status", &status.to_string()),
            ];
            page.line(REQUESTS, &labels, count);
        }
    }
    page.begin(
        SECONDS,
        "histogram",
        "Seconds from the head of a request until its answer begins.",
    );
    for (method, path, of) in &routes {
        page.histogram(SECONDS, &[("method", method), ("route", path)], &of.seconds);
    }
    let evaluations = numbers.evaluations.load(Ordering::Relaxed);
    let help = "Flags that were decided for front ends.";
    page.one("vexil_evaluations_total", "counter", help, evaluations);
}

/// What was reported, and what became of it.
fn usage(page: &mut Page, numbers: &Numbers, writer: &UsageNumbers) {
    const COMMITS: &str = "vexil_commit_duration_seconds";
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let help = "Usage reports that were stored.";
    page.one(
        "vexil_usage_reports_total",
        "counter",
        help,
        count(&writer.reports),
    );
    let help = "Usage reports that could not be stored.";
    page.one(
        "vexil_usage_reports_failed_total",
        "counter",
        help,
        count(&writer.failed),
    );
    let help = "Rows of usage reports that are stored and not folded yet, a second ago at most.";
    page.one(
        "vexil_usage_inbox_rows",
        "gauge",
        help,
        count(&numbers.inbox_rows),
    );
    let help = "How many bytes these rows have.";
    page.one(
        "vexil_usage_inbox_bytes",
        "gauge",
        help,
        count(&numbers.inbox_bytes),
    );
    page.begin(COMMITS, "histogram", "Seconds that commits took.");
    page.histogram(COMMITS, &[("what", "configuration")], &numbers.commits);
    page.histogram(COMMITS, &[("what", "usage")], &writer.commits);
}

/// The text so far.
#[derive(Default)]
struct Page(String);

impl Page {
    fn begin(&mut self, name: &str, kind: &str, help: &str) {
        // writing to memory does not fail
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn one(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.begin(name, kind, help);
        self.line(name, &[], value);
    }

    fn line(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (place, (label, text)) in labels.iter().enumerate() {
            let before = if place == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{before}{label}=\"{}\"", escaped(text));
        }
        let after = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.0, "{after} {value}");
    }

    fn histogram(&mut self, name: &str, labels: &[(&str, &str)], of: &Histogram) {
        let mut all = 0;
        for (bound, count) in of.cumulated() {
            let mut labels = labels.to_vec();
            labels.push(("le", bound));
            self.line(&format!("{name}_bucket"), &labels, count);
            all = count;
        }
        self.line(&format!("{name}_sum"), labels, of.sum());
        self.line(&format!("{name}_count"), labels, all);
    }
}

/// The value of a label, escaped as the format wants it.
fn escaped(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
