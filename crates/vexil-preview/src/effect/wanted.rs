//! The values that guards name.

use std::collections::HashSet;

use vexil_budget::{Budget, Exhausted};

/// So many texts are looked up for a unit of work.
pub(crate) const LOOKED_UP_BY_UNIT: u64 = 8;

/// A field of a guard, with its values to look texts up in.
#[derive(Debug)]
pub(crate) struct Wanted<'g> {
    pub(crate) field: &'g str,
    pub(crate) values: &'g [String],
    known: HashSet<&'g str>,
}

impl<'g> Wanted<'g> {
    pub(crate) fn of(fields: &'g [(String, Vec<String>)], budget: &Budget) -> Result<Vec<Self>, Exhausted> {
        let count: usize = fields.iter().map(|(_, values)| 1 + values.len()).sum();
        budget.spend(count as u64 / LOOKED_UP_BY_UNIT)?;
        let fields = fields.iter().map(|(field, values)| Self {
            field,
            values,
            known: values.iter().map(String::as_str).collect(),
        });
        Ok(fields.collect())
    }

    /// Whether this is one of the values; the empty text stands for none.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.known.contains(text)
    }
}
