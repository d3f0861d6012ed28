//! A context as it came: for one question, nothing is prepared.

use std::net::IpAddr;

use vexil_domain::Context;
use vexil_values::{Instant, Number, Version, parse_address};

use super::{ContextLookup, Remembering, Value};
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

    #[inline]
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
