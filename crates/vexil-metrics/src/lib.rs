//! Adds up usage reports: minutes for the sliding hour, hours and days after that.
//!
//! SDKs report how often each flag was on, off, and which variants were given. A [`Report`] is one
//! such message; [`Report::pack`] makes it a few bytes, and [`Merge`] adds any number of [`Packed`]
//! counts up. Adding commutes and associates, so reports can be gathered, stored and added up in any
//! grouping. What was stored is read back as [`Rows`], of which [`last_hour`], [`hourly`] and
//! [`by_minute`] make what people ask.
//!
//! A report counts in the minute in which the time that it covers ends. Minutes become part of hours,
//! and hours of days, when they are old enough ([`Retention`]); [`Block`] is how a store keeps several
//! of them in one value.
//!
//! ```
//! use time::macros::datetime;
//! use vexil_metrics::{Counts, Report, Rows, Width, last_hour};
//!
//! let now = datetime!(2026-11-27 21:03:20 UTC);
//! let mut report = Report::new("shop", "production", datetime!(2026-11-27 20:58:00 UTC), now);
//! report.add("checkout", &Counts::new(3, 2).with_variant("blue", 3));
//!
//! let mut minutes = Rows::default();
//! minutes.add_packed(&report.pack(), Width::Minute)?;
//! let usage = last_hour(now, &minutes);
//! assert_eq!(usage[0].environment.as_str(), "production");
//! assert_eq!(usage[0].start, datetime!(2026-11-27 20:03 UTC));
//! assert_eq!(usage[0].counts.yes.get(), 3);
//! # Ok::<(), vexil_metrics::Malformed>(())
//! ```

mod block;
mod count;
mod entry;
mod flag_counts;
mod index;
mod line;
mod malformed;
mod merge;
mod minute;
mod packed;
mod read;
mod report;
mod rows;
mod slot;
mod varint;
mod window;

pub use block::Block;
pub use count::{Count, Counts};
pub use entry::Entry;
pub use flag_counts::FlagCounts;
pub use index::Indexed;
pub use line::Line;
pub use malformed::Malformed;
pub use merge::{Merge, MergedRow};
pub use packed::{Name, Packed, Section};
pub use read::{
    EnvironmentMinutes, EnvironmentUsage, HourUsage, MinuteLine, by_minute, has_begun, hourly, hourly_start,
    last_hour, last_hour_start, minutes_start,
};
pub use report::Report;
pub use rows::{Row, Rows, SeriesKey, UsageKey};
pub use slot::SlotCounts;
pub use window::{Retention, Width};
