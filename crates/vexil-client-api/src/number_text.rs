//! Numbers as text.

use serde_json::Number;

/// A number as JavaScript writes it, which is how it reads wherever Unleash has taken it as text: `50` of `50.0`, for
/// which SDKs that want a whole number would turn a flag off, and `100` of `1e2`. Whole numbers keep all their digits.
pub(crate) fn number_text(number: &Number) -> String {
    /// Within these bounds all digits are written out.
    const PLAIN: std::ops::Range<f64> = 1e-6..1e21;
    match number.as_f64() {
        Some(fraction) if number.is_f64() => {
            if fraction == 0.0 {
                "0".to_owned()
            } else if PLAIN.contains(&fraction.abs()) {
                fraction.to_string()
            } else if fraction.abs() < PLAIN.start {
                format!("{fraction:e}")
            } else {
                format!("{fraction:e}").replace('e', "e+")
            }
        }
        _ => number.to_string(),
    }
}
