//! The inbox: what was appended and is not folded yet.

use std::collections::BTreeMap;

use diesel::dsl::{count_star, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use vexil_metrics::Packed;
use vexil_store::{Appended, InboxSize, ReportKey, UsageBatch};

use crate::batches::KEYS_AT_ONCE;
use crate::connection::{AnyConnection, each_backend, insert_all};
use crate::error::DbError;
use crate::schema::{usage_folding, usage_inbox, usage_report_keys, usage_writers};
use crate::{instant, json};

/// Up to which number each writer has come, by writer.
pub(super) type Numbers = BTreeMap<i64, i64>;

/// Where the inbox and the folding of it stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct InboxState {
    /// How far each writer has come.
    pub(super) appended: Numbers,
    /// How much of that is folded.
    pub(super) folded: Numbers,
    /// Up to where folding is under way in several steps, and the last flag that is folded.
    pub(super) under_way: Option<(Numbers, String)>,
    /// Tells that rows were rewritten.
    pub(super) edition: i64,
}

impl InboxState {
    pub(super) fn read(connection: &mut AnyConnection) -> Result<Self, DbError> {
        let (bounds, flag, edition): (Option<String>, Option<String>, i64) = usage_folding::table
            .select((usage_folding::bounds, usage_folding::flag, usage_folding::edition))
            .get_result(connection)?;
        let bounds = bounds
            .map(|text| json::from_text::<Numbers>(&text, "the bounds of folding"))
            .transpose()?;
        let writers: Vec<(i64, i64, i64)> = usage_writers::table
            .select((
                usage_writers::writer,
                usage_writers::appended,
                usage_writers::folded,
            ))
            .load(connection)?;
        let mut state = Self {
            under_way: bounds.zip(flag),
            edition,
            ..Self::default()
        };
        for (writer, appended, folded) in writers {
            state.appended.insert(writer, appended);
            state.folded.insert(writer, folded);
        }
        Ok(state)
    }

    /// How much of a writer is folded.
    pub(super) fn folded_of(&self, writer: i64) -> i64 {
        self.folded.get(&writer).copied().unwrap_or_default()
    }
}

/// Whether folding is locked for this transaction: at once or not at all where `wait` is false.
#[cfg_attr(
    not(feature = "postgres"),
    expect(
        unused_variables,
        reason = "SQLite lets one connection write at a time, which waits"
    )
)]
pub(super) fn lock_folding(connection: &mut AnyConnection, wait: bool) -> Result<bool, DbError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            let row = usage_folding::table.select(usage_folding::id).for_update();
            let locked: Vec<i64> = if wait {
                row.load(own)?
            } else {
                row.skip_locked().load(own)?
            };
            Ok(!locked.is_empty())
        }
        // a transaction that writes is the only one
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => Ok(true),
    }
}

/// Appends a batch.
pub(crate) fn append(connection: &mut AnyConnection, batch: &UsageBatch) -> Result<Appended, DbError> {
    let writer = batch.writer.0;
    let number = i64::try_from(batch.number).unwrap_or(i64::MAX);
    if batch.again {
        // what was appended cannot be folded away meanwhile
        lock_folding(connection, true)?;
        let appended: Option<i64> = usage_writers::table
            .filter(usage_writers::writer.eq(writer))
            .select(usage_writers::appended)
            .get_result(connection)
            .optional()?;
        if appended.is_some_and(|appended| appended >= number) {
            return Ok(Appended::Stored);
        }
    }
    let known = known_keys(connection, &batch.keys)?;
    if !known.is_empty() {
        return Ok(Appended::Known(known));
    }
    let now = instant::to_stored(batch.now);
    let moved = diesel::update(usage_writers::table.filter(usage_writers::writer.eq(writer)))
        .set((usage_writers::appended.eq(number), usage_writers::seen_at.eq(now)))
        .execute(connection)?;
    if moved == 0 {
        let new = (
            usage_writers::writer.eq(writer),
            usage_writers::appended.eq(number),
            usage_writers::folded.eq(number.saturating_sub(1)),
            usage_writers::seen_at.eq(now),
        );
        insert_all!(connection, usage_writers, [new])?;
    }
    let row = (
        usage_inbox::writer.eq(writer),
        usage_inbox::number.eq(number),
        usage_inbox::counts.eq(batch.counts.as_bytes()),
    );
    // one row as itself, whose statement is prepared once; a list of one would be prepared each time
    each_backend!(connection, |own| diesel::insert_into(usage_inbox::table)
        .values(row)
        .execute(own))?;
    let key = |key: &ReportKey| {
        (
            usage_report_keys::hash.eq(key.0.to_vec()),
            usage_report_keys::stored_at.eq(now),
        )
    };
    let keys: Vec<_> = batch.keys.iter().map(key).collect();
    insert_all!(connection, usage_report_keys, keys)?;
    Ok(Appended::Stored)
}

fn known_keys(connection: &mut AnyConnection, keys: &[ReportKey]) -> Result<Vec<ReportKey>, DbError> {
    let mut known = Vec::new();
    for keys in keys.chunks(KEYS_AT_ONCE) {
        let hashes: Vec<&[u8]> = keys.iter().map(|key| key.0.as_slice()).collect();
        let found: Vec<Vec<u8>> = usage_report_keys::table
            .filter(usage_report_keys::hash.eq_any(hashes))
            .select(usage_report_keys::hash)
            .load(connection)?;
        known.extend(keys.iter().filter(|key| found.iter().any(|it| *it == key.0)));
    }
    Ok(known)
}

/// How much there is.
pub(crate) fn inbox_size(connection: &mut AnyConnection) -> Result<InboxSize, DbError> {
    let bytes = sql::<BigInt>("cast(coalesce(sum(length(counts)), 0) as bigint)");
    let (rows, bytes): (i64, i64) = usage_inbox::table
        .select((count_star(), bytes))
        .get_result(connection)?;
    Ok(InboxSize {
        rows: json::narrow(rows, "a number of rows")?,
        bytes: json::narrow(bytes, "a number of bytes")?,
    })
}

/// Reads what a writer appended after a number, up to another.
pub(super) fn load(
    connection: &mut AnyConnection,
    writer: i64,
    after: i64,
    through: i64,
) -> Result<Vec<(i64, Packed)>, DbError> {
    let rows: Vec<(i64, Vec<u8>)> = usage_inbox::table
        .filter(usage_inbox::writer.eq(writer))
        .filter(usage_inbox::number.gt(after))
        .filter(usage_inbox::number.le(through))
        .order(usage_inbox::number)
        .select((usage_inbox::number, usage_inbox::counts))
        .load(connection)?;
    rows.into_iter()
        .map(|(number, counts)| Ok((number, Packed::from_bytes(counts)?)))
        .collect()
}
