//! The reader: where it is in a document, what it could not understand, and what becomes of each kind of JSON.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use vexil_domain::{ProjectId, Segment};

use super::place_ids::PlaceIds;
use super::raw::RawFlag;

/// A JSON number.
pub(super) type Number = serde_json::Number;

/// Something in a document that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands, such as `features[2].strategies[0].constraints[1].value`.
    pub place: String,
    /// What is wrong and what was made of it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Why a document could not be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is no JSON.
    #[error("the document is no JSON")]
    NotJson(#[source] serde_json::Error),
    /// It is JSON, but not what was asked for.
    #[error("the document must be a JSON object with the member `{member}`")]
    NotThis {
        /// The member that would make it one.
        member: &'static str,
    },
}

/// What flags and segments are read into.
pub(crate) trait FlagSink {
    fn flag(&mut self, flag: RawFlag<'_>);
    fn segment(&mut self, segment: Segment);
}

/// For readers that keep what they read themselves.
pub(crate) struct Nowhere;

impl FlagSink for Nowhere {
    fn flag(&mut self, _: RawFlag<'_>) {}

    fn segment(&mut self, _: Segment) {}
}

/// Where the reader is, and what it could not understand so far.
pub(crate) struct Reader<'s> {
    pub(crate) sink: &'s mut dyn FlagSink,
    path: Vec<Step>,
    pub(crate) problems: Vec<Problem>,
    projects: HashSet<ProjectId>,
    last_project: Option<ProjectId>,
    pub(super) ids: PlaceIds,
}

#[derive(Debug)]
enum Step {
    Key(&'static str),
    Index(usize),
}

impl<'s> Reader<'s> {
    pub(crate) fn new(sink: &'s mut dyn FlagSink) -> Self {
        Self {
            sink,
            path: Vec::new(),
            problems: Vec::new(),
            projects: HashSet::new(),
            last_project: None,
            ids: PlaceIds::default(),
        }
    }

    /// Notes what is wrong at the present place.
    pub(crate) fn note(&mut self, message: impl Into<String>) {
        let mut place = String::new();
        for step in &self.path {
            match step {
                Step::Index(index) => place.push_str(&format!("[{index}]")),
                Step::Key(key) if place.is_empty() => place.push_str(key),
                Step::Key(key) => place.extend([".", key]),
            }
        }
        self.problems.push(Problem {
            place,
            message: message.into(),
        });
    }

    /// Notes what is wrong with a member of the present place.
    pub(crate) fn note_at(&mut self, key: &'static str, message: &str) {
        self.path.push(Step::Key(key));
        self.note(message);
        self.path.pop();
    }

    /// One and the same project for the same name, since nearly all flags have the same few.
    pub(super) fn project(&mut self, name: &str) -> ProjectId {
        if let Some(last) = self.last_project.as_ref().filter(|last| last.as_str() == name) {
            return last.clone();
        }
        let known = self.projects.get(name).cloned();
        let project = known.unwrap_or_else(|| ProjectId::from(name));
        self.projects.insert(project.clone());
        self.last_project = Some(project.clone());
        project
    }

    /// The value of the member that `map` stands before.
    pub(crate) fn member<'de, S: LenientDeserialize<'de>, A: MapAccess<'de>>(
        &mut self,
        key: &'static str,
        map: &mut A,
    ) -> Result<Option<S>, A::Error> {
        self.path.push(Step::Key(key));
        let value = map.next_value_seed(Seed::new(self));
        self.path.pop();
        value
    }

    /// Reads one item of a list that stands in the document, from its text.
    pub(crate) fn item<'de, S: LenientDeserialize<'de>>(
        &mut self,
        list: &'static str,
        index: usize,
        text: &'de str,
    ) -> Result<Option<S>, ReadError> {
        self.path.extend([Step::Key(list), Step::Index(index)]);
        let item = read_to_end(serde_json::Deserializer::from_str(text), self);
        self.path.truncate(self.path.len() - 2);
        item.map_err(ReadError::NotJson)
    }

    /// Reads every item of a list; `None` is one that could not be read.
    pub(crate) fn items<'de, S: LenientDeserialize<'de>, A: SeqAccess<'de>>(
        &mut self,
        seq: &mut A,
        mut each: impl FnMut(&mut Self, Option<S>),
    ) -> Result<(), A::Error> {
        for index in 0.. {
            self.path.push(Step::Index(index));
            let item = seq.next_element_seed(Seed::new(self));
            self.path.pop();
            match item? {
                Some(item) => each(self, item),
                None => break,
            }
        }
        Ok(())
    }
}

/// Passes over what is not known.
pub(crate) fn skip<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// What becomes of each kind of JSON. `None` means that it does not fit, which is noted; or `null`,
/// which is the same as absent.
pub(crate) trait LenientDeserialize<'de>: Sized {
    /// What is wanted, after "must be".
    const WANTED: &'static str;

    /// What is put in a list for an item that could not be read.
    fn fallback(_: &Reader) -> Option<Self> {
        None
    }

    fn text(_: &mut Reader, _: Cow<'de, str>) -> Option<Self> {
        None
    }

    fn boolean(_: &mut Reader, _: bool) -> Option<Self> {
        None
    }

    fn number(_: &mut Reader, _: Number) -> Option<Self> {
        None
    }

    fn seq<A: SeqAccess<'de>>(_: &mut Reader, mut seq: A) -> Result<Option<Self>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn map<A: MapAccess<'de>>(_: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// Reads a whole document.
pub(crate) fn read<'de, S: LenientDeserialize<'de>>(
    json: &'de [u8],
    reader: &mut Reader,
) -> Result<Option<S>, ReadError> {
    // known to be UTF-8, text need not be checked string by string; elsewhere a string that is passed over
    // need not be UTF-8
    let read = match std::str::from_utf8(json) {
        Ok(text) => read_to_end(serde_json::Deserializer::from_str(text), reader),
        Err(_) => read_to_end(serde_json::Deserializer::from_slice(json), reader),
    };
    read.map_err(ReadError::NotJson)
}

fn read_to_end<'de, S: LenientDeserialize<'de>, R: serde_json::de::Read<'de>>(
    mut deserializer: serde_json::Deserializer<R>,
    reader: &mut Reader,
) -> serde_json::Result<Option<S>> {
    let value = Seed::new(reader).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads one value of a kind.
pub(crate) struct Seed<'r, 's, S> {
    reader: &'r mut Reader<'s>,
    kind: PhantomData<S>,
}

impl<'r, 's, S> Seed<'r, 's, S> {
    pub(crate) fn new(reader: &'r mut Reader<'s>) -> Self {
        Self {
            reader,
            kind: PhantomData,
        }
    }
}

impl<'de, S: LenientDeserialize<'de>> Seed<'_, '_, S> {
    fn checked(self, value: Option<S>) -> Option<S> {
        if value.is_none() {
            self.reader.note(format!("must be {}", S::WANTED));
        }
        value
    }
}

impl<'de, S: LenientDeserialize<'de>> DeserializeSeed<'de> for Seed<'_, '_, S> {
    type Value = Option<S>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, S: LenientDeserialize<'de>> Visitor<'de> for Seed<'_, '_, S> {
    type Value = Option<S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(S::WANTED)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        let value = S::boolean(self.reader, value);
        Ok(self.checked(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        let value = S::number(self.reader, value.into());
        Ok(self.checked(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        let value = S::number(self.reader, value.into());
        Ok(self.checked(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        let value = Number::from_f64(value).and_then(|value| S::number(self.reader, value));
        Ok(self.checked(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        let value = S::text(self.reader, Cow::Borrowed(value));
        Ok(self.checked(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        let value = S::text(self.reader, Cow::Owned(value.to_owned()));
        Ok(self.checked(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Self::Value, E> {
        let value = S::text(self.reader, Cow::Owned(value));
        Ok(self.checked(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        let before = self.reader.problems.len();
        let value = S::seq(self.reader, seq)?;
        Ok(self.checked_container(value, before))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let before = self.reader.problems.len();
        let value = S::map(self.reader, map)?;
        Ok(self.checked_container(value, before))
    }
}

impl<'de, S: LenientDeserialize<'de>> Seed<'_, '_, S> {
    /// A container that says itself why it cannot be read need not be noted again.
    fn checked_container(self, value: Option<S>, problems_before: usize) -> Option<S> {
        if self.reader.problems.len() > problems_before {
            value
        } else {
            self.checked(value)
        }
    }
}

/// A list; what could not be read is left out of it, or something stands in for it.
pub(crate) struct List<S>(pub(crate) Vec<S>);

impl<'de, S: LenientDeserialize<'de>> LenientDeserialize<'de> for List<S> {
    const WANTED: &'static str = "a list";

    fn seq<A: SeqAccess<'de>>(reader: &mut Reader, mut seq: A) -> Result<Option<Self>, A::Error> {
        let mut items = Vec::new();
        reader.items(&mut seq, |reader, item: Option<S>| {
            let Some(item) = item.or_else(|| S::fallback(reader)) else {
                return;
            };
            if items.is_empty() && size_of::<S>() > 64 {
                // one is what most lists of large items have
                items.reserve_exact(1);
            }
            items.push(item);
        })?;
        Ok(Some(Self(items)))
    }
}

/// A member's name, borrowed where it has no escapes.
pub(crate) struct Key<'de>(pub(crate) Cow<'de, str>);

impl<'de> serde_core::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl<'de> Visitor<'de> for Name {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member's name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(name.to_owned())))
            }
        }
        deserializer.deserialize_str(Name)
    }
}

/// Reads every known member of an object: `members!(reader, map, { "key" => variable, … })`.
macro_rules! members {
    ($reader:ident, $map:ident, { $($key:literal => $place:ident),+ $(,)? }) => {
        while let Some(Key(key)) = $map.next_key()? {
            match &*key {
                $($key => $place = $reader.member($key, &mut $map)?,)+
                _ => skip(&mut $map)?,
            }
        }
    };
}
pub(crate) use members;
