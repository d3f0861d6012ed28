//! What SDKs report: usage, and the instances that have started.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use time::OffsetDateTime;
use vexil_domain::FlagName;
use vexil_metrics::{Retention, Rows};
use vexil_store::{
    Appended, ApplicationStore, Folding, InboxSize, Instance, LastSeen, Registration, Reported, ReportedBy,
    StoreError, UsageBatch, UsageQuery, UsageStore, check_usage_storable,
};

use super::{DieselStore, read};
use crate::{applications, usage};

impl UsageStore for DieselStore {
    fn append_usage(&self, batch: &UsageBatch) -> Result<Appended, StoreError> {
        check_usage_storable(&batch.counts)?;
        self.write("storing usage", |connection| usage::append(connection, batch))
    }

    fn fold_usage(&self) -> Result<Folding, StoreError> {
        const DOING: &str = "folding usage";
        let mut planned = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        if planned.is_none() {
            *planned = read(&self.followers, DOING, usage::plan)?;
        }
        let Some(plan) = planned.as_mut() else {
            return Ok(Folding::Idle);
        };
        let outcome = self.write(DOING, |connection| usage::fold(connection, plan));
        match outcome {
            Ok(Folding::More) => plan.advance(),
            // whatever else came of it, the next step starts from what is there
            _ => *planned = None,
        }
        outcome
    }

    fn inbox_size(&self) -> Result<InboxSize, StoreError> {
        self.read("measuring the inbox", usage::inbox_size)
    }

    fn tidy_usage(&self, now: OffsetDateTime, retention: &Retention) -> Result<bool, StoreError> {
        self.write("tidying usage", |connection| {
            usage::tidy(connection, now, retention)
        })
    }

    fn usage(&self, wanted: &UsageQuery) -> Result<Rows, StoreError> {
        self.read("reading usage", |connection| {
            usage::select(connection, &self.inbox, wanted)
        })
    }

    fn usage_and_applications(&self, wanted: &UsageQuery) -> Result<(Rows, BTreeSet<String>), StoreError> {
        self.read("reading usage and who reported it", |connection| {
            usage::select_with_applications(connection, &self.inbox, wanted)
        })
    }

    fn reported_by(&self, whose: &Reported) -> Result<Vec<ReportedBy>, StoreError> {
        self.read("reading who reported", |connection| {
            usage::reported_by(connection, &self.inbox, whose)
        })
    }

    fn last_seen(&self, flags: Option<&[FlagName]>) -> Result<LastSeen, StoreError> {
        self.read("reading when flags were reported", |connection| {
            usage::last_seen(connection, &self.inbox, flags)
        })
    }

    fn reporting_applications(&self) -> Result<BTreeSet<String>, StoreError> {
        self.read("reading which applications reported", |connection| {
            usage::reporting_applications(connection, &self.inbox)
        })
    }
}

impl ApplicationStore for DieselStore {
    fn register(&self, registrations: &[Registration]) -> Result<(), StoreError> {
        registrations.iter().try_for_each(Registration::check_storable)?;
        let doing = "storing registrations";
        self.write(doing, |connection| {
            applications::register(connection, registrations)
        })
    }

    fn instances(&self, applications: &[String]) -> Result<Vec<Instance>, StoreError> {
        self.read("reading instances", |connection| {
            applications::instances(connection, applications)
        })
    }

    fn registered_applications(&self) -> Result<BTreeSet<String>, StoreError> {
        self.read("reading which applications registered", applications::names)
    }

    fn purge_instances(&self, before: OffsetDateTime) -> Result<u64, StoreError> {
        self.write("forgetting instances", |connection| {
            applications::purge(connection, before)
        })
    }
}
