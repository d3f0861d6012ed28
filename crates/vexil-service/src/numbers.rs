//! What the server counts of itself: requests, how long they and commits take, evaluations. Nothing of it outlives
//! the process; `routes::prometheus` shows it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The first status that there is, and how many are told apart.
const FIRST: usize = 100;
const STATUSES: usize = 500;

/// What is counted.
#[derive(Debug, Default)]
pub struct Numbers {
    routes: Mutex<BTreeMap<(String, &'static str), Arc<RouteNumbers>>>,
    /// Flags that were decided for front ends.
    pub evaluations: AtomicU64,
    /// How long commits of the configuration take.
    pub commits: Histogram,
    /// What of the usage reports is not folded yet, when it was last looked at.
    pub inbox_rows: AtomicU64,
    /// The same in bytes.
    pub inbox_bytes: AtomicU64,
}

/// The requests of one route.
#[derive(Debug)]
pub struct RouteNumbers {
    by_status: Box<[AtomicU64]>,
    /// How long they took until their answers began.
    pub seconds: Histogram,
}

impl Numbers {
    /// Those of a route, by its method and its path as the list of routes has it.
    pub fn of_route(&self, method: &str, path: &'static str) -> Arc<RouteNumbers> {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(routes.entry((method.to_owned(), path)).or_default())
    }

    /// Those of all routes that were asked, with method and path.
    pub fn routes(&self) -> Vec<(String, &'static str, Arc<RouteNumbers>)> {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let each = |((method, path), of): (&(String, _), &Arc<_>)| (method.clone(), *path, Arc::clone(of));
        routes.iter().map(each).collect()
    }
}

impl Default for RouteNumbers {
    fn default() -> Self {
        Self {
            by_status: (0..STATUSES).map(|_| AtomicU64::new(0)).collect(),
            seconds: Histogram::default(),
        }
    }
}

impl RouteNumbers {
    /// Counts a request.
    pub fn count(&self, status: u16, took: Duration) {
        let place = usize::from(status).checked_sub(FIRST);
        if let Some(count) = place.and_then(|place| self.by_status.get(place)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.seconds.add(took);
    }

    /// How many requests were answered with each status, where any were.
    pub fn by_status(&self) -> impl Iterator<Item = (usize, u64)> {
        let counts = self.by_status.iter().map(|count| count.load(Ordering::Relaxed));
        (FIRST..).zip(counts).filter(|(_, count)| *count > 0)
    }
}

/// How many things took up to how long.
#[derive(Debug, Default)]
pub struct Histogram {
    /// Each counts what is in no smaller one; the last what is in none of [`Histogram::BOUNDS`].
    buckets: [AtomicU64; Self::BOUNDS.len() + 1],
    nanoseconds: AtomicU64,
}

impl Histogram {
    /// The bounds of the buckets, and the same in seconds as they are written.
    pub(crate) const BOUNDS: [(Duration, &'static str); 9] = [
        (Duration::from_micros(250), "0.00025"),
        (Duration::from_millis(1), "0.001"),
        (Duration::from_millis(4), "0.004"),
        (Duration::from_millis(16), "0.016"),
        (Duration::from_millis(64), "0.064"),
        (Duration::from_millis(250), "0.25"),
        (Duration::from_secs(1), "1"),
        (Duration::from_secs(4), "4"),
        (Duration::from_secs(10), "10"),
    ];

    /// Adds what took so long.
    pub(crate) fn add(&self, took: Duration) {
        let place = Self::BOUNDS.iter().position(|(bound, _)| took <= *bound);
        if let Some(bucket) = self.buckets.get(place.unwrap_or(Self::BOUNDS.len())) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// For each bound, and in the end for none, how many took at most so long.
    pub fn cumulated(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let bounds = Self::BOUNDS.iter().map(|(_, text)| *text).chain(["+Inf"]);
        bounds.zip(&self.buckets).scan(0, |sum, (bound, bucket)| {
            *sum += bucket.load(Ordering::Relaxed);
            Some((bound, *sum))
        })
    }

    /// How long all of them took, in seconds.
    pub fn sum(&self) -> f64 {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed)).as_secs_f64()
    }
}

#[cfg(test)]
mod tests;
