//! Constraints. One that cannot be understood becomes one that never holds.

use std::borrow::Cow;

use serde_core::de::MapAccess;
use vexil_domain::{Constraint, Operator};

use super::raw::{RawConstraint, Text};
use super::reader::{Key, LenientDeserialize, List, Reader, members, skip};
use super::scalar::{Boolean, texts};

impl<'de> LenientDeserialize<'de> for RawConstraint<'de> {
    const WANTED: &'static str = "a constraint";

    fn fallback(_: &Reader) -> Option<Self> {
        Some(never())
    }

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let before = reader.problems.len();
        let (mut field, mut operator, mut value): (Option<Text>, Option<Text>, Option<Text>) =
            (None, None, None);
        let mut values: Option<List<Text>> = None;
        let (mut inverted, mut case_insensitive): (Option<Boolean>, Option<Boolean>) = (None, None);
        members!(reader, map, {
            "contextName" => field,
            "operator" => operator,
            "values" => values,
            "value" => value,
            "inverted" => inverted,
            "caseInsensitive" => case_insensitive,
        });
        let (Some(field), Some(operator), true) = (field, operator, reader.problems.len() == before) else {
            if reader.problems.len() == before {
                reader.note("must have `contextName` and `operator`");
            }
            return Ok(None);
        };
        Ok(Some(Self {
            field: field.0,
            operator: Operator::from_name(&operator.0),
            values: values.map(|list| list.0).unwrap_or_default(),
            value: value.map(|text| text.0),
            inverted: inverted.map(|flag| flag.0),
            case_insensitive: case_insensitive.map(|flag| flag.0),
        }))
    }
}

impl RawConstraint<'_> {
    pub(super) fn is_inverted(&self) -> bool {
        self.inverted == Some(true)
    }

    pub(super) fn is_case_insensitive(&self) -> bool {
        self.case_insensitive == Some(true)
    }
}

impl From<RawConstraint<'_>> for Constraint {
    fn from(raw: RawConstraint<'_>) -> Self {
        Self {
            context_name: raw.field.into_owned(),
            operator: raw.operator,
            values: texts(raw.values),
            value: raw.value.map(Cow::into_owned),
            inverted: raw.inverted,
            case_insensitive: raw.case_insensitive,
        }
    }
}

/// A constraint that never holds, for what could not be read.
pub(super) fn never<'de>() -> RawConstraint<'de> {
    RawConstraint {
        field: Cow::Borrowed(""),
        operator: Operator::Unknown("unreadable".into()),
        values: Vec::new(),
        value: None,
        inverted: None,
        case_insensitive: None,
    }
}
