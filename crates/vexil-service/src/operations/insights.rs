//! What never changes anything in a project, with how much it was used.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::insights::finding_document;
use vexil_budget::Budget;
use vexil_domain::{EnvironmentName, EnvironmentSnapshot, FlagName, ProjectId, SegmentId, Snapshot};
use vexil_metrics::{Rows, has_begun};
use vexil_preview::{FindingKind, Subject, lint};

use super::not_understood::{not_understood, told};

/// For each environment of a project what decides nothing there. `usage` are the counts of its flags.
pub fn of_project(
    snapshot: &Snapshot,
    project: &ProjectId,
    usage: &Rows,
    now: OffsetDateTime,
    budget: &Budget,
) -> Value {
    let used = usage_of(usage, now);
    let environments = snapshot.projects.get(project);
    let environments = environments
        .into_iter()
        .flat_map(|project| project.environments.keys());
    let documents: Vec<Value> = environments
        .map(|name| {
            let all = snapshot.in_environment(name);
            let flags = flags_of(&all, project);
            let mut document = of_environment(&all, &flags, now, budget, |flag| {
                let (yes, no) = used.get(&(flag, name)).copied().unwrap_or_default();
                Some(json!({ "yes": yes, "no": no }))
            });
            document.insert("environment".to_owned(), json!(name.as_str()));
            Value::Object(document)
        })
        .collect();
    json!({ "version": 1, "project": project.as_str(), "environments": documents })
}

/// The live flags of a project.
pub(crate) fn flags_of(snapshot: &EnvironmentSnapshot, project: &ProjectId) -> Vec<FlagName> {
    let flags = snapshot.flags.values().filter(|flag| flag.project == *project);
    flags.map(|flag| flag.name.clone()).collect()
}

/// What decides nothing in these flags and the segments they use; beside constant flags stands their usage.
pub fn of_environment<'s>(
    snapshot: &EnvironmentSnapshot,
    flags: &'s [FlagName],
    now: OffsetDateTime,
    budget: &Budget,
    usage: impl Fn(&'s FlagName) -> Option<Value>,
) -> Map<String, Value> {
    let own = flags.iter().filter_map(|name| snapshot.flags.get(name));
    let strategies = own.flat_map(|flag| &flag.settings.strategies);
    let segments: BTreeSet<SegmentId> = strategies.flat_map(|it| it.segments.iter().copied()).collect();
    let segments: Vec<SegmentId> = segments.into_iter().collect();
    let found = lint(snapshot, flags, &segments, now, budget);
    let findings = found.findings.iter().map(|finding| {
        let mut document = finding_document(finding);
        let constant = matches!(finding.kind, FindingKind::ConstantOn | FindingKind::ConstantOff);
        if let (true, Subject::Flag(name), Some(members)) =
            (constant, &finding.subject, document.as_object_mut())
        {
            let name = flags.iter().find(|flag| *flag == name);
            if let Some(usage) = name.and_then(&usage) {
                members.insert("lastSevenDays".to_owned(), usage);
            }
        }
        document
    });
    let mut document = Map::new();
    document.insert("findings".to_owned(), findings.collect());
    document.insert("undecided".to_owned(), json!(found.undecided));
    let closed = told([(None, not_understood(snapshot, flags))]);
    if !closed.is_empty() {
        document.insert("warnings".to_owned(), json!({ "notUnderstood": closed }));
    }
    document
}

/// How often each flag was on and off, by environment.
fn usage_of(rows: &Rows, now: OffsetDateTime) -> BTreeMap<(&FlagName, &EnvironmentName), (u64, u64)> {
    let mut all: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    for row in rows.iter().filter(|row| has_begun(now, row.start)) {
        let (yes, no) = all
            .entry((&row.series.flag, &row.series.environment))
            .or_default();
        *yes = yes.saturating_add(row.counts.yes.get());
        *no = no.saturating_add(row.counts.no.get());
    }
    all
}
