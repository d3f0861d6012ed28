//! The document that a patch edits, with its size: counted on, never anew.

use serde_json::Value;
use vexil_budget::Budget;

use super::pointer::Pointer;

/// The most units that a document may grow to. A unit is one value, or 64 bytes of text.
pub(super) const MOST_UNITS: usize = 40_000;
/// The most levels that a document may have.
pub(super) const MOST_LEVELS: usize = 128;
/// How many units all operations of a patch may copy, compare and throw away.
const MOST_WORK: u64 = 400_000;
/// Bytes of text in one unit.
const BYTES: usize = 64;

/// A document under edit. All that gets into it is measured before it is copied.
pub(super) struct Document {
    pub(super) value: Value,
    units: usize,
    most: usize,
    budget: Budget,
}

/// Why a document cannot take more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum TooMuch {
    /// It would be too large.
    #[error("the document would have more than {most} values, each 64 bytes of text counted as one")]
    Units {
        /// How many it may have.
        most: usize,
    },
    /// It would be too deep.
    #[error("the document would have more than {most} levels")]
    Levels {
        /// How many it may have.
        most: usize,
    },
    /// The operations together move too much about.
    #[error("the operations together copy, compare or remove too much; send fewer of them")]
    Work,
}

impl Document {
    /// A copy of `value`, which may be as large as it is: it is one of ours.
    pub(super) fn of(value: &Value) -> Self {
        let units = size(value).units;
        Self {
            value: value.clone(),
            units,
            most: MOST_UNITS.max(units.saturating_mul(2)),
            budget: Budget::new(MOST_WORK),
        }
    }

    /// Pays for looking at `value`, and tells how large it is.
    pub(super) fn pay(&self, value: &Value) -> Result<Size, TooMuch> {
        let size = size(value);
        self.spend(size.units)?;
        Ok(size)
    }

    /// Pays for moving the rest of a list by one place.
    pub(super) fn pay_for_places(&self, places: usize) -> Result<(), TooMuch> {
        self.spend(places / 16)
    }

    fn spend(&self, units: usize) -> Result<(), TooMuch> {
        let units = u64::try_from(units).unwrap_or(u64::MAX);
        self.budget.spend(units).or(Err(TooMuch::Work))
    }

    /// Makes room for a value of this size at a place, which takes the room of `gone`.
    pub(super) fn make_room(&mut self, size: Size, at: &Pointer, gone: usize) -> Result<(), TooMuch> {
        if at.0.len().saturating_add(size.levels) > MOST_LEVELS {
            return Err(TooMuch::Levels { most: MOST_LEVELS });
        }
        let units = (self.units - gone.min(self.units)).saturating_add(size.units);
        if units > self.most {
            return Err(TooMuch::Units { most: self.most });
        }
        self.units = units;
        Ok(())
    }

    /// Takes note that a value is gone.
    pub(super) fn give_back(&mut self, units: usize) {
        self.units -= units.min(self.units);
    }
}

/// How large a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// Values, and 64 bytes of text each.
    pub(super) units: usize,
    /// How many values stand in one another; 1 for a text.
    pub(super) levels: usize,
}

/// Measures a value that is no deeper than a document or a request may be.
fn size(value: &Value) -> Size {
    let items = |inner: &mut dyn Iterator<Item = (usize, &Value)>| {
        inner.fold((1, 0), |(units, levels), (text, value)| {
            let size = size(value);
            (units + text / BYTES + size.units, size.levels.max(levels))
        })
    };
    let (units, below) = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => (1, 0),
        Value::String(text) => (1 + text.len() / BYTES, 0),
        Value::Array(all) => items(&mut all.iter().map(|value| (0, value))),
        Value::Object(all) => items(&mut all.iter().map(|(key, value)| (key.len(), value))),
    };
    Size {
        units,
        levels: below + 1,
    }
}
