//! JSON in which every member of an object has a name of its own.
//!
//! Most readers keep one of two members with the same name. Which one it is, whoever wrote both cannot see; and where
//! they narrow something, what the other says is lost.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::map::{Entry, Map};

use super::Problem;
use super::place::{Place, short};

/// Why text was not taken as JSON.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// It is none.
    #[error(transparent)]
    NoJson(serde_json::Error),
    /// A member stands twice.
    #[error("{}", .0.message)]
    Repeated(Problem),
}

/// Parses JSON text in which no member stands twice in its object. `root` is what its places begin with, such as
/// `/body`.
///
/// # Errors
///
/// The text is no JSON, or a member stands twice; the first that does is named.
pub fn parse_distinct(text: &[u8], root: &str) -> Result<Value, ParseError> {
    let repeated = Cell::new(None);
    let reader = Reader {
        step: Step::Root(root),
        repeated: &repeated,
    };
    let mut source = serde_json::Deserializer::from_slice(text);
    let read = reader.deserialize(&mut source);
    let read = read.and_then(|value| source.end().map(|()| value));
    read.map_err(|error| {
        repeated
            .take()
            .map_or(ParseError::NoJson(error), ParseError::Repeated)
    })
}

/// The way to a value, as long as it is read.
#[derive(Clone, Copy)]
enum Step<'a> {
    Root(&'a str),
    Member(&'a Step<'a>, &'a str),
    Item(&'a Step<'a>, usize),
}

impl<'a> Step<'a> {
    fn place(&self) -> Place<'a> {
        match *self {
            Self::Root(path) => Place::root(path),
            Self::Member(parent, name) => parent.place().member(Cow::Borrowed(name)),
            Self::Item(parent, index) => parent.place().item(index),
        }
    }
}

struct Reader<'a> {
    step: Step<'a>,
    repeated: &'a Cell<Option<Problem>>,
}

impl Reader<'_> {
    fn refusal(&self, name: &str) -> Problem {
        let path = self.step.place().member(Cow::Borrowed(name)).to_string();
        let message = format!(
            "The `{path}` property stands more than once: one `{}` would be passed over. Leave it once.",
            short(name)
        );
        Problem { path, message }
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Reader {
            step: Step::Item(&self.step, list.len()),
            repeated: self.repeated,
        })? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Reader {
                step: Step::Member(&self.step, &name),
                repeated: self.repeated,
            })?;
            match object.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(value);
                }
                Entry::Occupied(place) => {
                    self.repeated.set(Some(self.refusal(place.key())));
                    return Err(A::Error::custom("a member stands twice"));
                }
            }
        }
        Ok(Value::Object(object))
    }
}
