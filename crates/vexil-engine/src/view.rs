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
            _ => &None,
        };
        match standard {
            Some(value) if !value.is_empty() => Some(value),
            _ if context.properties.is_empty() => None,
            _ => context
                .properties
                .get(self.fields.name(field))
                .filter(|value| !value.is_empty()),
        }
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
    tag: Cell<Option<u32>>,
    read: Cell<Read<'a>>,
}

/// What was read last.
#[derive(Debug, Clone, Copy, Default)]
enum Read<'a> {
    #[default]
    Nothing,
    Number(Reading<f64>),
    Instant(Reading<Instant>),
    Version(Reading<Version<'a>>),
    Address(Reading<IpAddr>),
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
            slot.text = value.as_deref().filter(|value| !value.is_empty());
        }
        for (name, value) in context.properties.iter().filter(|(_, value)| !value.is_empty()) {
            let slot = fields.get(name).and_then(|field| slots.get_mut(field.0 as usize));
            if let Some(slot) = slot {
                slot.text = slot.text.or(Some(value));
            }
        }
        Self { slots }
    }
}

macro_rules! read {
    ($self:ident, $field:ident, $kind:ident, $parse:expr) => {{
        let Some(slot) = $self.slots.get($field.0 as usize) else {
            return Reading::Missing;
        };
        if let Read::$kind(known) = slot.read.get() {
            return known;
        }
        let reading = Reading::of(slot.text, $parse);
        slot.read.set(Read::$kind(reading));
        reading
    }};
}

impl<'a> View<'a> for Laid<'a> {
    #[inline]
    fn text(&self, field: FieldId) -> Option<&'a str> {
        self.slots.get(field.0 as usize)?.text
    }

    #[inline]
    fn hashed(&self, field: FieldId) -> Option<Hashed<'a>> {
        let slot = self.slots.get(field.0 as usize)?;
        let text = slot.text?;
        if let Some(tag) = slot.tag.get() {
            return Some(Hashed { text, tag });
        }
        let hashed = Hashed::new(text);
        slot.tag.set(Some(hashed.tag));
        Some(hashed)
    }

    #[inline]
    fn number(&self, field: FieldId) -> Reading<f64> {
        read!(self, field, Number, number::parse)
    }

    #[inline]
    fn instant(&self, field: FieldId) -> Reading<Instant> {
        read!(self, field, Instant, Instant::parse)
    }

    #[inline]
    fn version(&self, field: FieldId) -> Reading<Version<'a>> {
        read!(self, field, Version, Version::parse)
    }

    #[inline]
    fn address(&self, field: FieldId) -> Reading<IpAddr> {
        read!(self, field, Address, address)
    }
}
