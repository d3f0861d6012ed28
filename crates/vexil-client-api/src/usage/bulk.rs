//! `POST /api/client/metrics/bulk`: what a proxy such as Unleash Edge has gathered.

use std::collections::BTreeMap;

use serde_json::Value;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Counts, Report};

use super::fields::{NameRule, Unfit, counts, instant};
use crate::json::{Node, Problem, Problems};
use crate::register::Registered;

/// What a proxy has gathered from SDKs.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkReport {
    /// The applications that registered with it.
    pub applications: Vec<Registered>,
    /// What was counted.
    pub counts: Vec<BulkCounts>,
}

/// What was counted of one flag in one application.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkCounts {
    /// The flag.
    pub flag: FlagName,
    /// The application.
    pub application: String,
    /// When; `None` where it was not said.
    pub at: Option<OffsetDateTime>,
    /// How often.
    pub counts: Counts,
}

impl BulkReport {
    /// Reads a report from a parsed request body. All of it must be of `environment`, that of the
    /// token it came with. Names may have up to `longest_name` bytes; those that cannot be kept are made to fit,
    /// since a name that one SDK has reported to the proxy must not cost the others their counts.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the document.
    pub fn read(
        body: &Value,
        environment: &EnvironmentName,
        longest_name: usize,
    ) -> Result<Self, Vec<Problem>> {
        let names = NameRule {
            longest: longest_name,
            unfit: Unfit::MadeToFit,
        };
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object(&mut problems).is_none() {
            return problems.finish(None);
        }
        let applications = node.get("applications").array(&mut problems).unwrap_or_default();
        let applications = applications
            .iter()
            .filter_map(|item| Registered::read_bulk(item, names, &mut problems))
            .collect();
        let items = node.get("metrics").array(&mut problems).unwrap_or_default();
        let counts = items
            .iter()
            .filter_map(|item| item_counts(item, environment, names, &mut problems))
            .collect();
        problems.finish(Some(Self { applications, counts }))
    }

    /// The counts as they are kept: one report for each application and minute.
    #[must_use]
    pub fn reports(&self, environment: &EnvironmentName, received: OffsetDateTime) -> Vec<Report> {
        let mut reports = BTreeMap::<(&str, OffsetDateTime), Report>::new();
        for item in self.counts.iter().filter(|item| !item.counts.is_nothing()) {
            let at = item.at.unwrap_or(received);
            let new = Report::new(item.application.as_str(), environment.clone(), at, received);
            let place = (item.application.as_str(), new.minute());
            let report = reports.entry(place).or_insert(new);
            report.add(&item.flag, &item.counts);
        }
        reports.into_values().collect()
    }
}

fn item_counts(
    node: &Node<'_>,
    environment: &EnvironmentName,
    names: NameRule,
    problems: &mut Problems,
) -> Option<BulkCounts> {
    node.object(problems)?;
    let flag = names.flag(&node.get("featureName"), problems);
    let application = names.application(&node.get("appName"), problems);
    let place = node.get("environment");
    if let Some(named) = place.loose_text(problems)
        && named != environment.as_str()
    {
        let rule = format!("must be the environment of the token, \"{environment}\"");
        problems.refuse(place.path(), &rule, &Value::String(named));
    }
    let timestamp = node.get("timestamp").nullable();
    let at = if timestamp.is_absent() {
        None
    } else {
        instant(&timestamp, problems)
    };
    let counts = counts(node, names, problems);
    Some(BulkCounts {
        flag: flag?.into(),
        application: application?,
        at,
        counts: counts?,
    })
}
