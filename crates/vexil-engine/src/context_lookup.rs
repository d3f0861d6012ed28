//! Context values as the evaluator asks for them: by field number, in the form that is compared.

use std::cell::Cell;
use std::net::IpAddr;

use vexil_domain::Context;
use vexil_values::{Instant, Number, Version, parse_address};

use crate::fields::{FieldId, Fields};
use crate::values::text_set::Hashed;

/// The values of one context.
pub(crate) trait ContextLookup<'c> {
    /// A value as it is at hand.
    type Value<'v>: Value<'c>
    where
        Self: 'v;

    /// The value of a field; an empty one is missing.
    fn value(&self, field: FieldId) -> Option<Self::Value<'_>>;

    /// Its text.
    #[inline]
    fn text(&self, field: FieldId) -> Option<&'c str> {
        self.value(field).map(Value::text)
    }
}

/// A value, in each form that is compared; `None` where it has no such form.
pub(crate) trait Value<'c>: Copy {
    fn text(self) -> &'c str;
    fn hashed(self) -> Hashed<'c>;
    fn number(self) -> Option<Number>;
    fn instant(self) -> Option<Instant>;
    fn version(self) -> Option<Version<'c>>;
    fn address(self) -> Option<IpAddr>;
}

/// A context as it came: for one question, nothing is prepared.
pub(crate) struct BorrowedContext<'e, 'c> {
    pub(crate) context: &'c Context,
    pub(crate) fields: &'e Fields,
}

impl<'c> ContextLookup<'c> for BorrowedContext<'_, 'c> {
    type Value<'v>
        = &'c str
    where
        Self: 'v;

    #[inline]
    fn value(&self, field: FieldId) -> Option<&'c str> {
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
        let properties = &self.context.properties;
        if properties.is_empty() {
            return None;
        }
        let key = self.fields.key(field)?;
        properties
            .get_by_key(key, || self.fields.name(field))
            .filter(|value| !value.is_empty())
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

/// A context laid out by field number, for many questions. Numbers, dates, versions and addresses
/// are read when first asked for.
#[derive(Debug)]
pub(crate) struct IndexedContext<'a> {
    values: Vec<CachedValue<'a>>,
}

/// The value of a field; one without a text is missing.
#[derive(Debug, Clone, Default)]
pub(crate) struct CachedValue<'a> {
    text: &'a str,
    tag: u32,
    number: Known<Number>,
    instant: Known<Instant>,
    version: Known<Version<'a>>,
    address: Known<IpAddr>,
}

/// What a text reads as, once it was read.
type Known<T> = Cell<Option<Option<T>>>;

impl<'a> CachedValue<'a> {
    fn set(&mut self, text: &'a str) {
        if self.text.is_empty() {
            self.text = text;
            self.tag = Hashed::new(text).tag;
        }
    }

    #[inline]
    fn read<T: Copy>(&self, known: &Known<T>, parse: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        known.get().unwrap_or_else(|| self.read_first(known, parse))
    }

    #[cold]
    fn read_first<T: Copy>(&self, known: &Known<T>, parse: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let reading = parse(self.text);
        known.set(Some(reading));
        reading
    }
}

impl<'a> IndexedContext<'a> {
    pub(crate) fn new(context: &'a Context, fields: &Fields) -> Self {
        let mut values = vec![CachedValue::default(); fields.len()];
        let standard = [
            &context.user_id,
            &context.session_id,
            &context.remote_address,
            &context.environment,
            &context.app_name,
            &context.current_time,
        ];
        for (known, value) in values.iter_mut().zip(standard) {
            known.set(value.as_deref().unwrap_or_default());
        }
        for (name, value) in context.properties.iter() {
            let known = fields
                .get(name)
                .and_then(|field| values.get_mut(field.0 as usize));
            if let Some(known) = known {
                known.set(value);
            }
        }
        Self { values }
    }
}

impl<'a> ContextLookup<'a> for IndexedContext<'a> {
    type Value<'v>
        = &'v CachedValue<'a>
    where
        Self: 'v;

    #[inline]
    fn value(&self, field: FieldId) -> Option<&CachedValue<'a>> {
        self.values
            .get(field.0 as usize)
            .filter(|value| !value.text.is_empty())
    }
}

impl<'a> Value<'a> for &CachedValue<'a> {
    #[inline]
    fn text(self) -> &'a str {
        self.text
    }

    #[inline]
    fn hashed(self) -> Hashed<'a> {
        Hashed {
            text: self.text,
            tag: self.tag,
        }
    }

    #[inline]
    fn number(self) -> Option<Number> {
        self.read(&self.number, Number::parse)
    }

    #[inline]
    fn instant(self) -> Option<Instant> {
        self.read(&self.instant, Instant::parse)
    }

    #[inline]
    fn version(self) -> Option<Version<'a>> {
        self.read(&self.version, Version::parse)
    }

    #[inline]
    fn address(self) -> Option<IpAddr> {
        self.read(&self.address, parse_address)
    }
}
