//! The dimensions of rules, each once.

use vexil_domain::StrategyId;

use super::{Dimension, Purpose, Rules};

impl Rules<'_> {
    pub(super) fn field(&mut self, name: &str) -> usize {
        let known = self
            .dimensions
            .iter()
            .position(|known| matches!(known, Dimension::Field(field) if field == name));
        known.unwrap_or_else(|| self.add_dimension(Dimension::Field(name.to_owned())))
    }

    pub(super) fn dimension(&mut self, dimension: Dimension) -> usize {
        let known = self.dimensions.iter().position(|known| *known == dimension);
        known.unwrap_or_else(|| self.add_dimension(dimension))
    }

    fn add_dimension(&mut self, dimension: Dimension) -> usize {
        self.dimensions.push(dimension);
        self.by_dimension.push(Vec::new());
        self.dimensions.len() - 1
    }

    /// The hash of a field with a group; without a field what is drawn for the group, for this strategy if any.
    pub(super) fn drawn(
        &mut self,
        field: Option<&str>,
        group: &str,
        purpose: Purpose,
        strategy: Option<&StrategyId>,
    ) -> usize {
        let is_it = |known: &Dimension| match (known, field) {
            (
                Dimension::Hash {
                    field: own,
                    group: its,
                    purpose: known,
                },
                Some(field),
            ) => own == field && its == group && *known == purpose,
            (
                Dimension::Chance {
                    strategy: own,
                    group: its,
                },
                None,
            ) => own.as_ref() == strategy && its == group,
            _ => false,
        };
        let known = self.dimensions.iter().position(is_it);
        let group = || group.to_owned();
        known.unwrap_or_else(|| match field {
            Some(field) => self.add_dimension(Dimension::Hash {
                field: field.to_owned(),
                group: group(),
                purpose,
            }),
            None => self.add_dimension(Dimension::Chance {
                strategy: strategy.cloned(),
                group: group(),
            }),
        })
    }
}
