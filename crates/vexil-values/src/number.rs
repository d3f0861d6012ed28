//! Decimal numbers in text.

use std::cmp::Ordering;
use std::fmt;

/// A finite number, compared as a 64-bit float.
#[derive(Debug, Clone, Copy)]
pub struct Number(f64);

impl Number {
    /// Reads a decimal number with an optional sign, fraction and exponent, such as `5`, `+5`, `.5`,
    /// `5.`, `005` or `5e-1`, blanks around it ignored. Nothing else is a number: no hexadecimal, no
    /// separators, no infinities, and nothing too large for a 64-bit float.
    #[inline]
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        short_integer(text.as_bytes())
            .or_else(|| parse_any(text))
            .map(Self)
    }

    /// The number of a finite float; `None` of infinities and of what is no number.
    #[must_use]
    pub fn of(number: f64) -> Option<Self> {
        number.is_finite().then_some(Self(number))
    }

    /// As a float, which is finite.
    #[inline]
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Floats that are finite are ordered; zero has no sign here.
impl Ord for Number {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[inline(never)]
fn parse_any(text: &str) -> Option<f64> {
    let text = text.trim();
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    unsigned
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
        .then(|| text.parse::<f64>().ok())?
        .filter(|number| number.is_finite())
}

/// Up to 15 digits, which a 64-bit float holds exactly.
#[inline]
fn short_integer(text: &[u8]) -> Option<f64> {
    if text.is_empty() || text.len() > 15 {
        return None;
    }
    let mut number = 0_u64;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u64::from(digit);
    }
    Some(number as f64)
}

#[cfg(test)]
mod tests {
    use super::Number;

    fn parse(text: &str) -> Option<f64> {
        Number::parse(text).map(Number::get)
    }

    #[test]
    fn reads_every_decimal_spelling() {
        for text in ["5", "+5", "5.", "005", " 5 ", "5e0", "0.5e1", "50E-1", "+.5e+1"] {
            assert_eq!(parse(text), Some(5.0), "{text:?}");
        }
        assert_eq!(parse("-0.25"), Some(-0.25));
    }

    #[test]
    fn refuses_what_is_no_decimal_number() {
        for text in [
            "", " ", ".", "+", "-", "e5", "5e", "--5", "+-5", "0x10", "5_0", "1,000", "9l", "５", "inf",
            "NaN", "Infinity", "1e999", "-1e999", "5 5",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(Number::parse("-0"), Number::parse("0"));
        assert!(Number::parse("-1e-300") < Number::parse("-0"));
    }

    #[test]
    fn reads_back_what_it_writes() {
        for text in ["0.1", "1e300", "-5", "9007199254740993", "1e-7"] {
            let number = Number::parse(text).unwrap();
            assert_eq!(Number::parse(&number.to_string()), Some(number));
        }
    }
}
