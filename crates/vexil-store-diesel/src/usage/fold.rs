//! Folding the inbox into blocks.
//!
//! What lies in the inbox is added up first, so that a flag that a thousand instances report becomes one row. A
//! lot of it is folded in several transactions, in the order of flags, so that nobody waits long for one of them:
//! `usage_folding` says how far it got, and readers add of the inbox what is not folded yet. Whatever program goes
//! on with it does the same.

use std::collections::BTreeMap;

use diesel::prelude::*;
use vexil_metrics::{Block, Merge, Packed, Width};
use vexil_store::Folding;

use super::blocks::{self, BlockKey};
use super::inbox::{InboxState, Numbers, load, lock_folding};
use super::plan::Plan;
use super::reporters;
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::schema::{usage_folding, usage_inbox, usage_writers};
use crate::{instant, json};

/// About how many bytes of the inbox are added up at a time.
const BYTES: usize = 16 << 20;

/// What is to be folded next, in a transaction that reads; `None` when there is nothing.
pub(crate) fn plan(connection: &mut AnyConnection) -> Result<Option<Plan>, DbError> {
    let state = InboxState::read(connection)?;
    let (mut bounds, mut rows) = (Numbers::new(), Vec::new());
    if let Some((under_way, _)) = &state.under_way {
        for (&writer, &bound) in under_way {
            let own = load(connection, writer, state.folded_of(writer), bound)?;
            rows.extend(own.into_iter().map(|(_, counts)| counts));
        }
        bounds.clone_from(under_way);
    } else {
        let mut bytes = 0;
        for (&writer, &appended) in &state.appended {
            let mut after = state.folded_of(writer);
            while after < appended && bytes < BYTES {
                let through = appended.min(after + 100);
                for (_, counts) in load(connection, writer, after, through)? {
                    bytes += counts.as_bytes().len();
                    rows.push(counts);
                }
                bounds.insert(writer, through);
                after = through;
            }
        }
        if bounds.is_empty() {
            return Ok(None);
        }
    }
    Plan::new(&state, bounds, &rows).map(Some)
}

/// Makes the next step of a plan, in a transaction that writes.
pub(crate) fn fold(connection: &mut AnyConnection, plan: &Plan) -> Result<Folding, DbError> {
    if !lock_folding(connection, false)? {
        return Ok(Folding::Elsewhere);
    }
    if !plan.fits(&InboxState::read(connection)?) {
        return Ok(Folding::Elsewhere);
    }
    let (step, is_last) = plan.next();
    if let Some(step) = step {
        add(connection, &step.counts)?;
    }
    match step {
        Some(step) if !is_last => {
            let bounds = json::to_text(&plan.bounds, "the bounds of folding")?;
            diesel::update(usage_folding::table)
                .set((
                    usage_folding::bounds.eq(Some(bounds)),
                    usage_folding::flag.eq(Some(&step.last)),
                ))
                .execute(connection)?;
            Ok(Folding::More)
        }
        _ => {
            finish(connection, plan)?;
            Ok(Folding::Done)
        }
    }
}

/// Empties the inbox of what is folded.
fn finish(connection: &mut AnyConnection, plan: &Plan) -> Result<(), DbError> {
    for (&writer, &bound) in &plan.bounds {
        let folded = usage_inbox::table
            .filter(usage_inbox::writer.eq(writer))
            .filter(usage_inbox::number.le(bound));
        diesel::delete(folded).execute(connection)?;
        diesel::update(usage_writers::table.filter(usage_writers::writer.eq(writer)))
            .set(usage_writers::folded.eq(bound))
            .execute(connection)?;
    }
    if plan.done.is_some() {
        diesel::update(usage_folding::table)
            .set((
                usage_folding::bounds.eq(None::<String>),
                usage_folding::flag.eq(None::<String>),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Adds counts to the blocks of their minutes, and notes who reported.
fn add(connection: &mut AnyConnection, counts: &Packed) -> Result<(), DbError> {
    let mut merge = Merge::default();
    merge.add(counts)?;
    let mut new = BTreeMap::<BlockKey<'_>, Block>::new();
    let mut last = BTreeMap::new();
    for row in merge.into_rows() {
        let (start, slot) = Width::Minute.block(row.minute);
        let starts_at = instant::to_stored(start);
        let block = new
            .entry((row.flag, starts_at, row.environment, row.application))
            .or_default();
        block.add(slot, row.yes, row.no, row.variants.iter().copied());
        let minute = instant::to_stored(row.minute);
        let latest = last
            .entry((row.flag, row.environment, row.application))
            .or_insert(minute);
        *latest = minute.max(*latest);
    }
    blocks::add(connection, Width::Minute, new)?;
    reporters::note(connection, &last)
}
