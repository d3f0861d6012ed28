//! What a context must be besides in its box: in a set of contexts, or outside of it.

use super::super::atoms::Atoms;
use super::super::boxes::AtomBox;
use super::super::probe::Sample;
use super::super::rules::Dimension;
use super::super::wanted::Wanted;
use super::Finder;

impl<const N: usize> Finder<'_, '_, '_, N> {
    /// Whether a value is one that is looked for.
    pub(super) fn fits(&self, field: &str, sample: &Sample) -> bool {
        match sample {
            Sample::Text(text) => self.fits_text(field, text),
            Sample::Unset | Sample::UnsetAt(_) => self.fits_text(field, ""),
        }
    }

    pub(super) fn fits_text(&self, field: &str, text: &str) -> bool {
        let mut known = self.fields.iter().filter(|wanted| wanted.field == field);
        known.all(|wanted| wanted.has(text) == self.inside)
    }

    /// A sample of one of these atoms; of those that are set before others.
    pub(super) fn sample<'a>(&self, field: &str, atoms: &'a Atoms<'_>, chosen: &[u32]) -> Option<&'a Sample> {
        let of = |unset: bool| {
            let own = chosen.iter().filter_map(|atom| atoms.list.get(*atom as usize));
            let own = own.filter(|atom| atom.is_unset() == unset);
            let mut samples = own.flat_map(|atom| &atom.parts).map(|(_, sample)| sample);
            samples.find(|sample| self.fits(field, sample))
        };
        of(false).or_else(|| of(true))
    }

    /// Values of the fields that the box leaves open: any is as good as none, so one that is wanted.
    pub(super) fn open(&self, place: &AtomBox) -> Vec<(String, String)> {
        let open = self
            .fields
            .iter()
            .filter(|wanted| !self.asks(place, wanted.field));
        let chosen = open.filter_map(|wanted| {
            let text = match self.inside {
                true => wanted.values.iter().find(|value| !value.is_empty()).cloned(),
                false => another(wanted),
            };
            Some((wanted.field.to_owned(), text?))
        });
        chosen.collect()
    }

    /// Whether the box says something of the value of a field.
    fn asks(&self, place: &AtomBox, field: &str) -> bool {
        place.iter().any(|(level, _)| {
            let dimension = self.walk.order.get(*level);
            let dimension = dimension.and_then(|number| self.walk.asked.rules.dimensions.get(*number));
            matches!(dimension, Some(Dimension::Field(name)) if name == field)
        })
    }
}

/// A value that is none of these; `None` where that it is unset is enough.
fn another(wanted: &Wanted<'_>) -> Option<String> {
    let mut texts = (0..).map(|number| match wanted.field {
        "currentTime" => format!("{}-01-01T00:00:00Z", 2000 + number),
        _ => format!("another-{number}"),
    });
    let is_enough = !wanted.has("");
    texts.find(|text| !wanted.has(text)).filter(|_| !is_enough)
}

#[cfg(test)]
mod tests {
    use vexil_budget::Budget;
    use vexil_values::Instant;

    use super::*;

    #[test]
    fn where_unset_is_not_enough_a_value_is_given_that_is_none_of_those_named() {
        let given = |field: &str, values: &[&str]| {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            let fields = [(field.to_owned(), values)];
            let wanted = Wanted::of(&fields, &Budget::unlimited()).unwrap();
            let found = another(&wanted[0]);
            assert_eq!(found.is_some(), wanted[0].has(""), "{fields:?}");
            assert!(
                found.as_ref().is_none_or(|text| !wanted[0].has(text)),
                "{found:?}"
            );
            assert!(
                field != "currentTime" || found.as_ref().is_none_or(|text| Instant::parse(text).is_some())
            );
            found.unwrap_or_default()
        };
        assert_eq!(given("plan", &["a", "another-0"]), "");
        assert_eq!(given("plan", &["a", ""]), "another-0");
        assert_eq!(given("plan", &["another-0", "", "another-2"]), "another-1");
        assert_eq!(given("currentTime", &["2000-01-01T00:00:00Z"]), "");
        assert_eq!(given("currentTime", &["another-0", ""]), "2000-01-01T00:00:00Z");
        assert_eq!(
            given("currentTime", &["", "2000-01-01T00:00:00Z"]),
            "2001-01-01T00:00:00Z"
        );
    }
}
