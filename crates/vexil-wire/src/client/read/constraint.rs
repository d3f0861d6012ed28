//! Constraints. One that cannot be understood becomes one that never holds.

use serde::de::MapAccess;
use vexil_domain::{Constraint, Operator};

use super::scalar::{Boolean, Text, texts};
use super::{Key, List, Reader, Shape, members, skip};

/// A constraint.
pub(super) struct ConstraintShape(pub(super) Constraint);

impl<'de> Shape<'de> for ConstraintShape {
    const WANTED: &'static str = "a constraint";

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
        Ok(Some(Self(Constraint {
            context_name: field.0.into_owned(),
            operator: Operator::from_name(&operator.0),
            values: values.map(texts).unwrap_or_default(),
            value: value.map(|text| text.0.into_owned()),
            inverted: inverted.map(|flag| flag.0),
            case_insensitive: case_insensitive.map(|flag| flag.0),
        })))
    }
}

/// The constraints of a list; one that could not be read never holds.
pub(super) fn constraints(list: Option<List<ConstraintShape>>) -> Vec<Constraint> {
    list.map(|list| {
        list.0
            .into_iter()
            .map(|item| item.map_or_else(never, |item| item.0))
            .collect()
    })
    .unwrap_or_default()
}

/// A constraint that never holds, for what could not be read.
pub(super) fn never() -> Constraint {
    Constraint::new("", Operator::Unknown("unreadable".into()))
}
