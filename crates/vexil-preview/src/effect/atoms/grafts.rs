//! Texts that say a value and hold what is looked for at once: letters of the one put where the other does not
//! count them.
//!
//! Behind a version comes its build, which no comparison looks at. Behind a number come digits too small to
//! count, and its point can be moved as far as a power of ten moves it back. They are only tried: what they are
//! is for the engine and the automaton to say.

use super::Part;
use crate::effect::ordered::Order;

/// So many values and so many texts are put together.
const MOST_VALUES: usize = 4;
const MOST_TEXTS: usize = 24;
/// So far is a point moved at most.
const MOST_POWER: i32 = 700;
/// Digits that come so far behind the first one do not count.
const BEYOND: usize = 20;

/// The values of a part, grafted onto texts that hold what is looked for.
pub(super) fn grafts(part: &Part, values: &[String], texts: &[String]) -> Vec<String> {
    let Part::Between(interval) = part else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for value in values.iter().take(MOST_VALUES) {
        for text in texts.iter().take(MOST_TEXTS) {
            match interval.order {
                Order::Versions => all.extend(with_build(value, text)),
                Order::Numbers => all.extend(with_digits(value, text)),
                Order::Moments => {}
            }
        }
    }
    all
}

/// The version with what comes behind the first three numbers of another as its build; and with all of it.
fn with_build(value: &str, text: &str) -> Vec<String> {
    let version = value.split('+').next().unwrap_or_default();
    let behind = text.find(['-', '+']).and_then(|place| text.get(place + 1..));
    let behind = behind.filter(|behind| !behind.is_empty()).into_iter();
    behind
        .chain([text])
        .map(|build| format!("{version}+{}", build.replace('+', "-")))
        .collect()
}

/// The number with the digits of another behind it, and with its power of ten.
fn with_digits(value: &str, text: &str) -> Vec<String> {
    let Some((sign, digits, point)) = spelled(value) else {
        return Vec::new();
    };
    let text = text.trim();
    let (mantissa, power) = match text.find(['e', 'E']) {
        Some(place) => text.split_at_checked(place).unwrap_or((text, "")),
        // what looks like a negative number may be the power of another
        None if text.starts_with('-') => ("", text),
        None => (text, ""),
    };
    let behind: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent = power.trim_start_matches(['e', 'E']);
    let moved: i32 = match exponent {
        "" => 0,
        exponent => match exponent.parse::<i32>() {
            Ok(moved) if (-MOST_POWER..=MOST_POWER).contains(&moved) => moved,
            _ => return Vec::new(),
        },
    };
    let power = match exponent {
        "" => String::new(),
        exponent => format!("{}{exponent}", if power.starts_with('E') { 'E' } else { 'e' }),
    };
    let whole = pointed(&digits, point - moved);
    let mut all = vec![format!("{sign}{whole}{power}")];
    if !behind.is_empty() {
        let zeros = "0".repeat(BEYOND);
        all.push(format!("{sign}{whole}{zeros}{behind}{power}"));
    }
    all
}

/// A number as its sign, its digits, and how many of them come before the point.
fn spelled(number: &str) -> Option<(&str, String, i32)> {
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", number),
    };
    let (mantissa, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let counted = digits.trim_start_matches('0');
    let before = whole.len() as i32 - (digits.len() - counted.len()) as i32;
    let point = before.checked_add(power.parse::<i32>().ok()?)?;
    (-MOST_POWER..=MOST_POWER)
        .contains(&point)
        .then(|| (sign, counted.to_owned(), point))
}

/// Digits with a point behind so many of them, always with one digit behind the point.
fn pointed(digits: &str, point: i32) -> String {
    if let Ok(whole) = usize::try_from(point).map(|point| point.min(2 * MOST_POWER as usize)) {
        let padded = format!("{digits:0<whole$}");
        let (before, behind) = padded.split_at_checked(whole).unwrap_or((&padded, ""));
        let before = if before.is_empty() { "0" } else { before };
        return format!("{before}.{behind}0");
    }
    let zeros = point.unsigned_abs().min(2 * MOST_POWER as u32) as usize;
    format!("0.{}{digits}0", "0".repeat(zeros))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::ordered::Interval;

    #[test]
    fn a_number_holds_other_digits_where_they_do_not_count() {
        let all = |value, text| -> Vec<(f64, String)> {
            let all = with_digits(value, text).into_iter();
            all.map(|text| (text.parse().unwrap(), text)).collect()
        };
        let behind =
            |start: &str, digits: &str, end: &str| format!("{start}{}{digits}{end}", "0".repeat(BEYOND));
        assert_eq!(
            all("7", "5"),
            [(7.0, "7.0".to_owned()), (7.0, behind("7.0", "5", ""))]
        );
        assert_eq!(all("5", "-2"), [(5.0, "500.0e-2".to_owned())]);
        assert_eq!(all("-3", "1e309").last().unwrap().0, -3.0);
        assert!(all("-3", "1e309").last().unwrap().1.ends_with("1e309"));
        assert_eq!(
            all("0.25", "0e-2"),
            [(0.25, "25.0e-2".to_owned()), (0.25, behind("25.0", "0", "e-2"))]
        );
        assert_eq!(all("1e300", "1e-400").last().unwrap().0, 1e300);
    }

    #[test]
    fn a_version_holds_other_letters_in_its_build() {
        assert_eq!(
            with_build("2.0.9", "0.0.0-10.0.0.8"),
            ["2.0.9+10.0.0.8", "2.0.9+0.0.0-10.0.0.8"]
        );
        assert_eq!(with_build("1.0.0-a+b", "-1+2"), ["1.0.0-a+1-2", "1.0.0-a+-1-2"]);
    }

    #[test]
    fn four_values_are_put_together_with_twenty_four_texts() {
        let interval = |order| {
            Part::Between(Interval {
                order,
                from: None,
                to: None,
            })
        };
        let many = |text: &str, count: usize| vec![text.to_owned(); count];
        for (order, value, text) in [
            (Order::Numbers, "7", "5"),
            (Order::Versions, "1.0.0", "2.0.0-b"),
            (Order::Moments, "2024-07-01", "x"),
        ] {
            let each = grafts(&interval(order), &many(value, 1), &many(text, 1)).len();
            assert_eq!(each, if order == Order::Moments { 0 } else { 2 });
            for (values, texts) in [(0, 9), (1, 1), (3, 23), (4, 24), (5, 25), (9, 40)] {
                let all = grafts(&interval(order), &many(value, values), &many(text, texts));
                assert_eq!(
                    all.len(),
                    each * values.min(4) * texts.min(24),
                    "{values} {texts}"
                );
            }
        }
        assert_eq!(grafts(&Part::Unset, &many("7", 1), &many("5", 1)), [""; 0]);
    }

    /// A point is moved by 700 digits at most, and there is no number that has it farther away.
    #[test]
    fn a_number_keeps_its_value_however_far_its_point_is_moved() {
        for power in (-705..=705).step_by(5).chain([-701, 701]) {
            let all = with_digits("25", &format!("1e{power}"));
            assert_eq!(all.is_empty(), !(-700..=700).contains(&power), "{power}");
            for text in all {
                assert_eq!(text.parse::<f64>().unwrap(), 25.0, "{text}");
                assert!(text.ends_with(&format!("e{power}")), "{text}");
            }
            let is_spelled = spelled(&format!("1e{power}")).is_some();
            assert_eq!(is_spelled, (-701..700).contains(&power), "{power}");
        }
        assert_eq!(spelled("1e2147483648"), None);
        assert_eq!(with_digits("7", "5")[1], "7.0000000000000000000005");
    }
}
