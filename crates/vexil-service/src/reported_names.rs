//! Names that SDKs report and that nobody has configured: how many of them are kept apart.
//!
//! Whoever has a token that browsers hold can report any name. Each token may bring so many new names, and all of
//! them together so many; what goes beyond is counted under one name, [`OTHER`], so that it is neither lost nor
//! fills the database.

mod brought;
mod variants;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use time::OffsetDateTime;
use vexil_client_api::usage::OTHER;
use vexil_domain::FlagName;
use vexil_metrics::{FlagCounts, Malformed, Report, Width};
use vexil_store::{ApiTokenId, Applications, Reported, StoreError, UsageQuery};

use self::brought::{Brought, IN_ALL};
use self::variants::{Admission, Variants};
use crate::app::Reader;
use crate::operations::applications::heard;
use crate::serving_state::ServingState;

/// The variants of so many flags are read at once, so that no more of their counts are in memory.
const FLAGS_AT_ONCE: usize = 50;

/// The names that were reported.
#[derive(Debug, Default)]
pub(crate) struct ReportedNames(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Flags that are configured, of those that were reported, at a revision of the configuration.
    configured: (u64, HashSet<FlagName>),
    flags: Names,
    applications: Names,
    instances: Names,
    variants: Variants,
}

impl Known {
    /// Whether a flag is configured, archived or not. Applications report the same flags over and over, which a
    /// hash finds sooner than the tree of all flags.
    fn is_configured(&mut self, flag: &str, serving: &ServingState) -> bool {
        let (revision, found) = &mut self.configured;
        if *revision != serving.revision.configuration {
            *revision = serving.revision.configuration;
            found.clear();
        }
        if found.contains(flag) {
            return true;
        }
        let configured = serving.snapshot.flags.get_key_value(flag);
        if let Some((name, _)) = configured {
            found.insert(name.clone());
        }
        configured.is_some()
    }
}

/// Names of one kind.
#[derive(Debug, Default)]
struct Names {
    known: HashSet<Arc<str>>,
    brought: Brought,
}

impl Names {
    /// Whether a name may be kept: it is known, or there is room for it.
    fn admit(&mut self, name: &str, token: ApiTokenId) -> bool {
        if self.known.contains(name) {
            return true;
        }
        if !self.brought.has_room(token, self.known.len()) {
            return false;
        }
        self.brought.one_more(token);
        self.known.insert(name.into());
        true
    }
}

impl ReportedNames {
    /// Takes over what was reported before this process started, but for variants: those of a flag are read when
    /// they matter.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub(crate) fn load(&self, store: Reader<'_>) -> Result<(), StoreError> {
        let unknown = store.reported_by(&Reported::Unknown)?;
        let applications = heard(store)?;
        let registered: Vec<String> = store.registered_applications()?.into_iter().collect();
        let instances = store.instances(&registered)?;
        let mut known = self.lock();
        let flags = unknown.iter().map(|by| Arc::from(by.flag.as_str()));
        known.flags.known.extend(flags.take(IN_ALL));
        let applications = applications.iter().map(|name| Arc::from(name.as_str()));
        known.applications.known.extend(applications.take(IN_ALL));
        let instances = instances.iter().map(|instance| {
            let key = &instance.registration.key;
            Arc::from(instance_name(&key.application, &key.instance))
        });
        known.instances.known.extend(instances.take(IN_ALL));
        Ok(())
    }

    /// Reads which variants are stored of flags.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub(crate) fn read_variants(
        &self,
        store: Reader<'_>,
        flags: &[FlagName],
        serving: &ServingState,
    ) -> Result<(), StoreError> {
        for flags in flags.chunks(FLAGS_AT_ONCE) {
            let rows = store.usage(&UsageQuery {
                flags: flags.to_vec(),
                width: Width::Day,
                since: OffsetDateTime::UNIX_EPOCH,
                applications: Applications::Together,
            })?;
            let mut stored: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for row in rows.iter() {
                let names = row.counts.variants().map(|(name, _)| name);
                stored.entry(row.series.flag.as_str()).or_default().extend(names);
            }
            let mut known = self.lock();
            for flag in flags {
                let names = stored.remove(flag.as_str()).unwrap_or_default();
                let configured = serving.snapshot.flags.get(flag).map(AsRef::as_ref);
                known
                    .variants
                    .take_over(flag.as_str(), configured, names.into_iter());
            }
        }
        Ok(())
    }

    /// The report with names that may be kept. Where flags are answered it is not: which variants are stored of these
    /// is to be [read](Self::read_variants) first.
    ///
    /// # Errors
    ///
    /// When the report cannot be read.
    pub(crate) fn check_or_ask(
        &self,
        report: &mut Report,
        token: ApiTokenId,
        serving: &ServingState,
    ) -> Result<Vec<FlagName>, Malformed> {
        self.look_at(report, token, serving, true)
    }

    /// The report with names that may be kept, as far as is known.
    ///
    /// # Errors
    ///
    /// When the report cannot be read.
    pub(crate) fn check(
        &self,
        report: &mut Report,
        token: ApiTokenId,
        serving: &ServingState,
    ) -> Result<(), Malformed> {
        self.look_at(report, token, serving, false).map(drop)
    }

    fn look_at(
        &self,
        report: &mut Report,
        token: ApiTokenId,
        serving: &ServingState,
        asks: bool,
    ) -> Result<Vec<FlagName>, Malformed> {
        let mut unread = Vec::new();
        let mut known = self.lock();
        if !known.applications.admit(&report.application, token) {
            OTHER.clone_into(&mut report.application);
        }
        let mut changed = None;
        for (checked, entry) in report.counts.entries().enumerate() {
            let entry = entry?;
            let keep = known.is_configured(entry.flag, serving) || known.flags.admit(entry.flag, token);
            let flag = if keep { entry.flag } else { OTHER };
            let configured = || serving.snapshot.flags.get(flag).map(AsRef::as_ref);
            let admission = known.variants.admit(flag, configured, &entry, token, asks)?;
            if admission == Admission::Unread {
                unread.push(FlagName::from(flag));
            }
            if !(keep && admission == Admission::All) && changed.is_none() {
                changed = Some(first_entries(&report.counts, checked)?);
            }
            if let Some(counts) = &mut changed {
                let variants: Vec<_> = entry.variants().collect::<Result<_, _>>()?;
                let name = |(name, times)| {
                    let kept = known.variants.is_kept(flag, name);
                    (if kept { name } else { OTHER }, times)
                };
                counts.push(flag, entry.yes, entry.no, variants.into_iter().map(name));
            }
        }
        if let Some(counts) = changed.filter(|_| unread.is_empty()) {
            report.counts = counts;
        }
        Ok(unread)
    }

    /// The names under which an instance of an application is kept.
    pub(crate) fn check_instance(&self, application: &mut String, instance: &mut String, token: ApiTokenId) {
        let mut known = self.lock();
        if !known.applications.admit(application, token) {
            OTHER.clone_into(application);
        }
        if !known
            .instances
            .admit(&instance_name(application, instance), token)
        {
            OTHER.clone_into(instance);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn instance_name(application: &str, instance: &str) -> String {
    format!("{application}\0{instance}")
}

/// The first entries of a report, as they are.
fn first_entries(counts: &FlagCounts, number: usize) -> Result<FlagCounts, Malformed> {
    let mut first = FlagCounts::default();
    for entry in counts.entries().take(number) {
        let entry = entry?;
        let variants: Vec<_> = entry.variants().collect::<Result<_, _>>()?;
        first.push(entry.flag, entry.yes, entry.no, variants.into_iter());
    }
    Ok(first)
}
