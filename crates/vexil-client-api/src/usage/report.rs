//! `POST /api/client/metrics` and `POST /api/frontend/client/metrics`: one SDK's report.

use serde_json::Value;
use time::OffsetDateTime;
use vexil_domain::EnvironmentName;
use vexil_metrics::{FlagCounts, Report};

use super::fields::{NameRule, Unfit, counts, instant};
use crate::json::{Node, Problem, Problems};

/// What one SDK reports.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageReport {
    /// The application.
    pub application: String,
    /// When the time that the report covers ended; `None` where it reports nothing.
    pub stop: Option<OffsetDateTime>,
    /// What was counted, by flag, in the order of the document; flags of which nothing was are left out.
    pub counts: FlagCounts,
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
            unfit: Unfit::Refused,
        };
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object(&mut problems).is_none() {
            return problems.finish(None);
        }
        let application = names.application(&node.get("appName"), &mut problems);
        let bucket = node.get("bucket").nullable();
        let (stop, counts) = if bucket.is_absent() {
            (None, FlagCounts::default())
        } else {
            read_bucket(&bucket, names, &mut problems)
        };
        problems.finish(application.map(|application| Self {
            application,
            stop,
            counts,
        }))
    }

    /// The report as it is counted, in the environment of the token it came with; `None` where it
    /// counts nothing.
    #[must_use]
    pub fn into_report(self, environment: &EnvironmentName, received: OffsetDateTime) -> Option<Report> {
        let mut report = Report::new(self.application, environment.clone(), self.stop?, received);
        report.counts = self.counts;
        (!report.counts.is_empty()).then_some(report)
    }
}

type Bucket = (Option<OffsetDateTime>, FlagCounts);

fn read_bucket(bucket: &Node<'_>, names: NameRule, problems: &mut Problems) -> Bucket {
    if bucket.object(problems).is_none() {
        return (None, FlagCounts::default());
    }
    instant(&bucket.get("start"), problems);
    let stop = instant(&bucket.get("stop"), problems);
    let mut all = FlagCounts::default();
    for (name, node) in bucket.get("toggles").members(problems).unwrap_or_default() {
        let fits = names.check(name, node.path(), problems);
        let counts = counts(&node, names, problems).filter(|counts| fits && !counts.is_nothing());
        if let Some(counts) = counts {
            let variants = counts.variants.iter();
            let variants = variants.map(|(name, &times)| (name.as_str(), times));
            all.push(name, counts.yes, counts.no, variants);
        }
    }
    (stop, all)
}
