//! The ids of strategies that have none in the document.

use vexil_domain::StrategyId;

/// The ids of strategies without one, made once.
#[derive(Debug)]
pub(super) struct PlaceIds {
    pub(super) none: StrategyId,
    places: Vec<StrategyId>,
}

impl Default for PlaceIds {
    fn default() -> Self {
        Self {
            none: "".into(),
            places: Vec::new(),
        }
    }
}

impl PlaceIds {
    pub(super) fn of_place(&mut self, place: usize) -> StrategyId {
        while self.places.len() <= place {
            self.places.push(self.places.len().to_string().into());
        }
        self.places.get(place).unwrap_or(&self.none).clone()
    }
}
