//! Decimal numbers in text.

/// Reads a decimal number with an optional sign, fraction and exponent, such as `5`, `+5`, `.5`,
/// `5.`, `005` or `5e-1`, blanks around it ignored. Nothing else is a number: no hexadecimal, no
/// separators, no infinities, and nothing too large for a 64-bit float.
#[inline]
pub(crate) fn parse(text: &str) -> Option<f64> {
    short_integer(text.as_bytes()).or_else(|| parse_any(text))
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
    use super::parse;

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
}
