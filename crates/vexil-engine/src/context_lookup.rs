//! Context values as the evaluator asks for them: by field number, in the form that is compared.

mod borrowed;
mod cached;

use std::net::IpAddr;

use vexil_values::{Instant, Number, Version};

use crate::fields::FieldId;
use crate::values::text_set::Hashed;

pub(crate) use borrowed::BorrowedContext;
pub(crate) use cached::CachedContext;

/// The values of one context.
pub(crate) trait ContextLookup<'c> {
    /// A value as it is at hand.
    type Value<'v>: Value<'c>
    where
        Self: 'v;

    /// The same context, for a flag that may ask for one field again and again.
    type Many: ContextLookup<'c>;

    /// The same context, for a flag that may ask for one field again and again.
    fn for_many(&self) -> Self::Many;

    /// What nearly always tells users from each other: the standard field `userId`, if it lies ready.
    fn user(&self) -> Option<&'c str>;

    /// The value of a field; an empty one is missing.
    fn value(&self, field: FieldId) -> Option<Self::Value<'_>>;

    /// Its text.
    fn text(&self, field: FieldId) -> Option<&'c str>;
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
