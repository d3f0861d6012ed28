//! A context for many questions: what was looked up and read once is kept.

use std::cell::Cell;
use std::fmt;
use std::net::IpAddr;

use vexil_domain::Context;
use vexil_values::{Instant, Number, Version, parse_address};

use super::{BorrowedContext, ContextLookup, Value};
use crate::fields::{FieldId, Fields};
use crate::values::text_set::Hashed;

/// So many values are kept, each in the place that its field's number gives it; of two fields with the same
/// place the last one that was asked for. Making room for them takes no allocation, and as long whatever
/// the number of fields of an environment or of a context.
const KEPT: usize = 32;

/// A context, and the values that were asked for.
pub(crate) struct CachedContext<'a> {
    context: BorrowedContext<'a, 'a>,
    texts: [CachedText<'a>; KEPT],
    /// Apart from the texts, so that these lie close together.
    readings: [Cell<Reading<'a>>; KEPT],
}

/// The text of a field; a missing one is empty.
struct CachedText<'a> {
    /// The number of the field plus one; zero where nothing was asked for yet.
    field: Cell<u32>,
    text: Cell<Hashed<'a>>,
}

/// What a text reads as, in the form that was asked for last.
#[derive(Clone, Copy)]
enum Reading<'a> {
    Unread,
    Number(Option<Number>),
    Instant(Option<Instant>),
    Version(Option<Version<'a>>),
    Address(Option<IpAddr>),
}

/// A value that is there, and what it reads as.
#[derive(Clone, Copy)]
pub(crate) struct CachedValue<'v, 'a> {
    text: &'v Cell<Hashed<'a>>,
    reading: &'v Cell<Reading<'a>>,
}

impl<'a> CachedContext<'a> {
    #[inline]
    pub(crate) fn new(context: &'a Context, fields: &'a Fields) -> Self {
        Self {
            context: BorrowedContext { context, fields },
            texts: [const { CachedText::unknown() }; KEPT],
            readings: [const { Cell::new(Reading::Unread) }; KEPT],
        }
    }

    /// The place of a field, holding its text.
    #[inline]
    fn place(&self, field: FieldId) -> Option<&Cell<Hashed<'a>>> {
        let place = self.texts.get(field.0 as usize % KEPT)?;
        if place.field.get() != field.0 + 1 {
            self.look_up(place, field);
        }
        Some(&place.text)
    }

    #[inline(never)]
    fn look_up(&self, place: &CachedText<'a>, field: FieldId) {
        let text = self.context.text(field);
        place.field.set(field.0 + 1);
        place.text.set(text.map_or(Hashed::NOTHING, Hashed::new));
        if let Some(reading) = self.readings.get(field.0 as usize % KEPT) {
            reading.set(Reading::Unread);
        }
    }
}

impl<'a> ContextLookup<'a> for &CachedContext<'a> {
    type Value<'v>
        = CachedValue<'v, 'a>
    where
        Self: 'v;
    type Many = Self;

    #[inline]
    fn for_many(&self) -> Self {
        self
    }

    #[inline]
    fn user(&self) -> Option<&'a str> {
        self.text(FieldId::USER_ID)
    }

    #[inline]
    fn value(&self, field: FieldId) -> Option<CachedValue<'_, 'a>> {
        let text = self.place(field).filter(|place| !place.get().text().is_empty())?;
        let reading = self.readings.get(field.0 as usize % KEPT)?;
        Some(CachedValue { text, reading })
    }

    #[inline]
    fn text(&self, field: FieldId) -> Option<&'a str> {
        let text = self.place(field)?.get().text();
        (!text.is_empty()).then_some(text)
    }
}

impl fmt::Debug for CachedContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.context.context.fmt(f)
    }
}

impl CachedText<'_> {
    const fn unknown() -> Self {
        Self {
            field: Cell::new(0),
            text: Cell::new(Hashed::NOTHING),
        }
    }
}

/// The reading of the kind that is asked for: the one that is kept, or a new one.
macro_rules! reading {
    ($value:ident, $kind:ident, $parse:expr) => {
        match $value.reading.get() {
            Reading::$kind(kept) => kept,
            _ => {
                let read = $parse($value.text.get().text());
                $value.reading.set(Reading::$kind(read));
                read
            }
        }
    };
}

impl<'a> Value<'a> for CachedValue<'_, 'a> {
    #[inline]
    fn text(self) -> &'a str {
        self.text.get().text()
    }

    #[inline]
    fn hashed(self) -> Hashed<'a> {
        self.text.get()
    }

    #[inline]
    fn number(self) -> Option<Number> {
        reading!(self, Number, Number::parse)
    }

    #[inline]
    fn instant(self) -> Option<Instant> {
        reading!(self, Instant, Instant::parse)
    }

    #[inline]
    fn version(self) -> Option<Version<'a>> {
        reading!(self, Version, Version::parse)
    }

    #[inline]
    fn address(self) -> Option<IpAddr> {
        reading!(self, Address, parse_address)
    }
}
