//! Context fields, each known by a number.

use std::sync::Arc;

use vexil_domain::Properties;

use crate::values::hash::hash;

/// A context field by number: the six standard ones, then every other that some flag reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FieldId(pub(crate) u32);

impl FieldId {
    pub(crate) const USER_ID: Self = Self(0);
    pub(crate) const SESSION_ID: Self = Self(1);
    pub(crate) const REMOTE_ADDRESS: Self = Self(2);
    pub(crate) const CURRENT_TIME: Self = Self(5);
}

/// The standard fields in the order of their numbers.
pub(crate) const STANDARD: [&str; 6] = [
    "userId",
    "sessionId",
    "remoteAddress",
    "environment",
    "appName",
    "currentTime",
];

/// The names of the fields. Numbers are never given again.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    all: Vec<Field>,
    /// Stands in for a number that was never given.
    unknown: Field,
    /// Numbers plus one by hash, with linear probing; zero is free.
    slots: Vec<u32>,
}

/// A field.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: Arc<str>,
    /// What finds the name among properties.
    pub(crate) tag: u64,
}

impl Field {
    fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            tag: Properties::tag(name),
        }
    }
}

impl Default for Fields {
    fn default() -> Self {
        let mut fields = Self {
            all: Vec::new(),
            unknown: Field::new(""),
            slots: vec![0; 32],
        };
        for name in STANDARD {
            fields.intern(name);
        }
        fields
    }
}

impl Fields {
    /// The number of a field, if any flag reads it.
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<FieldId> {
        let mask = self.slots.len() - 1;
        let mut place = hash(name.as_bytes()) as usize & mask;
        loop {
            let number = self.slots.get(place)?.checked_sub(1)?;
            if self
                .all
                .get(number as usize)
                .is_some_and(|known| *known.name == *name)
            {
                return Some(FieldId(number));
            }
            place = (place + 1) & mask;
        }
    }

    /// The number of a field, a new one if it has none yet.
    pub(crate) fn intern(&mut self, name: &str) -> FieldId {
        if let Some(known) = self.get(name) {
            return known;
        }
        self.all.push(Field::new(name));
        if self.all.len() * 2 > self.slots.len() {
            self.slots = vec![0; self.slots.len() * 2];
            for number in 1..=self.all.len() {
                self.enter(number as u32);
            }
        } else {
            self.enter(self.all.len() as u32);
        }
        FieldId(self.all.len() as u32 - 1)
    }

    fn enter(&mut self, number_plus_one: u32) {
        let Some(Field { name, .. }) = self.all.get(number_plus_one as usize - 1) else {
            return;
        };
        let mask = self.slots.len() - 1;
        let mut place = hash(name.as_bytes()) as usize & mask;
        while let Some(slot) = self.slots.get_mut(place) {
            if *slot == 0 {
                *slot = number_plus_one;
                return;
            }
            place = (place + 1) & mask;
        }
    }

    /// A field by its number.
    #[inline]
    pub(crate) fn field(&self, field: FieldId) -> &Field {
        self.all.get(field.0 as usize).unwrap_or(&self.unknown)
    }

    /// The name of a field.
    pub(crate) fn name(&self, field: FieldId) -> &Arc<str> {
        &self.field(field).name
    }

    /// The names of all fields, in the order of their numbers.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.all.iter().map(|field| &*field.name)
    }
}
