//! Where people have signed in before: their own tries count there, not those of strangers.

use std::collections::{HashSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// How many are remembered; the oldest are forgotten first.
const MOST: usize = 20_000;

/// Accounts, with the places from where their owners have signed in.
#[derive(Debug, Default)]
pub(super) struct Familiar(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    set: HashSet<(u64, IpAddr)>,
    in_order: VecDeque<(u64, IpAddr)>,
}

impl Familiar {
    pub(super) fn contains(&self, account: u64, place: IpAddr) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.set.contains(&(account, place))
    }

    pub(super) fn insert(&self, account: u64, place: IpAddr) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.set.insert((account, place)) {
            return;
        }
        known.in_order.push_back((account, place));
        if known.in_order.len() > MOST
            && let Some(oldest) = known.in_order.pop_front()
        {
            known.set.remove(&oldest);
        }
    }
}
