//! Text, numbers and booleans.

use std::borrow::Cow;

use super::raw::Text;
use super::reader::{LenientDeserialize, Number, Reader};
use crate::number_text::number_text;

impl<'de> LenientDeserialize<'de> for Text<'de> {
    const WANTED: &'static str = "text";

    fn text(_: &mut Reader, text: Cow<'de, str>) -> Option<Self> {
        Some(Self(text))
    }

    fn boolean(_: &mut Reader, value: bool) -> Option<Self> {
        Some(Self(Cow::Borrowed(if value { "true" } else { "false" })))
    }

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        Some(Self(Cow::Owned(number_text(&number))))
    }
}

/// Texts, to keep.
pub(super) fn texts(list: Vec<Text>) -> Vec<String> {
    list.into_iter().map(|text| text.0.into_owned()).collect()
}

/// Text that names something.
pub(crate) struct Name<T>(pub(crate) T);

impl<'de, T: for<'a> From<&'a str>> LenientDeserialize<'de> for Name<T> {
    const WANTED: &'static str = "text";

    fn text(_: &mut Reader, text: Cow<'de, str>) -> Option<Self> {
        Some(Self(T::from(&text)))
    }

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        Some(Self(T::from(&number_text(&number))))
    }
}

/// The name of a project; equal ones are shared.
pub(super) struct Project(pub(super) vexil_domain::ProjectId);

impl<'de> LenientDeserialize<'de> for Project {
    const WANTED: &'static str = "text";

    fn text(reader: &mut Reader, text: Cow<'de, str>) -> Option<Self> {
        Some(Self(reader.project(&text)))
    }
}

/// `true` or `false`.
pub(super) struct Boolean(pub(super) bool);

impl<'de> LenientDeserialize<'de> for Boolean {
    const WANTED: &'static str = "true or false";

    fn boolean(_: &mut Reader, value: bool) -> Option<Self> {
        Some(Self(value))
    }
}

/// A whole number; text that spells one is taken as it.
pub(crate) struct Integer(pub(crate) i64);

impl<'de> LenientDeserialize<'de> for Integer {
    const WANTED: &'static str = "a whole number";

    fn text(_: &mut Reader, text: Cow<'de, str>) -> Option<Self> {
        text.parse::<i64>().ok().map(Self)
    }

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        let whole = |float: f64| (float.fract() == 0.0 && float.abs() < 1e15).then_some(float as i64);
        number.as_i64().or_else(|| whole(number.as_f64()?)).map(Self)
    }
}

/// A weight: not negative, without its fraction.
pub(super) struct Weight(pub(super) u32);

impl<'de> LenientDeserialize<'de> for Weight {
    const WANTED: &'static str = "a number from 0 to 4294967295";

    fn number(_: &mut Reader, number: Number) -> Option<Self> {
        let float = number.as_f64()?;
        (0.0..=f64::from(u32::MAX))
            .contains(&float)
            .then_some(Self(float as u32))
    }
}
