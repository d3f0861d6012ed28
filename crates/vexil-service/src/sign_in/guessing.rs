//! How often somebody may guess: ten times a minute from one place and for one account, thirty times in ten
//! minutes, sixty times an hour. So the wait between tries grows; nobody is ever locked out for good.
//!
//! Strangers who guess at an account do not slow down its owner: where somebody has signed in before
//! ([`Familiar`]), their own tries alone count. Memory is bounded: what nobody asked about lately is dropped,
//! and if that is not enough, what is new shares one limit.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::{NoOpMiddleware, StateInformationMiddleware};
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

use vexil_access::UserId;

use super::address::place_of;
use super::familiar::Familiar;
use crate::clock::Clock;

/// How many tries there are in how many seconds. The first is what `RateLimit-Policy` tells.
const TIERS: [(NonZeroU32, u64); 3] = [(TEN, 60), (THIRTY, 600), (SIXTY, 3600)];
const TEN: NonZeroU32 = NonZeroU32::MIN.saturating_add(9);
const THIRTY: NonZeroU32 = NonZeroU32::MIN.saturating_add(29);
const SIXTY: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);
/// After so long there are as many tries as ever.
const REFILLED: Duration = Duration::from_secs(3600);
/// How many failures a minute go into the audit log.
const RECORDED: NonZeroU32 = SIXTY;
/// How many places and accounts are told apart.
const MOST: usize = 50_000;

/// How long to wait between two searches for what may be forgotten.
const SWEEP: Duration = Duration::from_secs(10);

/// Who tries to sign in.
#[derive(Debug, Clone)]
pub struct Attempt<'a> {
    /// From where.
    pub address: Option<IpAddr>,
    /// As whom, in the words that were typed.
    pub account: &'a str,
}

/// How many tries there are left, as headers tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slowdown {
    /// How many tries there are in a minute.
    pub limit: u32,
    /// How many are left.
    pub remaining: u32,
    /// How long to wait for the next, where none is left.
    pub wait: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Place(IpAddr),
    /// An account, by a hash of what was typed.
    Account(u64),
    /// An account from a place where its owner has signed in before.
    Familiar(u64, IpAddr),
    /// A user who is signed in and shows the old password to set another.
    Own(UserId),
    /// Everything that is new while there is no more room.
    Rest,
}

type Limiter = RateLimiter<Key, HashMapStateStore<Key>, SinceStart, StateInformationMiddleware>;

/// How often somebody may guess.
pub struct GuessLimits {
    tiers: Vec<Limiter>,
    clock: SinceStart,
    hasher: RandomState,
    familiar: Familiar,
    /// When room was last made, in nanoseconds since the start.
    swept: AtomicU64,
    failures: RateLimiter<NotKeyed, InMemoryState, SinceStart, NoOpMiddleware<Duration>>,
}

opaque!(GuessLimits);

impl GuessLimits {
    pub(crate) fn new(clock: &Clock) -> Self {
        let clock = SinceStart::new(clock);
        let limiter = |(tries, seconds): (NonZeroU32, u64)| {
            let refill = Duration::from_secs(seconds) / tries.get();
            let quota = Quota::with_period(refill)?.allow_burst(tries);
            Some(RateLimiter::new(
                quota,
                HashMapStateStore::default(),
                clock.clone(),
            ))
        };
        Self {
            tiers: TIERS.into_iter().filter_map(limiter).collect(),
            clock: clock.clone(),
            hasher: RandomState::new(),
            familiar: Familiar::default(),
            swept: AtomicU64::new(0),
            failures: RateLimiter::new(Quota::per_minute(RECORDED), InMemoryState::default(), clock),
        }
    }

    /// Counts a try, and says how many are left; with a wait, it must not be made.
    pub fn count(&self, attempt: &Attempt<'_>) -> Slowdown {
        let place = place_of(attempt.address);
        let account = self.account(attempt);
        let own = if self.familiar.contains(account, place) {
            Key::Familiar(account, place)
        } else {
            Key::Account(account)
        };
        let of_place = self.count_key(Key::Place(place));
        if of_place.wait.is_some() {
            return of_place;
        }
        let of_account = self.count_key(own);
        if of_account.wait.is_some() || of_account.remaining < of_place.remaining {
            of_account
        } else {
            of_place
        }
    }

    /// Counts a try of somebody who is signed in and shows the old password, from wherever; with a wait, it must
    /// not be made.
    pub fn count_own(&self, user: UserId) -> Slowdown {
        self.count_key(Key::Own(user))
    }

    /// Remembers where the owner of an account has signed in.
    pub fn signed_in(&self, attempt: &Attempt<'_>) {
        self.familiar
            .insert(self.account(attempt), place_of(attempt.address));
    }

    /// Whether one more failure goes into the audit log, which nobody shall be able to flood.
    pub fn may_record_failure(&self) -> bool {
        self.failures.check().is_ok()
    }

    /// Whether one more key can be told apart. What was not asked about lately makes room, but the search
    /// for it, which looks at all, is made now and then only.
    fn has_room(&self, tier: &Limiter, now: Duration) -> bool {
        if tier.len() < MOST {
            return true;
        }
        let swept = Duration::from_nanos(self.swept.load(Ordering::Relaxed));
        if now.saturating_sub(swept) < SWEEP {
            return false;
        }
        for tier in &self.tiers {
            tier.retain_recent();
        }
        let now = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX);
        self.swept.store(now, Ordering::Relaxed);
        tier.len() < MOST
    }

    fn account(&self, attempt: &Attempt<'_>) -> u64 {
        self.hasher.hash_one(attempt.account.trim().to_lowercase())
    }

    fn count_key(&self, key: Key) -> Slowdown {
        let now = self.clock.now();
        let limit = TEN.get();
        let mut least = Slowdown {
            limit,
            remaining: limit,
            wait: None,
        };
        for tier in &self.tiers {
            let key = if self.has_room(tier, now) {
                &key
            } else {
                &Key::Rest
            };
            match tier.check_key(key) {
                Ok(state) => least.remaining = least.remaining.min(state.remaining_burst_capacity()),
                Err(refused) => {
                    let wait = refused.wait_time_from(now);
                    least.remaining = 0;
                    least.wait = least.wait.max(Some(wait));
                }
            }
        }
        least
    }
}

/// How much time has passed since the start by the server's clock. Where that is set back, the time goes on from there: it
/// neither runs backwards nor stands still until the clock has caught up, which would keep all waiting who have to.
#[derive(Clone)]
struct SinceStart {
    clock: Clock,
    latest: Arc<Mutex<Latest>>,
}

#[derive(Debug)]
struct Latest {
    told: time::OffsetDateTime,
    passed: Duration,
}

impl std::fmt::Debug for SinceStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SinceStart").finish_non_exhaustive()
    }
}

impl SinceStart {
    fn new(clock: &Clock) -> Self {
        let latest = Latest {
            told: clock(),
            passed: Duration::ZERO,
        };
        Self {
            clock: Arc::clone(clock),
            latest: Arc::new(Mutex::new(latest)),
        }
    }
}

impl GovernorClock for SinceStart {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let told = (self.clock)();
        // after so long all tries are there again; governor panics at sums beyond 584 years, which a clock can jump over
        let step = Duration::try_from(told - latest.told)
            .unwrap_or_default()
            .min(REFILLED);
        latest.told = told;
        latest.passed = latest.passed.saturating_add(step);
        latest.passed
    }
}

#[cfg(test)]
mod tests;
