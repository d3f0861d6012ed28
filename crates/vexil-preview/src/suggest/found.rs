//! Candidates that were found, each once.

use std::collections::HashSet;

use vexil_budget::{Budget, Exhausted};

/// Texts in order, each once.
pub(super) struct Candidates<'b> {
    pub(super) list: Vec<String>,
    known: HashSet<String>,
    budget: &'b Budget,
}

impl<'b> Candidates<'b> {
    pub(super) fn new(budget: &'b Budget) -> Self {
        Self {
            list: Vec::new(),
            known: HashSet::new(),
            budget,
        }
    }

    /// Adds a text, at a unit for each sixteen letters.
    pub(super) fn add(&mut self, value: impl Into<String>) -> Result<(), Exhausted> {
        let value = value.into();
        self.budget.spend(1 + value.len() as u64 / 16)?;
        if self.known.insert(value.clone()) {
            self.list.push(value);
        }
        Ok(())
    }

    /// Pays for work on the way to a text.
    pub(super) fn pay(&self, units: usize) -> Result<(), Exhausted> {
        self.budget.spend(units as u64)
    }

    pub(super) fn finish(self) -> Vec<String> {
        self.list
    }
}
