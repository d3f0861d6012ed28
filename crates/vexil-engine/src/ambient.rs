//! What surrounds an evaluation: time, chance and host, always given by the caller.

use time::OffsetDateTime;

use crate::CustomResults;

/// Everything an evaluation may depend on besides flags and context. The engine reads neither clock
/// nor random numbers nor host name: equal arguments give equal answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ambient<'a> {
    /// The present, used where the context has no `currentTime`.
    pub now: OffsetDateTime,
    /// Decides what is left to chance. Draw a new one for every evaluation to behave as SDKs do, or
    /// keep one to repeat an answer.
    pub seed: u64,
    /// The name of the host, for the strategy `applicationHostname`. Without it such strategies
    /// cannot be evaluated, and count as false.
    pub host_name: Option<&'a str>,
    /// Results of custom strategies that the caller found beforehand.
    pub custom_results: Option<&'a CustomResults>,
}

impl<'a> Ambient<'a> {
    /// The present and a seed, without a host name.
    #[must_use]
    pub fn new(now: OffsetDateTime, seed: u64) -> Self {
        Self {
            now,
            seed,
            host_name: None,
            custom_results: None,
        }
    }

    /// The same, with results of custom strategies.
    #[must_use]
    pub fn with_custom_results(self, results: &'a CustomResults) -> Self {
        Self {
            custom_results: Some(results),
            ..self
        }
    }

    /// The same, on a host of this name.
    #[must_use]
    pub fn with_host_name(self, host_name: &'a str) -> Self {
        Self {
            host_name: Some(host_name),
            ..self
        }
    }
}
