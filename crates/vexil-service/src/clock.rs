//! Where time and chance come from.

use std::sync::Arc;

use time::OffsetDateTime;

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> OffsetDateTime + Send + Sync>;

/// Gives seeds that chance is drawn from.
pub type SeedSource = Arc<dyn Fn() -> u64 + Send + Sync>;
