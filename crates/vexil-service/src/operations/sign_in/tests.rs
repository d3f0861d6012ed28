use time::Duration;
use time::macros::datetime;

use super::*;

/// A session must not last for as long as the clock was ahead when it began.
#[test]
fn a_session_of_a_clock_that_was_ahead_ends_when_the_clock_is_set_back() {
    let options = SignInOptions::default();
    let now = datetime!(2026-11-30 12:00 UTC);
    let begun_at = |begun: OffsetDateTime| Session {
        secret_hash: SecretHash([1; 32]),
        holder: SessionHolder::User(UserId(1)),
        created_at: begun,
        seen_at: begun,
        expires_at: begun + options.longest,
        address: None,
        user_agent: None,
    };
    let second = Duration::SECOND;
    for (ahead, alive) in [
        (Duration::ZERO, true),
        (-options.idle + second, true),
        (-options.idle, false),
        (options.idle - second, true),
        (options.idle, false),
        (Duration::days(400), false),
    ] {
        assert_eq!(is_alive(&begun_at(now + ahead), &options, now), alive, "{ahead}");
    }
}
