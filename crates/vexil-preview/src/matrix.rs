//! Context fields with the values to try, and the walk over their combinations.

use std::collections::HashMap;

use vexil_domain::Context;

/// A context field and the values to try for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixField {
    /// The field: a standard field such as `userId`, or a property.
    pub name: String,
    /// The values, in order, duplicates and empty ones included. Never empty.
    pub values: Vec<String>,
}

/// Context fields with the values to try. The combinations are those of an odometer: the last field
/// turns fastest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextMatrix {
    fields: Vec<MatrixField>,
    places: HashMap<String, usize>,
}

impl ContextMatrix {
    /// A matrix of one combination, without any field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the values of a field from comma-separated text. Nothing is trimmed; empty parts and
    /// duplicates are kept. A field that was set before keeps its place and gets the new values.
    pub fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, text.split(',').map(str::to_owned).collect());
    }

    /// Sets the values of a field. A field that was set before keeps its place and gets the new
    /// values; without values, the field is left out.
    pub fn set(&mut self, name: &str, values: Vec<String>) {
        let known = self.places.get(name).copied();
        match (known, values.is_empty()) {
            (Some(place), true) => self.remove(place),
            (None, true) => {}
            (Some(place), false) => {
                if let Some(field) = self.fields.get_mut(place) {
                    field.values = values;
                }
            }
            (None, false) => {
                self.places.insert(name.to_owned(), self.fields.len());
                self.fields.push(MatrixField {
                    name: name.to_owned(),
                    values,
                });
            }
        }
    }

    fn remove(&mut self, place: usize) {
        let gone = self.fields.remove(place);
        self.places.remove(&gone.name);
        for behind in self.places.values_mut().filter(|known| **known > place) {
            *behind -= 1;
        }
    }

    /// A field by name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&MatrixField> {
        self.fields.get(*self.places.get(name)?)
    }

    /// Whether the field was set.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// The fields, slowest first.
    #[must_use]
    pub fn fields(&self) -> &[MatrixField] {
        &self.fields
    }

    /// How many combinations there are; `u128::MAX` stands for that many or more.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.fields.iter().fold(1, |product: u128, field| {
            product.saturating_mul(field.values.len() as u128)
        })
    }

    /// A cursor at the combination of this number, where the first is 0; `None` when there are not so many.
    #[must_use]
    pub fn at(&self, combination: u128) -> Option<Cursor<'_>> {
        let mut rest = combination;
        let mut digits = vec![0; self.fields.len()];
        for (digit, field) in digits.iter_mut().zip(&self.fields).rev() {
            let values = field.values.len() as u128;
            *digit = usize::try_from(rest % values).ok()?;
            rest /= values;
        }
        (rest == 0).then_some(Cursor { matrix: self, digits })
    }

    /// A cursor at the first combination.
    #[must_use]
    pub fn first(&self) -> Cursor<'_> {
        Cursor {
            matrix: self,
            digits: vec![0; self.fields.len()],
        }
    }
}

/// One combination, and the way to the next.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    matrix: &'a ContextMatrix,
    digits: Vec<usize>,
}

impl<'a> Cursor<'a> {
    /// Moves to the next combination. At the last one it goes back to the first and answers `false`.
    pub fn advance(&mut self) -> bool {
        for (digit, field) in self.digits.iter_mut().zip(&self.matrix.fields).rev() {
            *digit += 1;
            if *digit < field.values.len() {
                return true;
            }
            *digit = 0;
        }
        false
    }

    /// The fields of this combination with their values, in order.
    pub fn values(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.matrix
            .fields
            .iter()
            .zip(&self.digits)
            .filter_map(|(field, &digit)| {
                field
                    .values
                    .get(digit)
                    .map(|value| (field.name.as_str(), value.as_str()))
            })
    }

    /// Which value of each field this combination takes, in the order of the fields.
    #[must_use]
    pub fn digits(&self) -> &[usize] {
        &self.digits
    }

    /// The number of this combination, where the first is 0; `u128::MAX` stands for that or more.
    #[must_use]
    pub fn combination(&self) -> u128 {
        let places = self.digits.iter().zip(&self.matrix.fields);
        places.fold(0, |number: u128, (&digit, field)| {
            number
                .saturating_mul(field.values.len() as u128)
                .saturating_add(digit as u128)
        })
    }

    /// The combination as a context. `environment` stands in where the combination says none.
    #[must_use]
    pub fn context(&self, environment: &str) -> Context {
        let mut context = Context::default();
        for (name, value) in self.values() {
            context.set(name, value);
        }
        if context.environment.as_deref().unwrap_or_default().is_empty() {
            context.environment = Some(environment.to_owned());
        }
        context
    }
}

#[cfg(test)]
mod tests;
