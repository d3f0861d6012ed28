//! Reading usage: what is folded, and what still lies in the inbox.

use std::collections::BTreeSet;

use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{MergedRow, Rows, SeriesKey, Width};
use vexil_store::{Applications, UsageQuery};

use super::cache::InboxCache;
use super::reported::applications_of;
use super::unfolded::Unfolded;
use crate::batches::KEYS_AT_ONCE;
use crate::connection::{AnyConnection, each_backend};
use crate::error::DbError;
use crate::instant;
use crate::schema::usage_blocks;
use crate::short::Short;

/// Reads counts of flags.
pub(crate) fn select(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    wanted: &UsageQuery,
) -> Result<Rows, DbError> {
    let unfolded = Unfolded::read(connection, cache)?;
    let unfolded = unfolded.of_flags(&wanted.flags)?.into_rows();
    rows_of(connection, wanted, &unfolded)
}

/// Reads counts of flags, and which applications reported them.
pub(crate) fn select_with_applications(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    wanted: &UsageQuery,
) -> Result<(Rows, BTreeSet<String>), DbError> {
    let unfolded = Unfolded::read(connection, cache)?;
    let unfolded = unfolded.of_flags(&wanted.flags)?.into_rows();
    let rows = rows_of(connection, wanted, &unfolded)?;
    let mut applications = applications_of(connection, &wanted.flags)?;
    applications.extend(unfolded.iter().map(|row| row.application.to_owned()));
    Ok((rows, applications))
}

fn rows_of(
    connection: &mut AnyConnection,
    wanted: &UsageQuery,
    unfolded: &[MergedRow<'_>],
) -> Result<Rows, DbError> {
    let mut reading = Reading {
        wanted,
        rows: Rows::default(),
        environment: "".into(),
        environments: BTreeSet::new(),
        block: None,
    };
    for flags in wanted.flags.chunks(KEYS_AT_ONCE) {
        for width in Width::ALL.into_iter().filter(|width| *width <= wanted.width) {
            reading.add_blocks(connection, width, flags)?;
        }
    }
    for row in unfolded {
        let start = wanted.width.floor(row.minute);
        if start >= wanted.since {
            let application = match wanted.applications {
                Applications::Apart => row.application,
                Applications::Together => "",
            };
            reading.rows.add_row(
                &MergedRow {
                    application,
                    ..row.clone()
                },
                wanted.width,
            );
        }
    }
    Ok(reading.rows)
}

/// What was read so far.
struct Reading<'w> {
    wanted: &'w UsageQuery,
    rows: Rows,
    /// That of the last block, which is often that of the next one too.
    environment: EnvironmentName,
    /// Those of all blocks, each once: clones of one name are compared at a glance.
    environments: BTreeSet<EnvironmentName>,
    /// Where the last block starts, as it is stored and as an instant: the next one often starts there too.
    block: Option<(i64, OffsetDateTime)>,
}

/// Where a block starts, its environment, its application, and what it counts.
type BlockRow = (i64, Short, String, Short);

impl Reading<'_> {
    /// Adds what blocks of a width hold.
    fn add_blocks(
        &mut self,
        connection: &mut AnyConnection,
        width: Width,
        flags: &[FlagName],
    ) -> Result<(), DbError> {
        // the first block that may hold something of what is wanted
        let (first, _) = width.block(self.wanted.since);
        let first = instant::to_stored(first);
        let of_width = usage_blocks::table
            .filter(usage_blocks::width.eq(width.seconds()))
            .filter(usage_blocks::starts_at.ge(first));
        // each on the connection's own type and with no more columns than it takes: there may be thousands of rows
        each_backend!(connection, |own| match (flags, self.wanted.applications) {
            ([flag], Applications::Together) => of_width
                .filter(usage_blocks::flag.eq(flag.as_str()))
                .select((
                    usage_blocks::starts_at,
                    usage_blocks::environment,
                    usage_blocks::counts
                ))
                .load_iter::<(i64, Short, Short), DefaultLoadingMode>(own)?
                .try_for_each(|row| {
                    let (start, environment, counts) = row?;
                    self.add_block(width, flag, (start, environment, String::new(), counts))
                }),
            ([flag], Applications::Apart) => of_width
                .filter(usage_blocks::flag.eq(flag.as_str()))
                .select((
                    usage_blocks::starts_at,
                    usage_blocks::environment,
                    usage_blocks::application,
                    usage_blocks::counts,
                ))
                .load_iter::<BlockRow, DefaultLoadingMode>(own)?
                .try_for_each(|row| self.add_block(width, flag, row?)),
            (flags, applications) => of_width
                .filter(usage_blocks::flag.eq_any(flags.iter().map(FlagName::as_str)))
                .select((
                    usage_blocks::flag,
                    (
                        usage_blocks::starts_at,
                        usage_blocks::environment,
                        usage_blocks::application,
                        usage_blocks::counts,
                    ),
                ))
                .load_iter::<(String, BlockRow), DefaultLoadingMode>(own)?
                .try_for_each(|row| {
                    let (flag, (start, environment, mut application, counts)) = row?;
                    if applications == Applications::Together {
                        application.clear();
                    }
                    self.add_block(width, &flag.into(), (start, environment, application, counts))
                }),
        })
    }

    fn add_block(&mut self, width: Width, flag: &FlagName, block: BlockRow) -> Result<(), DbError> {
        let (starts_at, environment, application, counts) = block;
        if self.environment.as_str().as_bytes() != environment.as_bytes() {
            self.environment = self.environment_named(&environment)?;
        }
        let block = match self.block {
            Some((known, block)) if known == starts_at => block,
            _ => instant::from_stored(starts_at)?,
        };
        self.block = Some((starts_at, block));
        let line = self.rows.line(SeriesKey {
            flag: flag.clone(),
            environment: self.environment.clone(),
            application,
        });
        line.add_block(counts.as_bytes(), |slot| {
            let start = width.slot_start(block, slot);
            let start = if width == self.wanted.width {
                start
            } else {
                self.wanted.width.floor(start)
            };
            (start >= self.wanted.since).then_some(start)
        })?;
        Ok(())
    }

    fn environment_named(&mut self, name: &Short) -> Result<EnvironmentName, DbError> {
        let name = name.as_text("an environment")?;
        if let Some(known) = self.environments.get(name) {
            return Ok(known.clone());
        }
        let new = EnvironmentName::from(name);
        self.environments.insert(new.clone());
        Ok(new)
    }
}
