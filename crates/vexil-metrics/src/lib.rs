//! Adds up usage reports: minutes for the sliding hour, hours after that.
//!
//! SDKs report how often each flag was on, off, and which variants were given. A [`Report`] is one
//! such message; a [`Batch`] is what any number of them add up to: rows of [`Counts`] by
//! [`UsageKey`]. Adding commutes and associates, so reports can be gathered, stored and added up
//! in any grouping. [`last_hour`] and [`hourly`] read the rows back.
//!
//! Every report counts twice, in rows of different [`Width`]: by the minute while that is recent
//! enough for the sliding hour, and by the hour for as long as history is kept. So old rows are
//! only ever deleted, never folded into others; [`Retention`] says when.
//!
//! ```
//! use time::macros::datetime;
//! use vexil_metrics::{Batch, Counts, Report, last_hour};
//!
//! let now = datetime!(2026-11-27 21:03:20 UTC);
//! let mut report = Report::new("shop", "production", datetime!(2026-11-27 20:58:00 UTC), now);
//! report.add("checkout", Counts::new(3, 2).with_variant("blue", 3));
//!
//! let usage = last_hour(now, &Batch::from(&report));
//! assert_eq!(usage[0].environment.as_str(), "production");
//! assert_eq!(usage[0].start, datetime!(2026-11-27 20:03 UTC));
//! assert_eq!(usage[0].counts.yes.get(), 3);
//! ```

mod batch;
mod count;
mod read;
mod report;
mod window;

pub use batch::{Batch, UsageKey};
pub use count::{Count, Counts};
pub use read::{EnvironmentUsage, HourUsage, hourly, hourly_start, last_hour, last_hour_start};
pub use report::Report;
pub use window::{Retention, Width};
