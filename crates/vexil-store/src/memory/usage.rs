//! Usage rows, and who reported last.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Batch, Retention, UsageKey};

use crate::{FlagUsage, ReportedBy};

type Series = (FlagName, String, EnvironmentName);

#[derive(Debug, Clone, Default)]
pub(super) struct Usage {
    rows: Batch,
    last: BTreeMap<Series, OffsetDateTime>,
}

impl Usage {
    pub(super) fn add(&mut self, batch: &Batch) {
        for (key, _) in batch.iter() {
            let last = self.last.entry(series(key)).or_insert(key.start);
            *last = key.start.max(*last);
        }
        self.rows.merge(batch.clone());
    }

    pub(super) fn of(&self, wanted: &FlagUsage) -> Batch {
        let matching = self.rows.iter().filter(|(key, _)| {
            key.flag == wanted.flag && key.width == wanted.width && key.start >= wanted.since
        });
        matching
            .map(|(key, counts)| (key.clone(), counts.clone()))
            .collect()
    }

    pub(super) fn reported_by(&self, wanted: impl Fn(&FlagName) -> bool) -> Vec<ReportedBy> {
        let matching = self.last.iter().filter(|((flag, _, _), _)| wanted(flag));
        matching
            .map(|((flag, application, environment), &last)| ReportedBy {
                flag: flag.clone(),
                application: application.clone(),
                environment: environment.clone(),
                last,
            })
            .collect()
    }

    pub(super) fn purge(&mut self, now: OffsetDateTime, retention: &Retention) -> u64 {
        let earlier = self.rows.len();
        self.rows
            .retain(|key, _| key.start > retention.limit(key.width, now));
        let kept: BTreeSet<Series> = self.rows.iter().map(|(key, _)| series(key)).collect();
        self.last.retain(|series, _| kept.contains(series));
        u64::try_from(earlier - self.rows.len()).unwrap_or(u64::MAX)
    }
}

fn series(key: &UsageKey) -> Series {
    (key.flag.clone(), key.application.clone(), key.environment.clone())
}
