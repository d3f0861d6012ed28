//! Usage: what SDKs report, and what is read back.

mod answer;
mod bulk;
mod fast;
pub(crate) mod fields;
mod report;

pub use answer::{FeatureUsage, RawUsage, UnknownFlags};
pub use bulk::{BulkCounts, BulkReport};
pub use report::UsageReport;

#[cfg(test)]
mod tests;
