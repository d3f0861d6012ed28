//! Intervals in words.

use crate::effect::ordered::{Interval, Key, Order};

/// What a value of the interval is: `is at least 3 and below 5`.
pub(super) fn interval_words(interval: &Interval) -> String {
    let what = match interval.order {
        Order::Numbers => "",
        Order::Moments => "",
        Order::Versions => "version ",
    };
    let text = |key: &Key| key.text().unwrap_or_default();
    // nobody writes a moment that is a nanosecond behind another
    let just_behind = |key: &Key| match key {
        Key::Moment(moment) => Key::Moment(moment - 1)
            .text()
            .filter(|before| before.len() < text(key).len()),
        _ => None,
    };
    let from = interval.from.as_ref().map(|from| match just_behind(from) {
        Some(before) => format!("after {before}"),
        None => format!("at least {what}{}", text(from)),
    });
    let to = interval.to.as_ref().map(|to| match just_behind(to) {
        Some(last) => format!("at most {last}"),
        None if from.is_some() => format!("below {}", text(to)),
        None => format!("below {what}{}", text(to)),
    });
    match (from, to) {
        (None, None) => "is any".to_owned(),
        (Some(end), None) | (None, Some(end)) => format!("is {end}"),
        (Some(from), Some(to)) => format!("is {from} and {to}"),
    }
}

#[cfg(test)]
mod tests {
    use vexil_values::Instant;

    use super::*;
    use crate::effect::moments::nanoseconds;
    use crate::effect::ordered::intervals;

    #[test]
    fn moments_read_as_people_write_them() {
        // 2026-12-01T00:00:00Z, and the nanosecond behind it
        let noon = 1_796_083_200_000_000_000;
        let cuts = [noon, noon + 1].map(Key::Moment);
        let all: Vec<String> = intervals(Order::Moments, &cuts)
            .iter()
            .map(interval_words)
            .collect();
        assert_eq!(
            all,
            [
                "is below 2026-12-01T00:00:00Z",
                "is at least 2026-12-01T00:00:00Z and at most 2026-12-01T00:00:00Z",
                "is after 2026-12-01T00:00:00Z",
            ]
        );
    }

    #[test]
    fn an_interval_of_moments_is_told_with_its_ends() {
        let noon = 1_796_083_200_000_000_000_i128;
        let ends = [
            noon,
            noon + 1,
            noon + 500_000_000,
            noon + 500_000_001,
            noon + 1_000_000_000,
        ];
        let said = |words: &str, moment: i128| {
            let words = words.strip_prefix("is ").unwrap();
            words == "any"
                || words.split(" and ").all(|one| {
                    let (how, end) = one.rsplit_once(' ').unwrap();
                    let end = nanoseconds(Instant::parse(end).unwrap());
                    match how {
                        "at least" => moment >= end,
                        "at most" => moment <= end,
                        "after" => moment > end,
                        "below" => moment < end,
                        _ => panic!("{one}"),
                    }
                })
        };
        for (number, from) in ends.into_iter().enumerate() {
            for to in ends[number..].iter().copied() {
                let mut cuts = [from, to].map(Key::Moment).to_vec();
                cuts.dedup();
                for interval in intervals(Order::Moments, &cuts) {
                    let words = interval_words(&interval);
                    for near in ends.into_iter().flat_map(|end| [end - 1, end, end + 1]) {
                        assert_eq!(
                            said(&words, near),
                            interval.holds(&Key::Moment(near)),
                            "{near} {words}"
                        );
                    }
                    // nobody writes the nanosecond behind a second
                    assert!(!words.contains(".000000001Z"), "{words}");
                }
            }
        }
        let all = intervals(Order::Moments, &[]);
        assert_eq!(all.iter().map(interval_words).collect::<Vec<_>>(), ["is any"]);
    }
}
