//! What constraints compare a field with.

use time::OffsetDateTime;
use vexil_domain::Constraint;
use vexil_values::{Comparison, Network, Pattern, TextPlace, Version};

use super::{numbers, texts};

/// What the constraints of one field compare it with, by kind.
pub(super) struct Compared<'a> {
    pub(super) members: Vec<&'a str>,
    pub(super) needles: texts::Needles<'a>,
    pub(super) numbers: Vec<f64>,
    pub(super) moments: Vec<OffsetDateTime>,
    pub(super) versions: Vec<Version<'a>>,
    pub(super) networks: Vec<Network>,
    pub(super) patterns: Vec<Pattern>,
}

impl<'a> Compared<'a> {
    pub(super) fn new(constraints: &'a [Constraint]) -> Self {
        let mut all = Self {
            members: Vec::new(),
            needles: texts::Needles::default(),
            numbers: Vec::new(),
            moments: Vec::new(),
            versions: Vec::new(),
            networks: Vec::new(),
            patterns: Vec::new(),
        };
        for constraint in constraints {
            all.read(constraint);
        }
        numbers::sort(&mut all.numbers);
        all.moments.sort_unstable();
        all.moments.dedup();
        all.versions.sort_unstable();
        all
    }

    /// A constraint that cannot be understood never holds, so nothing is worth trying for it.
    fn read(&mut self, constraint: &'a Constraint) {
        let Some(comparison) = vexil_values::read(constraint, |_| {}) else {
            return;
        };
        match comparison {
            Comparison::OneOf(entries) | Comparison::NoneOf(entries) => self.members.extend(entries),
            Comparison::Text { place, needles, .. } => match place {
                TextPlace::Start => self.needles.starts.extend(needles),
                TextPlace::End => self.needles.ends.extend(needles),
                TextPlace::Anywhere => self.needles.contains.extend(needles),
            },
            Comparison::Number(_, number) => self.numbers.push(number.get()),
            Comparison::Date(_, moment) => self.moments.extend(OffsetDateTime::try_from(moment)),
            Comparison::Version(_, version) => self.versions.push(version),
            Comparison::Pattern(pattern) => self.patterns.push(pattern),
            Comparison::Within(networks) => self.networks.extend(networks),
        }
    }
}
