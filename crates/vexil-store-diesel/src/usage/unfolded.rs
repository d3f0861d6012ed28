//! What lies in the inbox, as of one transaction.

use std::collections::{BTreeSet, HashMap, HashSet};

use time::OffsetDateTime;
use vexil_domain::FlagName;
use vexil_metrics::{Malformed, Merge, Section};

use super::cache::{InboxCache, InboxRow};
use super::inbox::InboxState;
use super::reporters::Series;
use crate::connection::AnyConnection;
use crate::error::DbError;

/// When each was last reported.
pub(super) type Latest<'a> = HashMap<Series<'a>, OffsetDateTime>;

/// What lies in the inbox, as of this transaction.
pub(super) struct Unfolded {
    rows: Vec<InboxRow>,
    /// The last flag that is folded of what is under way.
    folded: Option<String>,
}

impl Unfolded {
    pub(super) fn read(connection: &mut AnyConnection, cache: &InboxCache) -> Result<Self, DbError> {
        let state = InboxState::read(connection)?;
        Ok(Self {
            rows: cache.rows(connection, &state)?,
            folded: state.under_way.map(|(_, flag)| flag),
        })
    }

    /// The sections of everything.
    pub(super) fn sections(&self) -> impl Iterator<Item = Result<Section<'_>, Malformed>> {
        self.rows.iter().flat_map(|row| row.counts.packed().sections())
    }

    /// What flags have in it, added up.
    pub(super) fn of_flags(&self, flags: &[FlagName]) -> Result<Merge<'_>, DbError> {
        let flags: BTreeSet<&str> = flags.iter().map(FlagName::as_str).collect();
        let mut merge = Merge::default();
        for flag in flags {
            let is_folded = self.folded.as_deref().is_some_and(|folded| flag <= folded);
            for row in self.rows.iter().filter(|row| !(row.under_way && is_folded)) {
                merge.add_flag(&row.counts, flag)?;
            }
        }
        Ok(merge)
    }

    /// When each of flags was last reported.
    pub(super) fn series_of(&self, flags: &[FlagName]) -> Result<Latest<'_>, DbError> {
        let mut latest = Latest::new();
        for row in self.of_flags(flags)?.into_rows() {
            let series = (row.flag, row.environment, row.application);
            note(&mut latest, series, row.minute);
        }
        Ok(latest)
    }

    /// When each was last reported, of applications and flags that are wanted.
    pub(super) fn series(
        &self,
        application: impl Fn(&str) -> bool,
        flag: impl Fn(&str) -> bool,
    ) -> Result<Latest<'_>, DbError> {
        let mut latest = Latest::new();
        for section in self.sections() {
            let section = section?;
            if !application(section.application) {
                continue;
            }
            let minute = section.minute();
            for entry in section.entries() {
                let name = entry?.flag;
                if flag(name) {
                    note(
                        &mut latest,
                        (name, section.environment, section.application),
                        minute,
                    );
                }
            }
        }
        Ok(latest)
    }

    /// The flags that were reported.
    pub(super) fn flags(&self) -> Result<HashSet<&str>, DbError> {
        let mut names = HashSet::new();
        for section in self.sections() {
            for entry in section?.entries() {
                names.insert(entry?.flag);
            }
        }
        Ok(names)
    }

    /// The applications that reported.
    pub(super) fn applications(&self) -> Result<HashSet<&str>, DbError> {
        let sections = self.sections().map(|section| Ok(section?.application));
        sections.collect()
    }
}

fn note<'a>(latest: &mut Latest<'a>, series: Series<'a>, minute: OffsetDateTime) {
    let latest = latest.entry(series).or_insert(minute);
    *latest = minute.max(*latest);
}
