//! Reading usage back in the tests.

use time::OffsetDateTime;
use vexil_domain::FlagName;
use vexil_metrics::{Row, Rows, UsageKey, Width};

use crate::{Applications, Store, UsageQuery};

/// The counts of flags, which are the same where applications are not told apart.
pub(super) fn rows(store: &dyn Store, flags: &[&str], width: Width, since: OffsetDateTime) -> Rows {
    let flags = flags.iter().map(|&flag| flag.into()).collect();
    let mut wanted = wanted(flags, width, since);
    let rows = store.usage(&wanted).unwrap();
    wanted.applications = Applications::Together;
    assert_eq!(store.usage(&wanted).unwrap(), together(&rows));
    rows
}

pub(super) fn wanted(flags: Vec<FlagName>, width: Width, since: OffsetDateTime) -> UsageQuery {
    UsageQuery {
        flags,
        width,
        since,
        applications: Applications::Apart,
    }
}

/// The same rows, of all applications together.
fn together(rows: &Rows) -> Rows {
    let without = |row: Row<'_>| {
        let key = UsageKey {
            flag: row.series.flag.clone(),
            environment: row.series.environment.clone(),
            application: String::new(),
            start: row.start,
        };
        (key, row.counts.into())
    };
    rows.iter().map(without).collect()
}
