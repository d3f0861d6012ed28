//! Shares: exact fractions of all users.

use std::fmt;

/// A fraction from 0 to 1, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Share {
    numerator: u128,
    denominator: u128,
}

impl Share {
    /// Nobody.
    pub const NONE: Self = Self {
        numerator: 0,
        denominator: 1,
    };

    /// `part` of `whole`. Nobody, when there is no whole.
    #[must_use]
    pub fn new(part: u128, whole: u128) -> Self {
        let divisor = gcd(part, whole);
        if whole == 0 || divisor == 0 {
            return Self::NONE;
        }
        Self {
            numerator: part / divisor,
            denominator: whole / divisor,
        }
    }

    /// What the denominator is divided into.
    #[must_use]
    pub fn numerator(self) -> u128 {
        self.numerator
    }

    /// How many parts make everybody.
    #[must_use]
    pub fn denominator(self) -> u128 {
        self.denominator
    }

    /// The nearest number, 0 to 1.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "the nearest number is what is asked for"
    )]
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// As a percentage with at most three decimals, such as `12.5 %`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", (self.as_f64() * 100_000.0).round() / 1000.0)
    }
}

/// The greatest common divisor; that of 0 and `a` is `a`.
pub(crate) fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
