//! Constraints. One that cannot be understood becomes one that never holds.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde_core::de::MapAccess;
use vexil_domain::{Constraint, ConstraintMember, ConstraintSource, Operator, read_constraint};

use super::raw::{RawConstraint, Text};
use super::reader::{Key, LenientDeserialize, List, Reader, skip};
use super::scalar::Boolean;

impl<'de> LenientDeserialize<'de> for RawConstraint<'de> {
    const WANTED: &'static str = "a constraint";

    fn fallback(_: &Reader) -> Option<Self> {
        Some(never())
    }

    fn map<A: MapAccess<'de>>(reader: &mut Reader, map: A) -> Result<Option<Self>, A::Error> {
        let before = reader.problems.len();
        let document = PhantomData;
        let read = read_constraint(&mut Members {
            reader,
            map,
            document,
        })?;
        if reader.problems.len() > before {
            return Ok(None);
        }
        if read.is_none() {
            reader.note("must have `contextName` and `operator`");
        }
        Ok(read)
    }
}

/// The members as they come. Those that are not known are passed over, since SDKs know fewer than servers send; what does
/// not fit is noted.
struct Members<'de, 'r, 's, A> {
    reader: &'r mut Reader<'s>,
    map: A,
    document: PhantomData<&'de ()>,
}

impl<'de, A: MapAccess<'de>> ConstraintSource for Members<'de, '_, '_, A> {
    type Text = Text<'de>;
    type Error = A::Error;

    fn next_member(&mut self) -> Result<Option<ConstraintMember>, A::Error> {
        while let Some(Key(name)) = self.map.next_key()? {
            match ConstraintMember::from_name(&name) {
                Some(member) => return Ok(Some(member)),
                None => skip(&mut self.map)?,
            }
        }
        Ok(None)
    }

    fn text(&mut self, member: ConstraintMember) -> Result<Option<Text<'de>>, A::Error> {
        self.reader.member(member.name(), &mut self.map)
    }

    fn texts(&mut self, member: ConstraintMember) -> Result<Vec<Text<'de>>, A::Error> {
        let list: Option<List<Text>> = self.reader.member(member.name(), &mut self.map)?;
        Ok(list.map(|list| list.0).unwrap_or_default())
    }

    fn boolean(&mut self, member: ConstraintMember) -> Result<Option<bool>, A::Error> {
        let flag: Option<Boolean> = self.reader.member(member.name(), &mut self.map)?;
        Ok(flag.map(|flag| flag.0))
    }
}

/// The same, to keep.
pub(super) fn owned(raw: RawConstraint<'_>) -> Constraint {
    raw.map_text(String::from)
}

/// A constraint that never holds, for what could not be read.
pub(super) fn never<'de>() -> RawConstraint<'de> {
    Constraint {
        context_name: Text(Cow::Borrowed("")),
        operator: Operator::Unknown("unreadable".into()),
        values: Vec::new(),
        value: None,
        inverted: None,
        case_insensitive: None,
    }
}
