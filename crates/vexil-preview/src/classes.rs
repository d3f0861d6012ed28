//! The values of a field, put together where a flag cannot tell them apart.

use std::collections::HashMap;

use vexil_engine::Ambient;

use crate::matrix::MatrixField;
use crate::probe::{Probes, Signature};

/// A distinct value of a field.
#[derive(Debug, Clone)]
pub(crate) struct Distinct<'a> {
    pub(crate) value: &'a str,
    /// Where it stands first among the field's values.
    pub(crate) digit: usize,
    /// How often it stands there.
    pub(crate) times: u128,
}

/// Values that a flag cannot tell apart. Never empty.
#[derive(Debug, Clone, Default)]
pub(crate) struct Class {
    /// By their place among the distinct values.
    pub(crate) members: Vec<usize>,
    /// How many of the field's values there are in it, duplicates counted.
    pub(crate) times: u128,
}

/// The distinct values of a field, in order of appearance.
pub(crate) fn distinct(field: &MatrixField) -> Vec<Distinct<'_>> {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(field.values.len());
    let mut all: Vec<Distinct<'_>> = Vec::new();
    for (digit, value) in field.values.iter().enumerate() {
        let place = *places.entry(value).or_insert(all.len());
        match all.get_mut(place) {
            Some(known) => known.times += 1,
            None => all.push(Distinct {
                value,
                digit,
                times: 1,
            }),
        }
    }
    all
}

/// A class for each distinct value.
pub(crate) fn singletons(values: &[Distinct<'_>]) -> Vec<Class> {
    let class = |(place, value): (usize, &Distinct<'_>)| Class {
        members: vec![place],
        times: value.times,
    };
    values.iter().enumerate().map(class).collect()
}

/// The distinct values put together by what the probes say of them. `read` tells how a value of the
/// matrix reaches the flag.
pub(crate) fn classes<'a>(
    field: &str,
    values: &[Distinct<'a>],
    probes: &Probes,
    ambient: &Ambient<'_>,
    read: impl Fn(&'a str) -> &'a str,
) -> Vec<Class> {
    let mut known: HashMap<Signature, usize> = HashMap::new();
    let mut classes: Vec<Class> = Vec::new();
    for (place, value) in values.iter().enumerate() {
        let signature = probes.signature(field, read(value.value), ambient);
        let number = *known.entry(signature).or_insert(classes.len());
        if number == classes.len() {
            classes.push(Class::default());
        }
        if let Some(class) = classes.get_mut(number) {
            class.members.push(place);
            class.times += value.times;
        }
    }
    classes
}

/// The value that reaches a flag: the environment stands in where the context says none.
pub(crate) fn effective<'v>(field: &str, value: &'v str, environment: &'v str) -> &'v str {
    if field == "environment" && value.is_empty() {
        environment
    } else {
        value
    }
}
