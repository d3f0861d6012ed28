use proptest::prelude::*;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Instant;

fn looks_like_a_date() -> impl Strategy<Value = String> {
    let offset = prop_oneof![
        "Z",
        "z",
        "[+-](0[0-9]|1[0-9]|2[0-5]):[0-6][0-9]",
        "[+-][0-9]{2}",
        ""
    ];
    (
        "[012][0-9]{3}-[01][0-9]-[0-3][0-9]",
        "[Tt]",
        "[0-2][0-9]:[0-6][0-9]:[0-6][0-9]",
        "(\\.[0-9]{0,9})?",
        offset,
    )
        .prop_map(|(day, separator, time, fraction, offset)| {
            format!("{day}{separator}{time}{fraction}{offset}")
        })
}

proptest! {
    #[test]
    fn reads_all_that_the_crate_time_reads_as_rfc_3339(text in looks_like_a_date()) {
        if let Ok(reference) = OffsetDateTime::parse(&text, &Rfc3339) {
            // That crate moves a leap second back; here it is the second after.
            if !text.contains(":60") {
                prop_assert_eq!(Instant::parse(&text), Some(reference.into()), "{}", text);
                prop_assert_eq!(Instant::parse_rfc3339(&text), Some(reference.into()), "{}", text);
            }
        } else if text.ends_with(['Z', 'z']) && !text.contains(":60") {
            prop_assert_eq!(Instant::parse(&text), None, "{}", text);
        }
    }

    #[test]
    fn reads_back_any_moment(seconds in -62_135_596_800_i64..253_402_300_799, nanoseconds in 0_i128..1_000_000_000) {
        let total = i128::from(seconds) * 1_000_000_000 + nanoseconds;
        let moment = OffsetDateTime::from_unix_timestamp_nanos(total).unwrap();
        let instant = Instant::from(moment);
        prop_assert_eq!(Instant::parse(&moment.format(&Rfc3339).unwrap()), Some(instant));
        prop_assert_eq!(Instant::parse(&instant.to_string()), Some(instant));
    }
}

#[test]
fn a_missing_zone_is_utc_missing_seconds_are_none_and_a_bare_day_is_its_start() {
    let midnight = Instant::parse("2024-07-01T00:00:00Z");
    assert!(midnight.is_some());
    for text in [
        "2024-07-01",
        "2024-07-01T00:00:00",
        "2024-07-01 00:00:00.000",
        "2024-07-01T00:00Z",
        "2024-07-01T00:00",
        "2024-07-01T05:30+05:30",
        "2024-07-01T05:30:00+05:30",
    ] {
        assert_eq!(Instant::parse(text), midnight, "{text}");
    }
}

#[test]
fn a_fraction_may_have_any_length() {
    let long = Instant::parse("2024-07-01T00:00:00.123456789999999999999Z");
    assert_eq!(long, Instant::parse("2024-07-01T00:00:00.123456789Z"));
    assert!(Instant::parse("2024-07-01T00:00:00.1Z") > Instant::parse("2024-07-01T00:00:00.09Z"));
}

#[test]
fn refuses_what_is_no_date() {
    for text in [
        "",
        "2024",
        "2024-07",
        "2024-7-1",
        "2024-02-30",
        "2023-02-29",
        "2024-13-01",
        "2024-00-10",
        "2024-07-01T",
        "2024-07-01T24:00:00Z",
        "2024-07-01T00:60:00Z",
        "2024-07-01T00Z",
        "2024-07-01T00:00.5Z",
        "2024-07-01T00:00:00.Z",
        "2024-07-01T00:00:00,5Z",
        "2024-07-01T00:00:00+24:00",
        "2024-07-01T00:00:00+0530",
        "2024-07-01T00:00:00+02",
        "2024-07-01T00:00:00Z ",
        " 2024-07-01",
        "last tuesday",
        "1719792000",
        "２024-07-01",
        "2024-07-01T00:00:00Zé",
    ] {
        assert_eq!(Instant::parse(text), None, "{text:?}");
    }
}

#[test]
fn rfc_3339_alone_wants_seconds_and_a_zone() {
    assert_eq!(
        Instant::parse_rfc3339("1970-01-01T01:00:01.5+01:00"),
        Instant::of_unix(1, 500_000_000)
    );
    for looser in [
        "1970-01-01",
        "1970-01-01T00:00Z",
        "1970-01-01T00:00:00",
        "1970-01-01T00:00:00.5",
    ] {
        assert!(Instant::parse(looser).is_some(), "{looser}");
        assert_eq!(Instant::parse_rfc3339(looser), None, "{looser}");
    }
    assert_eq!(Instant::parse_rfc3339("1970-01-01T00:00:00Zx"), None);
}

#[test]
fn a_day_alone_is_its_start_and_a_moment_is_no_day() {
    assert_eq!(Instant::parse_day("1970-01-02"), Instant::of_unix(86_400, 0));
    for text in [
        "1970-01-02T00:00:00Z",
        "1970-02-30",
        "1970-1-2",
        "1970-01-02 ",
        "",
    ] {
        assert_eq!(Instant::parse_day(text), None, "{text}");
    }
}
