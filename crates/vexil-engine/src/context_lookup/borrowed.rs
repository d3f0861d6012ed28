//! A context as it came: for one question, nothing is prepared. A flag with several strategies often asks for one field again,
//! which is then looked up once.

use std::cell::Cell;
use std::net::IpAddr;

use vexil_domain::Context;
use vexil_values::{Instant, Number, Version, parse_address};

use super::{ContextLookup, Value};
use crate::fields::{FieldId, Fields};
use crate::values::text_set::Hashed;

/// A context as it came.
#[derive(Clone, Copy)]
pub(crate) struct BorrowedContext<'e, 'c> {
    pub(crate) context: &'c Context,
    pub(crate) fields: &'e Fields,
}

impl<'e, 'c> ContextLookup<'c> for BorrowedContext<'e, 'c> {
    type Value<'v>
        = &'c str
    where
        Self: 'v;
    type Many = Remembering<'e, 'c>;

    #[inline]
    fn for_many(&self) -> Remembering<'e, 'c> {
        Remembering::new(*self)
    }

    #[inline]
    fn user(&self) -> Option<&'c str> {
        self.context.user_id.as_deref().filter(|user| !user.is_empty())
    }

    #[inline]
    fn value(&self, field: FieldId) -> Option<&'c str> {
        self.text(field)
    }

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

impl<'c> BorrowedContext<'_, 'c> {
    #[inline]
    fn property(&self, field: FieldId) -> Option<&'c str> {
        let field = self.fields.field(field);
        let value = self.context.properties.get_by(&field.name, field.tag);
        value.filter(|value| !value.is_empty())
    }
}

impl<'c> Value<'c> for &'c str {
    #[inline]
    fn text(self) -> &'c str {
        self
    }

    #[inline(always)]
    fn hashed(self) -> Hashed<'c> {
        Hashed::new(self)
    }

    #[inline]
    fn number(self) -> Option<Number> {
        Number::parse(self)
    }

    #[inline]
    fn instant(self) -> Option<Instant> {
        Instant::parse(self)
    }

    #[inline]
    fn version(self) -> Option<Version<'c>> {
        Version::parse(self)
    }

    fn address(self) -> Option<IpAddr> {
        parse_address(self)
    }
}

/// A context, and the value that was asked for last.
pub(crate) struct Remembering<'e, 'c> {
    context: BorrowedContext<'e, 'c>,
    /// The number of the field that was asked for last.
    field: Cell<u32>,
    text: Cell<Option<&'c str>>,
    slot: KeptSlot,
}

/// The slot of the text in sets, once one was asked; zero until then.
#[derive(Default)]
struct KeptSlot([Cell<u64>; 2]);

/// A value that is there.
#[derive(Clone, Copy)]
pub(crate) struct Remembered<'v, 'c> {
    text: &'c str,
    slot: &'v KeptSlot,
}

impl<'e, 'c> Remembering<'e, 'c> {
    #[inline]
    pub(super) fn new(context: BorrowedContext<'e, 'c>) -> Self {
        Self {
            context,
            field: Cell::new(u32::MAX),
            text: Cell::new(None),
            slot: KeptSlot::default(),
        }
    }

    #[inline(never)]
    fn look_up(&self, field: FieldId) {
        self.field.set(field.0);
        self.text.set(self.context.text(field));
        self.slot.0[1].set(0);
    }
}

impl<'e, 'c> ContextLookup<'c> for Remembering<'e, 'c> {
    type Value<'v>
        = Remembered<'v, 'c>
    where
        Self: 'v;
    type Many = Self;

    fn for_many(&self) -> Self {
        Self::new(self.context)
    }

    #[inline]
    fn user(&self) -> Option<&'c str> {
        self.context.user()
    }

    #[inline]
    fn value(&self, field: FieldId) -> Option<Remembered<'_, 'c>> {
        if self.field.get() != field.0 {
            self.look_up(field);
        }
        let text = self.text.get()?;
        Some(Remembered {
            text,
            slot: &self.slot,
        })
    }

    #[inline]
    fn text(&self, field: FieldId) -> Option<&'c str> {
        self.context.text(field)
    }
}

impl<'c> Value<'c> for Remembered<'_, 'c> {
    #[inline]
    fn text(self) -> &'c str {
        self.text
    }

    #[inline(always)]
    fn hashed(self) -> Hashed<'c> {
        let [lower, upper] = &self.slot.0;
        // no text has a slot whose upper half is zero
        if upper.get() == 0 {
            let [first, second] = Hashed::new(self.text).slot();
            lower.set(first);
            upper.set(second);
        }
        Hashed::again(self.text, [lower.get(), upper.get()])
    }

    #[inline]
    fn number(self) -> Option<Number> {
        self.text.number()
    }

    #[inline]
    fn instant(self) -> Option<Instant> {
        self.text.instant()
    }

    #[inline]
    fn version(self) -> Option<Version<'c>> {
        self.text.version()
    }

    fn address(self) -> Option<IpAddr> {
        self.text.address()
    }
}
