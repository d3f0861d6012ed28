use std::time::Duration as Length;

use super::*;

const YEAR: u64 = 365 * 24 * 60 * 60;

#[test]
fn a_clock_that_is_far_off_is_told_as_the_edge_of_what_dates_can_say() {
    let epoch = SystemTime::UNIX_EPOCH;
    let after = |seconds| epoch + Length::from_secs(seconds);
    for at in [YEAR * 7_100, YEAR * 8_029, YEAR * 8_100, YEAR * 1_000_000] {
        assert_eq!(told(after(at)), LATEST, "{at}");
    }
    for before in [1, YEAR, YEAR * 20_000] {
        assert_eq!(told(epoch - Length::from_secs(before)), EARLIEST, "{before}");
    }
    assert_eq!(told(epoch), EARLIEST);
    let noon = told(after(1_764_504_000) + Length::from_nanos(5));
    assert_eq!(noon, datetime!(2025-11-30 12:00:00.000000005 UTC));
}
