//! Usage rows, and who reported last: each minute as it was reported, added up when it is read.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName, SnapshotDelta, Write};
use vexil_metrics::{Counts, Merge, Retention, Rows, UsageKey, Width};

use crate::{
    Appended, Applications, LastSeen, REPORT_KEYS_KEPT, ReportKey, ReportedBy, StoreError, UsageBatch,
    UsageQuery, WriterId,
};

type Series = (FlagName, EnvironmentName, String);

#[derive(Debug, Clone, Default)]
pub(super) struct Usage {
    rows: BTreeMap<(Width, UsageKey), Counts>,
    last: BTreeMap<Series, OffsetDateTime>,
    appended: BTreeMap<WriterId, u64>,
    keys: BTreeMap<ReportKey, OffsetDateTime>,
}

impl Usage {
    pub(super) fn append(&mut self, batch: &UsageBatch) -> Result<Appended, StoreError> {
        let known: Vec<_> = batch
            .keys
            .iter()
            .filter(|key| self.keys.contains_key(key))
            .copied()
            .collect();
        let appended = self.appended.entry(batch.writer).or_default();
        if batch.again && *appended >= batch.number {
            return Ok(Appended::Stored);
        }
        if !known.is_empty() {
            return Ok(Appended::Known(known));
        }
        *appended = batch.number;
        self.keys.extend(batch.keys.iter().map(|key| (*key, batch.now)));
        let mut merge = Merge::default();
        merge.add(&batch.counts)?;
        for row in merge.into_rows() {
            let key = UsageKey {
                flag: row.flag.into(),
                environment: row.environment.into(),
                application: row.application.to_owned(),
                start: row.minute,
            };
            let last = self.last.entry(series(&key)).or_insert(key.start);
            *last = key.start.max(*last);
            let counts = self.rows.entry((Width::Minute, key)).or_default();
            counts.yes = counts.yes.plus(row.yes);
            counts.no = counts.no.plus(row.no);
            row.variants
                .iter()
                .for_each(|&(name, times)| counts.add_variant(name, times));
        }
        Ok(Appended::Stored)
    }

    pub(super) fn read(&self, wanted: &UsageQuery) -> Rows {
        let mut rows = Rows::default();
        for ((width, key), counts) in &self.rows {
            let start = wanted.width.floor(key.start);
            if *width <= wanted.width && start >= wanted.since && wanted.flags.contains(&key.flag) {
                let mut key = UsageKey { start, ..key.clone() };
                if wanted.applications == Applications::Together {
                    key.application = String::new();
                }
                rows.add(key, counts);
            }
        }
        rows
    }

    pub(super) fn reported_by(&self, wanted: impl Fn(&FlagName, &str) -> bool) -> Vec<ReportedBy> {
        let matching = self
            .last
            .iter()
            .filter(|((flag, _, application), _)| wanted(flag, application));
        matching
            .map(|((flag, environment, application), &last)| ReportedBy {
                flag: flag.clone(),
                environment: environment.clone(),
                application: application.clone(),
                last,
            })
            .collect()
    }

    pub(super) fn last_seen(&self, flags: Option<&[FlagName]>) -> LastSeen {
        let mut seen = LastSeen::new();
        for ((flag, environment, _), &last) in &self.last {
            if flags.is_none_or(|flags| flags.contains(flag)) {
                let latest = seen.entry((flag.clone(), environment.clone())).or_insert(last);
                *latest = last.max(*latest);
            }
        }
        seen
    }

    pub(super) fn applications(&self) -> BTreeSet<String> {
        self.last
            .keys()
            .map(|(_, _, application)| application.clone())
            .collect()
    }

    pub(super) fn tidy(&mut self, now: OffsetDateTime, retention: &Retention) {
        for width in Width::ALL {
            let limit = retention.limit(width, now);
            let is_old = |(of, key): &(Width, UsageKey)| {
                let (block, _) = width.block(key.start);
                *of == width && block + width.block_length() <= limit
            };
            let old: Vec<_> = self.rows.keys().filter(|key| is_old(key)).cloned().collect();
            for row in old {
                let Some(counts) = self.rows.remove(&row) else {
                    continue;
                };
                let (_, key) = row;
                let (block, _) = width.block(key.start);
                let kept = block + width.block_length() > retention.end(now);
                if let Some(longer) = width.longer().filter(|_| kept) {
                    let start = longer.floor(key.start);
                    let sum = self.rows.entry((longer, UsageKey { start, ..key }));
                    sum.or_default().add(&counts);
                }
            }
        }
        self.last.retain(|_, last| *last > retention.end(now));
        let forgotten = now.saturating_sub(REPORT_KEYS_KEPT);
        self.keys.retain(|_, at| *at > forgotten);
    }

    /// What is tied to names goes with what they name.
    pub(super) fn let_go(&mut self, delta: &SnapshotDelta) {
        for write in &delta.flags {
            if let Write::Delete(gone) = write {
                self.rows.retain(|(_, key), _| key.flag != *gone);
                self.last.retain(|(flag, _, _), _| flag != gone);
            }
        }
        for write in &delta.environments {
            if let Write::Delete(gone) = write {
                self.rows.retain(|(_, key), _| key.environment != *gone);
                self.last.retain(|(_, environment, _), _| environment != gone);
            }
        }
    }
}

fn series(key: &UsageKey) -> Series {
    (key.flag.clone(), key.environment.clone(), key.application.clone())
}
