//! `POST /api/client/metrics` and `POST /api/frontend/client/metrics`: one SDK's report.

use serde_json::Value;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Counts, Report};

use super::fields::{NameRule, counts, instant, is_nothing};
use crate::json::{Node, Problem, Problems};

/// What one SDK reports.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageReport {
    /// The application.
    pub application: String,
    /// When the time that the report covers ended; `None` where it reports nothing.
    pub stop: Option<OffsetDateTime>,
    /// What was counted, by flag, in the order of the document.
    pub flags: Vec<(FlagName, Counts)>,
}

impl UsageReport {
    /// Reads a report from a parsed request body. Names may have up to `longest_name` bytes.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the document.
    pub fn read(body: &Value, longest_name: usize) -> Result<Self, Vec<Problem>> {
        let names = NameRule {
            longest: longest_name,
        };
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object(&mut problems).is_none() {
            return problems.finish(None);
        }
        let application = names.read(&node.get("appName"), &mut problems);
        let bucket = node.get("bucket").nullable();
        let (stop, flags) = if bucket.is_absent() {
            (None, Vec::new())
        } else {
            read_bucket(&bucket, names, &mut problems)
        };
        problems.finish(application.map(|application| Self {
            application,
            stop,
            flags,
        }))
    }

    /// The report as it is counted, in the environment of the token it came with; `None` where it
    /// counts nothing.
    #[must_use]
    pub fn into_report(self, environment: &EnvironmentName, received: OffsetDateTime) -> Option<Report> {
        let mut report = Report::new(self.application, environment.clone(), self.stop?, received);
        for (flag, counts) in self.flags {
            if !is_nothing(&counts) {
                report.add(flag, counts);
            }
        }
        (!report.flags().is_empty()).then_some(report)
    }
}

type Bucket = (Option<OffsetDateTime>, Vec<(FlagName, Counts)>);

fn read_bucket(bucket: &Node<'_>, names: NameRule, problems: &mut Problems) -> Bucket {
    if bucket.object(problems).is_none() {
        return (None, Vec::new());
    }
    instant(&bucket.get("start"), problems);
    let stop = instant(&bucket.get("stop"), problems);
    let mut flags = Vec::new();
    for (name, node) in bucket.get("toggles").members(problems).unwrap_or_default() {
        let fits = names.check(name, node.path(), problems);
        if let Some(counts) = counts(&node, names, problems).filter(|_| fits) {
            flags.push((name.into(), counts));
        }
    }
    (stop, flags)
}
