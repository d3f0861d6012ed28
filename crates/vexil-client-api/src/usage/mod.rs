//! Usage as SDKs and proxies report it.

mod bulk;
mod fast;
pub(crate) mod fields;
mod report;

pub use bulk::{BulkCounts, BulkReport};
pub use fields::OTHER;
pub use report::UsageReport;

#[cfg(test)]
mod tests;
