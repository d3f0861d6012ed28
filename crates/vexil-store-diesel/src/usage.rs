//! Usage: appended to an inbox as it arrives, folded into blocks in steps, read from both.

mod blocks;
mod cache;
mod convert;
mod fold;
mod forget;
mod inbox;
mod plan;
mod read;
mod reported;
mod reporters;
mod tidy;
mod unfolded;

pub(crate) use self::cache::InboxCache;
pub(crate) use self::convert::convert;
pub(crate) use self::fold::{fold, plan};
pub(crate) use self::forget::let_go;
pub(crate) use self::inbox::{append, inbox_size};
pub(crate) use self::plan::Plan;
pub(crate) use self::read::{select, select_with_applications};
pub(crate) use self::reported::{last_seen, reported_by, reporting_applications};
pub(crate) use self::tidy::tidy;

use vexil_metrics::Malformed;

use crate::error::DbError;

impl From<Malformed> for DbError {
    fn from(source: Malformed) -> Self {
        Self::Corrupt {
            what: "usage counts",
            source: source.into(),
        }
    }
}
