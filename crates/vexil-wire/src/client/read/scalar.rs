//! Text, numbers and booleans.

use std::borrow::Cow;

use super::{Reader, Shape};

/// A JSON number.
pub(super) type Number = serde_json::Number;

/// Text. A number or boolean is taken as its JSON text.
pub(in crate::client) struct Text(pub(in crate::client) String);

impl Shape<'_> for Text {
    const WANTED: &'static str = "text";

    fn text(_: &mut Reader, text: Cow<'_, str>) -> Option<Self> {
        Some(Self(text.into_owned()))
    }

    fn boolean(_: &mut Reader, value: bool) -> Option<Self> {
        Some(Self(value.to_string()))
    }

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        Some(Self(number.to_string()))
    }
}

/// Text that names something.
pub(in crate::client) struct Name<T>(pub(in crate::client) T);

impl<T: for<'a> From<&'a str>> Shape<'_> for Name<T> {
    const WANTED: &'static str = "text";

    fn text(_: &mut Reader, text: Cow<'_, str>) -> Option<Self> {
        Some(Self(T::from(&text)))
    }

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        Some(Self(T::from(&number.to_string())))
    }
}

/// The name of a project; equal ones are shared.
pub(super) struct Project(pub(super) vexil_domain::ProjectId);

impl Shape<'_> for Project {
    const WANTED: &'static str = "text";

    fn text(reader: &mut Reader, text: Cow<'_, str>) -> Option<Self> {
        Some(Self(reader.project(&text)))
    }
}

/// `true` or `false`.
pub(super) struct Boolean(pub(super) bool);

impl Shape<'_> for Boolean {
    const WANTED: &'static str = "true or false";

    fn boolean(_: &mut Reader, value: bool) -> Option<Self> {
        Some(Self(value))
    }
}

/// A whole number; text that spells one is taken as it.
pub(in crate::client) struct Integer(pub(in crate::client) i64);

impl Shape<'_> for Integer {
    const WANTED: &'static str = "a whole number";

    fn text(_: &mut Reader, text: Cow<'_, str>) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        let whole = |float: f64| (float.fract() == 0.0 && float.abs() < 1e15).then_some(float as i64);
        number.as_i64().or_else(|| whole(number.as_f64()?)).map(Self)
    }
}

/// A weight: not negative, without its fraction.
pub(super) struct Weight(pub(super) u32);

impl Shape<'_> for Weight {
    const WANTED: &'static str = "a number from 0 to 4294967295";

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        let float = number.as_f64()?;
        (0.0..=f64::from(u32::MAX))
            .contains(&float)
            .then_some(Self(float as u32))
    }
}
