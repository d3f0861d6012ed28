//! Counts as earlier versions kept them: a row for each minute and each hour, and one for each variant in it.

use std::collections::BTreeMap;

use diesel::prelude::*;
use vexil_metrics::{Block, Count, Counts, Width};

use super::{blocks, reporters};
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::{instant, json};

diesel::table! {
    usage_series (id) {
        id -> BigInt,
        flag -> Text,
        application -> Text,
        environment -> Text,
        last_reported -> BigInt,
    }
}

diesel::table! {
    usage (series, width, starts_at) {
        series -> BigInt,
        width -> BigInt,
        starts_at -> BigInt,
        yes_count -> BigInt,
        no_count -> BigInt,
    }
}

diesel::table! {
    usage_variants (series, width, starts_at, variant) {
        series -> BigInt,
        width -> BigInt,
        starts_at -> BigInt,
        variant -> Text,
        times -> BigInt,
    }
}

/// How many series are converted at a time.
const SERIES: i64 = 200;

/// The counts of a series, by width in seconds and start.
type OfSeries = BTreeMap<(i64, i64), Counts>;

/// Puts all counts where this version keeps them.
pub(crate) fn convert(connection: &mut AnyConnection) -> Result<(), DbError> {
    let mut after = i64::MIN;
    loop {
        let series: Vec<(i64, String, String, String, i64)> = usage_series::table
            .filter(usage_series::id.gt(after))
            .order(usage_series::id)
            .limit(SERIES)
            .load(connection)?;
        let Some(&(last, ..)) = series.last() else {
            return Ok(());
        };
        let mut counts = load(connection, after, last)?;
        after = last;
        let mut minutes = BTreeMap::<_, Block>::new();
        let mut hours = BTreeMap::<_, Block>::new();
        let mut reported = BTreeMap::new();
        for (id, flag, application, environment, last_reported) in &series {
            reported.insert(
                (flag.as_str(), environment.as_str(), application.as_str()),
                *last_reported,
            );
            let mut own = counts.remove(id).unwrap_or_default();
            leave_to_minutes(&mut own);
            for ((seconds, starts_at), counts) in own {
                let (width, blocks) = if seconds == Width::Minute.seconds() {
                    (Width::Minute, &mut minutes)
                } else {
                    (Width::Hour, &mut hours)
                };
                let (start, slot) = width.block(instant::from_stored(starts_at)?);
                let key = (
                    flag.as_str(),
                    instant::to_stored(start),
                    environment.as_str(),
                    application.as_str(),
                );
                let variants = counts
                    .variants
                    .iter()
                    .map(|(name, &times)| (name.as_str(), times));
                blocks
                    .entry(key)
                    .or_default()
                    .add(slot, counts.yes, counts.no, variants);
            }
        }
        blocks::add(connection, Width::Minute, minutes)?;
        blocks::add(connection, Width::Hour, hours)?;
        reporters::note(connection, &reported)?;
    }
}

fn load(
    connection: &mut AnyConnection,
    after: i64,
    through: i64,
) -> Result<BTreeMap<i64, OfSeries>, DbError> {
    let mut all = BTreeMap::<i64, OfSeries>::new();
    let rows: Vec<(i64, i64, i64, i64, i64)> = usage::table
        .filter(usage::series.gt(after))
        .filter(usage::series.le(through))
        .load(connection)?;
    for (series, width, starts_at, yes, no) in rows {
        let counts = Counts {
            yes: count(yes)?,
            no: count(no)?,
            variants: BTreeMap::new(),
        };
        all.entry(series).or_default().insert((width, starts_at), counts);
    }
    let rows: Vec<(i64, i64, i64, String, i64)> = usage_variants::table
        .filter(usage_variants::series.gt(after))
        .filter(usage_variants::series.le(through))
        .load(connection)?;
    for (series, width, starts_at, variant, times) in rows {
        let counts = all
            .entry(series)
            .or_default()
            .entry((width, starts_at))
            .or_default();
        counts.add_variant(&variant, count(times)?);
    }
    Ok(all)
}

/// An hour counted its minutes too: what they count is taken from it.
fn leave_to_minutes(counts: &mut OfSeries) {
    let hour = |start: i64| start - start.rem_euclid(Width::Hour.seconds() * 1_000_000);
    let minutes: Vec<(i64, Counts)> = counts
        .iter()
        .filter(|((width, _), _)| *width == Width::Minute.seconds())
        .map(|((_, start), counts)| (hour(*start), counts.clone()))
        .collect();
    for (start, minute) in minutes {
        if let Some(hour) = counts.get_mut(&(Width::Hour.seconds(), start)) {
            let less = |of: Count, by: Count| Count::new(of.get().saturating_sub(by.get()));
            hour.yes = less(hour.yes, minute.yes);
            hour.no = less(hour.no, minute.no);
            for (name, times) in &minute.variants {
                if let Some(known) = hour.variants.get_mut(name) {
                    *known = less(*known, *times);
                }
            }
        }
    }
    counts.retain(|(width, _), counts| *width == Width::Minute.seconds() || !counts.is_nothing());
}

fn count(number: i64) -> Result<Count, DbError> {
    json::narrow(number, "a count").map(Count::new)
}
