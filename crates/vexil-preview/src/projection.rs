//! The combinations of a matrix, numbered by the fields that matter.

use crate::{ContextMatrix, Cursor};

/// Numbers the combinations of a matrix so that two of them have the same number exactly when they
/// agree in every field that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// For each field of the matrix what one step of its digit adds; 0 where the field does not matter.
    strides: Vec<u64>,
    count: u64,
}

impl Projection {
    /// A projection onto the fields of `matrix` for which `matters` holds.
    ///
    /// `None` when there are more distinct numbers than a `u64` holds.
    #[must_use]
    pub fn new(matrix: &ContextMatrix, matters: impl Fn(&str) -> bool) -> Option<Self> {
        let mut count: u64 = 1;
        let mut strides = Vec::with_capacity(matrix.fields().len());
        for field in matrix.fields() {
            if matters(&field.name) {
                strides.push(count);
                count = count.checked_mul(field.values.len() as u64)?;
            } else {
                strides.push(0);
            }
        }
        Some(Self { strides, count })
    }

    /// How many distinct numbers there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of a combination, below [`Projection::count`].
    #[must_use]
    pub fn number(&self, cursor: &Cursor<'_>) -> u64 {
        self.strides
            .iter()
            .zip(cursor.digits())
            .map(|(stride, &digit)| stride * digit as u64)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_share_a_number_exactly_when_they_agree_in_what_matters() {
        let mut matrix = ContextMatrix::new();
        matrix.set_text("userId", "a,b,c");
        matrix.set_text("country", "NO,SE");
        matrix.set_text("plan", "free,pro");
        let projection = Projection::new(&matrix, |field| field != "country").unwrap();
        assert_eq!(projection.count(), 6);

        let mut seen = std::collections::BTreeMap::new();
        let mut cursor = matrix.first();
        loop {
            let matter: Vec<_> = cursor.values().filter(|(name, _)| *name != "country").collect();
            let known = seen
                .entry(projection.number(&cursor))
                .or_insert_with(|| matter.clone());
            assert_eq!(*known, matter);
            if !cursor.advance() {
                break;
            }
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.keys().all(|&number| number < projection.count()));
    }

    #[test]
    fn a_product_that_does_not_fit_has_no_projection() {
        let mut matrix = ContextMatrix::new();
        for field in 0..70 {
            matrix.set_text(&format!("f{field}"), "a,b");
        }
        assert_eq!(Projection::new(&matrix, |_| true), None);
        assert_eq!(Projection::new(&matrix, |_| false).map(|p| p.count()), Some(1));
    }
}
