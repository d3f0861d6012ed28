//! Laws of adding up, over any reports.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_metrics::{
    Block, Count, Counts, Indexed, Line, Malformed, Merge, Packed, Report, Retention, Rows, SlotCounts,
    UsageKey, Width, by_minute, hourly, last_hour, last_hour_start,
};

const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20.5 UTC);
const HOURS: u32 = 5;

/// A report as it was made, and what it counts.
#[derive(Debug, Clone)]
struct Made {
    report: Report,
    flags: Vec<(&'static str, Counts)>,
}

fn arb_number() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..1000_u64, 1 => Just(Count::MAX.get()), 1 => any::<u64>()]
}

fn arb_counts() -> impl Strategy<Value = Counts> {
    let variants = vec(
        (prop_oneof!["[ab]", Just("__proto__".to_owned())], arb_number()),
        0..3,
    );
    (arb_number(), arb_number(), variants).prop_map(|(yes, no, variants)| {
        let counts = Counts::new(yes, no);
        variants
            .into_iter()
            .fold(counts, |counts, (name, times)| counts.with_variant(name, times))
    })
}

/// A report of the last four hours, often on the edge of a minute or an hour, sometimes of the future.
fn arb_report() -> impl Strategy<Value = Made> {
    let age = prop_oneof![
        (-600..4 * 3600_i64).prop_map(Duration::seconds),
        (-10..240_i64, -1..2_i64)
            .prop_map(|(minute, off)| { Duration::milliseconds(20_500 + minute * 60_000 + off) }),
    ];
    let names = (
        prop_oneof![Just("shop"), Just("till")],
        prop_oneof![Just("development"), Just("production")],
    );
    let flags = vec(
        (prop_oneof![Just("a"), Just("b"), Just("ä \"x\"")], arb_counts()),
        0..4,
    );
    (names, age, flags).prop_map(|((application, environment), age, flags)| {
        let mut report = Report::new(application, environment, NOW - age, NOW);
        flags.iter().for_each(|(flag, counts)| report.add(flag, counts));
        Made { report, flags }
    })
}

/// What reports come to, added up in plain words of the language.
fn expected(reports: &[Made], width: Width) -> Rows {
    let mut sums = BTreeMap::<UsageKey, Counts>::new();
    for Made { report, flags } in reports {
        for (flag, counts) in flags {
            let key = UsageKey {
                flag: (*flag).into(),
                environment: report.environment.clone(),
                application: report.application.clone(),
                start: width.floor(report.minute()),
            };
            sums.entry(key).or_default().add(counts);
        }
    }
    sums.into_iter().collect()
}

fn packed(reports: &[Made]) -> Vec<Packed> {
    reports.iter().map(|made| made.report.pack()).collect()
}

fn rows(packed: &[Packed], width: Width) -> Rows {
    let mut rows = Rows::default();
    packed.iter().for_each(|it| rows.add_packed(it, width).unwrap());
    rows
}

fn merged(packed: &[Packed], size: usize) -> Vec<Packed> {
    let mut merge = Merge::default();
    packed.iter().for_each(|it| merge.add(it).unwrap());
    merge.pack(size)
}

/// What `reports` say of flag `a`, of those for which `wanted` is true.
fn sum(reports: &[Made], wanted: impl Fn(&Report) -> bool) -> Counts {
    let mut sum = Counts::default();
    for made in reports.iter().filter(|made| wanted(&made.report)) {
        let of_a = made.flags.iter().filter(|(flag, _)| *flag == "a");
        of_a.for_each(|(_, counts)| sum.add(counts));
    }
    sum
}

fn of_flag_a(mut rows: Rows) -> Rows {
    rows.retain(|row| row.series.flag.as_str() == "a");
    rows
}

fn counted(block: &Block) -> BTreeMap<u8, Counts> {
    let slots = block.slots();
    slots.map(|(place, counts)| (place, counts.into())).collect()
}

fn sum_of<'a>(counts: impl Iterator<Item = &'a Counts>) -> Counts {
    let mut sum = Counts::default();
    counts.for_each(|counts| sum.add(counts));
    sum
}

fn total<'a>(counts: impl Iterator<Item = SlotCounts<'a>>) -> Counts {
    let mut total = Counts::default();
    counts.for_each(|counts| total.add_slot(counts));
    total
}

proptest! {
    #[test]
    fn reports_add_up_the_same_in_any_order_and_grouping(
        reports in vec(arb_report(), 0..10),
        cut in 0..10_usize,
        size in 1..200_usize,
    ) {
        let single = packed(&reports);
        let (first, second) = single.split_at(cut.min(single.len()));
        let mut grouped = merged(second, size);
        grouped.extend(merged(first, size));
        for width in Width::ALL {
            let expected = expected(&reports, width);
            prop_assert_eq!(&rows(&single, width), &expected);
            prop_assert_eq!(&rows(&grouped, width), &expected);
            prop_assert_eq!(&rows(&merged(&grouped, size), width), &expected);
        }
    }

    #[test]
    fn appended_counts_are_those_of_both(left in arb_report(), right in arb_report()) {
        let mut both = left.report.pack();
        both.append(&right.report.pack());
        prop_assert_eq!(rows(&[both], Width::Minute), expected(&[left, right], Width::Minute));
    }

    #[test]
    fn packed_counts_come_back_from_their_bytes(reports in vec(arb_report(), 0..6)) {
        for piece in merged(&packed(&reports), usize::MAX) {
            let read = Packed::from_bytes(piece.as_bytes().to_vec());
            prop_assert_eq!(read, Ok(piece));
        }
    }

    #[test]
    fn what_is_not_kept_is_gone_and_nothing_else(reports in vec(arb_report(), 0..6)) {
        let keep = |flag: &str, environment: &str| flag != "a" && environment != "production";
        for piece in merged(&packed(&reports), usize::MAX) {
            let mut expected = rows(std::slice::from_ref(&piece), Width::Minute);
            let before = expected.len();
            expected.retain(|row| keep(row.series.flag.as_str(), row.series.environment.as_str()));
            match piece.retain(keep).unwrap() {
                None => prop_assert_eq!(expected.len(), before),
                Some(rest) => {
                    prop_assert!(expected.len() < before);
                    prop_assert_eq!(rows(&[rest], Width::Minute), expected);
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_counts_are_malformed_and_nothing_worse(bytes in vec(any::<u8>(), 0..60), cut in 0..60_usize) {
        let mut started = vec![1];
        started.extend(&bytes);
        for bytes in [bytes, started] {
            if let Ok(packed) = Packed::from_bytes(bytes.clone()) {
                prop_assert!(Indexed::new(packed).is_ok());
            }
            if let Ok(block) = Block::decode(&bytes) {
                prop_assert_eq!(Block::decode(&block.encode()), Ok(block));
            }
        }
        let mut report = Report::new("shop", "production", NOW, NOW);
        report.add("checkout", &Counts::new(1, 2).with_variant("blue", 3));
        let whole = report.pack();
        let part = whole.as_bytes().get(..cut.min(whole.as_bytes().len() - 1)).unwrap();
        let read = Packed::from_bytes(part.to_vec());
        prop_assert!(read == Err(Malformed) || read == Ok(Packed::default()));
    }

    #[test]
    fn an_index_finds_what_was_counted_of_a_flag(reports in vec(arb_report(), 0..10), size in 1..300_usize) {
        for piece in merged(&packed(&reports), size) {
            let indexed = Indexed::new(piece.clone()).unwrap();
            for flag in ["a", "b", "ä \"x\"", "never"] {
                let (mut found, mut merge) = (Rows::default(), Merge::default());
                merge.add_flag(&indexed, flag).unwrap();
                merge.into_rows().iter().for_each(|row| found.add_row(row, Width::Minute));
                let mut all = rows(std::slice::from_ref(&piece), Width::Minute);
                all.retain(|row| row.series.flag.as_str() == flag);
                prop_assert_eq!(found, all);
            }
        }
    }

    #[test]
    fn a_block_counts_each_place_and_comes_back_from_its_bytes(
        added in vec((0..60_u8, arb_counts()), 0..12),
        split in 0..12_usize,
    ) {
        let add = |block: &mut Block, (place, counts): &(u8, Counts)| {
            let variants = counts.variants.iter().map(|(name, &times)| (name.as_str(), times));
            block.add(*place, counts.yes, counts.no, variants);
        };
        let mut sums = BTreeMap::<u8, Counts>::new();
        added.iter().for_each(|(place, counts)| sums.entry(*place).or_default().add(counts));
        let mut block = Block::default();
        for (number, item) in added.iter().enumerate() {
            if number == split {
                block = Block::decode(&block.encode()).unwrap();
            }
            add(&mut block, item);
        }
        prop_assert_eq!(counted(&block), sums.clone());
        let minute = |place: u8| NOW + Duration::minutes(place.into());
        let mut line = Line::default();
        let even = |place: u8| place.is_multiple_of(2).then(|| minute(place));
        let odd = |place: u8| even(place).xor(Some(minute(place)));
        line.add_block(&block.encode(), odd).unwrap();
        line.add_block(&block.encode(), even).unwrap();
        let whole = line.iter().map(|(start, counts)| (start, counts.into()));
        let expected = sums.iter().map(|(place, counts)| (minute(*place), counts.clone()));
        prop_assert_eq!(whole.collect::<BTreeMap<_, Counts>>(), expected.collect());
        let mut longer = Block::default();
        longer.add_all(7, &Block::decode(&block.encode()).unwrap());
        let whole = counted(&longer).into_iter().next();
        prop_assert_eq!(whole, (!sums.is_empty()).then(|| (7, sum_of(sums.values()))));
    }

    #[test]
    fn hours_hold_every_report_once(reports in vec(arb_report(), 0..10)) {
        let hours = of_flag_a(rows(&packed(&reports), Width::Hour));
        prop_assert_eq!(total(hours.iter().map(|row| row.counts)), sum(&reports, |_| true));
        let read = hourly(NOW, HOURS, &hours);
        prop_assert_eq!(total(read.iter().filter_map(|hour| hour.counts)), sum(&reports, |_| true));
    }

    #[test]
    fn the_last_hour_holds_every_report_since_its_start_once(reports in vec(arb_report(), 0..10)) {
        let minutes = of_flag_a(rows(&packed(&reports), Width::Minute));
        let usage = last_hour(NOW, &minutes);
        let by_minute = by_minute(NOW, 61, &minutes);
        for environment in ["development", "production"] {
            let of = |report: &Report| {
                report.environment.as_str() == environment && report.minute() >= last_hour_start(NOW)
            };
            let mut counting = reports.iter().filter(|made| of(&made.report));
            let reported = counting.any(|made| made.flags.iter().any(|(flag, _)| *flag == "a"));
            let expected = reported.then(|| sum(&reports, of));
            let found = usage.iter().find(|usage| usage.environment.as_str() == environment);
            prop_assert_eq!(found.map(|usage| usage.counts.clone()), expected.clone());
            let minutes = by_minute.iter().find(|usage| usage.environment.as_str() == environment);
            prop_assert_eq!(minutes.map(|usage| usage.all.total()), expected.clone());
            let applications = minutes.map(|usage| {
                let totals: Vec<Counts> = usage.applications.values().map(|line| line.total()).collect();
                sum_of(totals.iter())
            });
            prop_assert_eq!(applications, expected);
        }
    }

    #[test]
    fn rows_start_on_their_minute_hour_or_day_and_never_in_the_future(reports in vec(arb_report(), 0..10)) {
        for width in Width::ALL {
            for row in rows(&packed(&reports), width).iter() {
                prop_assert_eq!(width.floor(row.start), row.start);
                prop_assert!(row.start <= NOW);
                prop_assert!(row.counts.yes <= Count::MAX && row.counts.variants().all(|(_, times)| times <= Count::MAX));
            }
        }
    }

    #[test]
    fn every_instant_has_its_place_in_a_block(seconds in -4_000_000_000..8_000_000_000_i64) {
        let instant = OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        for width in Width::ALL {
            let (block, slot) = width.block(instant);
            prop_assert!(slot < width.slots());
            prop_assert_eq!(width.slot_start(block, slot), width.floor(instant));
            prop_assert!(block <= instant && instant < block + width.block_length());
            if let Some(longer) = width.longer() {
                let last = block + width.block_length() - Duration::SECOND;
                prop_assert_eq!(longer.floor(block), longer.floor(last), "a block becomes one longer stretch");
            }
        }
    }
}

#[test]
fn blocks_are_kept_for_longer_the_longer_they_are() {
    let retention = Retention::default();
    let limits = Width::ALL.map(|width| NOW - retention.limit(width, NOW));
    assert_eq!(
        limits,
        [Duration::hours(2), Duration::hours(48), Duration::days(90)]
    );
    let short = Retention { days: Duration::HOUR };
    assert_eq!(
        Width::ALL.map(|width| NOW - short.limit(width, NOW)),
        [Duration::HOUR; 3]
    );
}
