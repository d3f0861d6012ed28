//! Units of work that can be spent once.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Reason, Stop};

/// How many units of work may still be spent, and whether the work is to stop.
///
/// It is shared by reference, between threads too.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    left: AtomicU64,
    stop: Stop,
}

/// Why no more may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Exhausted {
    /// The next step costs more than is left.
    #[error("the next step takes {needed} units of work where {left} of {limit} are left")]
    Work {
        /// What the next step costs; `u64::MAX` stands for that or more.
        needed: u64,
        /// What was left for it.
        left: u64,
        /// What all steps together may cost.
        limit: u64,
    },
    /// It took too long.
    #[error("it took longer than it may take")]
    Late,
    /// Nobody waits for the answer any more.
    #[error("nobody waits for the answer any more")]
    Cancelled,
}

impl From<Reason> for Exhausted {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Late => Self::Late,
            Reason::Cancelled => Self::Cancelled,
        }
    }
}

impl Budget {
    /// A budget of so many units, which nothing stops.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self::stopped_by(limit, Stop::default())
    }

    /// A budget of so many units, until `stop` is set.
    #[must_use]
    pub fn stopped_by(limit: u64, stop: Stop) -> Self {
        Self {
            limit,
            left: AtomicU64::new(limit),
            stop,
        }
    }

    /// A budget without an end, for whoever pays for the work: tests, and programs that work for the
    /// person who started them.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Spends units, before the work that they pay for is done.
    ///
    /// # Errors
    ///
    /// When that is more than is left, and then nothing is spent; or when the work is to stop.
    pub fn spend(&self, units: u64) -> Result<(), Exhausted> {
        self.check()?;
        let spent = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(units)
            });
        spent.map(drop).map_err(|left| Exhausted::Work {
            needed: units,
            left,
            limit: self.limit,
        })
    }

    /// Spends the product of `factors`, such as flags × environments × combinations. A product that
    /// does not fit a `u64` is more than is left.
    ///
    /// # Errors
    ///
    /// As [`Budget::spend`].
    pub fn spend_product(&self, factors: &[usize]) -> Result<(), Exhausted> {
        let product = factors
            .iter()
            .fold(1, |product: u64, factor| product.saturating_mul(*factor as u64));
        if product < u64::MAX {
            return self.spend(product);
        }
        self.check()?;
        Err(Exhausted::Work {
            needed: product,
            left: self.left(),
            limit: self.limit,
        })
    }

    /// Whether the work may go on, without spending anything.
    ///
    /// # Errors
    ///
    /// When it is to stop.
    pub fn check(&self) -> Result<(), Exhausted> {
        match self.stop.reason() {
            Some(reason) => Err(reason.into()),
            None => Ok(()),
        }
    }

    /// How many units are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// How many units were spent.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.limit - self.left()
    }

    /// How many units there were.
    #[must_use]
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The flag that stops the work.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}
