//! Context values as the walk asks for them: by field number, in the form that is compared.

use std::cell::Cell;
use std::net::IpAddr;

use vexil_domain::Context;

use crate::fields::{FieldId, Fields};
use crate::program::address;
use crate::values::instant::Instant;
use crate::values::text_set::Hashed;
use crate::values::version::Version;
use crate::values::{Reading, number};

/// The values of one context.
pub(crate) trait View<'c> {
    /// The text of a field; an empty one is missing.
    fn text(&self, field: FieldId) -> Option<&'c str>;

    /// The text with its hash.
    fn hashed(&self, field: FieldId) -> Option<Hashed<'c>> {
        self.text(field).map(Hashed::new)
    }

    fn number(&self, field: FieldId) -> Reading<f64> {
        Reading::of(self.text(field), number::parse)
    }

    fn instant(&self, field: FieldId) -> Reading<Instant> {
        Reading::of(self.text(field), Instant::parse)
    }

    fn version(&self, field: FieldId) -> Reading<Version<'c>> {
        Reading::of(self.text(field), Version::parse)
    }

    fn address(&self, field: FieldId) -> Reading<IpAddr> {
        Reading::of(self.text(field), address)
    }
}

/// A context as it came: for one question, nothing is prepared.
pub(crate) struct Direct<'e, 'c> {
    pub(crate) context: &'c Context,
    pub(crate) fields: &'e Fields,
}

impl<'c> View<'c> for Direct<'_, 'c> {
    #[inline]
    fn text(&self, field: FieldId) -> Option<&'c str> {
        let context = self.context;
        let standard = match field.0 {
            0 => &context.user_id,
            1 => &context.session_id,
            2 => &context.remote_address,
            3 => &context.environment,
            4 => &context.app_name,
            5 => &context.current_time,
            _ => return self.property(field),
        };
        match standard {
            Some(value) if !value.is_empty() => Some(value),
            _ => self.property(field),
        }
    }
}

impl<'c> Direct<'_, 'c> {
    fn property(&self, field: FieldId) -> Option<&'c str> {
        let properties = &self.context.properties;
        if properties.is_empty() {
            return None;
        }
        properties
            .get(self.fields.name(field))
            .filter(|value| !value.is_empty())
    }
}

/// A context laid out by field number, for many questions. Numbers, dates, versions and addresses
/// are read when first asked for.
#[derive(Debug)]
pub(crate) struct Laid<'a> {
    slots: Vec<Slot<'a>>,
}

#[derive(Debug, Clone, Default)]
struct Slot<'a> {
    text: Option<&'a str>,
    tag: u32,
    number: Cell<Option<Reading<f64>>>,
    instant: Cell<Option<Reading<Instant>>>,
    version: Cell<Option<Reading<Version<'a>>>>,
    address: Cell<Option<Reading<IpAddr>>>,
}

impl<'a> Slot<'a> {
    fn set(&mut self, text: &'a str) {
        if !text.is_empty() && self.text.is_none() {
            self.text = Some(text);
            self.tag = Hashed::new(text).tag;
        }
    }

    /// What `known` holds, once it was read.
    #[inline]
    fn read<T: Copy>(
        &self,
        known: &Cell<Option<Reading<T>>>,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Reading<T> {
        known.get().unwrap_or_else(|| self.read_first(known, parse))
    }

    #[cold]
    fn read_first<T: Copy>(
        &self,
        known: &Cell<Option<Reading<T>>>,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Reading<T> {
        let reading = Reading::of(self.text, parse);
        known.set(Some(reading));
        reading
    }
}

impl<'a> Laid<'a> {
    pub(crate) fn new(context: &'a Context, fields: &Fields) -> Self {
        let mut slots = vec![Slot::default(); fields.len()];
        let standard = [
            &context.user_id,
            &context.session_id,
            &context.remote_address,
            &context.environment,
            &context.app_name,
            &context.current_time,
        ];
        for (slot, value) in slots.iter_mut().zip(standard) {
            slot.set(value.as_deref().unwrap_or_default());
        }
        for (name, value) in context.properties.iter() {
            let slot = fields.get(name).and_then(|field| slots.get_mut(field.0 as usize));
            if let Some(slot) = slot {
                slot.set(value);
            }
        }
        Self { slots }
    }

    #[inline]
    fn slot(&self, field: FieldId) -> Option<&Slot<'a>> {
        self.slots.get(field.0 as usize)
    }
}

impl<'a> View<'a> for Laid<'a> {
    #[inline]
    fn text(&self, field: FieldId) -> Option<&'a str> {
        self.slot(field)?.text
    }

    #[inline]
    fn hashed(&self, field: FieldId) -> Option<Hashed<'a>> {
        let slot = self.slot(field)?;
        Some(Hashed {
            text: slot.text?,
            tag: slot.tag,
        })
    }

    #[inline]
    fn number(&self, field: FieldId) -> Reading<f64> {
        self.slot(field)
            .map_or(Reading::Missing, |slot| slot.read(&slot.number, number::parse))
    }

    #[inline]
    fn instant(&self, field: FieldId) -> Reading<Instant> {
        self.slot(field)
            .map_or(Reading::Missing, |slot| slot.read(&slot.instant, Instant::parse))
    }

    #[inline]
    fn version(&self, field: FieldId) -> Reading<Version<'a>> {
        self.slot(field)
            .map_or(Reading::Missing, |slot| slot.read(&slot.version, Version::parse))
    }

    #[inline]
    fn address(&self, field: FieldId) -> Reading<IpAddr> {
        self.slot(field)
            .map_or(Reading::Missing, |slot| slot.read(&slot.address, address))
    }
}
