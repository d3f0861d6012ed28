use std::sync::{Arc, Mutex};

use time::OffsetDateTime;
use time::macros::datetime;

use super::*;

const NOW: OffsetDateTime = datetime!(2026-11-28 12:00 UTC);

fn limits() -> (GuessLimits, Arc<Mutex<OffsetDateTime>>) {
    let time = Arc::new(Mutex::new(NOW));
    let told = Arc::clone(&time);
    let clock: Clock = Arc::new(move || *told.lock().unwrap());
    (GuessLimits::new(&clock), time)
}

fn from(address: &str, account: &'static str) -> Attempt<'static> {
    Attempt {
        address: Some(address.parse().unwrap()),
        account,
    }
}

/// How many of so many tries may be made.
fn made(limits: &GuessLimits, attempt: &Attempt<'_>, tries: usize) -> usize {
    (0..tries)
        .filter(|_| limits.count(attempt).wait.is_none())
        .count()
}

#[test]
fn the_eleventh_try_within_a_minute_waits_for_six_seconds() {
    let (limits, time) = limits();
    for left in (0..10).rev() {
        let told = limits.count(&from("203.0.113.9", "ada"));
        assert_eq!((told.remaining, told.wait), (left, None));
    }
    let told = limits.count(&from("203.0.113.9", "ada"));
    assert_eq!(told.wait, Some(Duration::from_secs(6)));
    *time.lock().unwrap() = NOW + Duration::from_secs(6);
    assert_eq!(made(&limits, &from("203.0.113.9", "ada"), 5), 1);
}

/// Whoever starts a server with a clock that is ahead, and sets it right then, signs in all the same.
#[test]
fn a_clock_that_is_set_keeps_nobody_waiting_longer() {
    const HOUR: Duration = Duration::from_secs(3600);
    for (ahead, back) in [(HOUR * 24, HOUR * 24), (Duration::ZERO, HOUR), (HOUR, HOUR * 3)] {
        let (limits, time) = limits();
        let attempt = from("203.0.113.9", "ada");
        *time.lock().unwrap() += ahead;
        assert_eq!(made(&limits, &attempt, 20), 10);
        *time.lock().unwrap() -= back;
        assert_eq!(limits.count(&attempt).wait, Some(Duration::from_secs(6)));
        *time.lock().unwrap() += Duration::from_secs(6);
        assert_eq!(made(&limits, &attempt, 5), 1, "{ahead:?} {back:?}");
    }
}

#[test]
fn whoever_goes_on_waits_longer_and_longer() {
    let (limits, time) = limits();
    let attempt = from("203.0.113.9", "ada");
    let mut in_minutes = Vec::new();
    for minute in 0..60 {
        *time.lock().unwrap() = NOW + Duration::from_secs(60 * minute);
        in_minutes.push(made(&limits, &attempt, 60));
    }
    // 10 in the first minute and in each after it, until the 30 of ten minutes are used up; then their
    // refill of three a minute, until the 60 of an hour are used up; then their refill of one a minute.
    assert_eq!(in_minutes[0], 10);
    assert!(
        in_minutes.windows(2).all(|two| two[1] <= two[0]),
        "{in_minutes:?}"
    );
    assert_eq!(in_minutes.last(), Some(&1), "{in_minutes:?}");
    assert!(in_minutes.iter().sum::<usize>() <= 120, "{in_minutes:?}");
}

#[test]
fn one_place_cannot_try_many_accounts_and_many_places_cannot_try_one() {
    let (limits, _time) = limits();
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let from_one = names
        .iter()
        .filter(|name| limits.count(&from("203.0.113.9", name)).wait.is_none());
    assert_eq!(from_one.count(), 10);
    let from_many = (1..30).filter(|last| {
        let address = format!("198.51.100.{last}");
        limits.count(&from(&address, "root")).wait.is_none()
    });
    assert_eq!(from_many.count(), 10);
}

#[test]
fn strangers_do_not_lock_out_the_owner_of_an_account() {
    let (limits, _time) = limits();
    let home = from("192.0.2.1", "ada");
    limits.signed_in(&home);
    for last in 1..=200 {
        limits.count(&from(&format!("198.51.100.{last}"), "ada"));
    }
    assert_eq!(made(&limits, &home, 3), 3);
    assert_eq!(made(&limits, &from("192.0.2.2", "ada"), 3), 0);
}

#[test]
fn an_account_is_the_same_in_other_letters() {
    let (limits, _time) = limits();
    assert_eq!(made(&limits, &from("203.0.113.1", "Ada"), 10), 10);
    assert_eq!(made(&limits, &from("203.0.113.2", " ADA"), 1), 0);
}

#[test]
fn memory_is_bounded_however_many_places_there_are() {
    let (limits, time) = limits();
    let mut made = 0;
    for number in 0..60_000_u32 {
        let attempt = Attempt {
            address: Some(IpAddr::from(number.to_be_bytes())),
            account: &format!("account-{number}"),
        };
        made += usize::from(limits.count(&attempt).wait.is_none());
    }
    assert!(limits.tiers.iter().all(|tier| tier.len() <= MOST + 1));
    assert!((MOST / 2 - 1..60_000).contains(&made), "{made}");
    // what is full is emptied once its keys are old
    *time.lock().unwrap() = NOW + Duration::from_secs(2 * 3600);
    assert!(limits.count(&from("203.0.113.9", "ada")).wait.is_none());
    assert!(limits.tiers.iter().all(|tier| tier.len() < 10));
}
