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

    /// Everybody.
    pub const ALL: Self = Self {
        numerator: 1,
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

    /// Both together, where they have no user in common; `None` where that is beyond counting.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let divisor = gcd(self.denominator, other.denominator);
        let (mine, its) = (other.denominator / divisor, self.denominator / divisor);
        let whole = self.denominator.checked_mul(mine)?;
        let parts = self
            .numerator
            .checked_mul(mine)?
            .checked_add(other.numerator.checked_mul(its)?)?;
        Some(Self::new(parts, whole))
    }

    /// Those in both, where the two have nothing to do with each other; `None` where that is beyond counting.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        let (one, two) = (
            Self::new(self.numerator, other.denominator),
            Self::new(other.numerator, self.denominator),
        );
        let parts = one.numerator.checked_mul(two.numerator)?;
        Some(Self::new(parts, one.denominator.checked_mul(two.denominator)?))
    }

    /// Whether it is larger than another.
    #[must_use]
    pub fn exceeds(self, other: Self) -> bool {
        // continued fractions: the whole parts first, then the reciprocals of what is left
        let (mut one, mut two) = (
            (self.numerator, self.denominator),
            (other.numerator, other.denominator),
        );
        let mut turned = false;
        loop {
            let (whole, its_whole) = (one.0 / one.1, two.0 / two.1);
            if whole != its_whole {
                return (whole > its_whole) != turned;
            }
            let (rest, its_rest) = (one.0 % one.1, two.0 % two.1);
            match (rest, its_rest) {
                (0, 0) => return false,
                (0, _) => return turned,
                (_, 0) => return !turned,
                _ => {}
            }
            (one, two) = ((one.1, rest), (two.1, its_rest));
            turned = !turned;
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
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(short_gcd(a, b));
        }
        (a, b) = (b, a % b);
    }
    a
}

/// The same of numbers that a processor divides at once.
fn short_gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_compared_added_and_multiplied_exactly() {
        let (third, half) = (Share::new(1, 3), Share::new(2, 4));
        assert!(half.exceeds(third) && !third.exceeds(half) && !half.exceeds(half));
        assert!(Share::ALL.exceeds(half) && !Share::NONE.exceeds(Share::NONE) && third.exceeds(Share::NONE));
        assert!(Share::new(u128::MAX - 1, u128::MAX).exceeds(Share::new(u128::MAX - 3, u128::MAX - 2)));
        let parts = (1..14).flat_map(|whole| (0..=whole).map(move |part| (part, whole)));
        for (one, other) in parts
            .clone()
            .flat_map(|one| parts.clone().map(move |other| (one, other)))
        {
            let exceeds = Share::new(one.0, one.1).exceeds(Share::new(other.0, other.1));
            assert_eq!(exceeds, one.0 * other.1 > other.0 * one.1, "{one:?} {other:?}");
        }
        assert_eq!(third.plus(half), Some(Share::new(5, 6)));
        assert_eq!(third.times(half), Some(Share::new(1, 6)));
        assert_eq!(Share::new(1, u128::MAX).times(Share::new(1, 2)), None);
    }
}
