//! A place in a document, with the value that stands there, if any.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::{Map, Value};
use time::OffsetDateTime;
use vexil_values::{Instant, Number};

use super::Problems;
use super::place::{Place, short};
use super::spelling::closest;
use crate::number_text::number_text;

/// A place in a document, with the value that stands there, if any.
///
/// The text of the path is made when it is first asked for: a document of many places with long names must
/// not grow by being read.
#[derive(Debug, Clone)]
pub struct Node<'a> {
    value: Option<&'a Value>,
    place: Place<'a>,
    path: OnceCell<String>,
}

impl<'a> Node<'a> {
    /// The root of a request body.
    #[must_use]
    pub fn body(value: &'a Value) -> Self {
        Self::root(value, "/body")
    }

    /// The root of a document that is called `path`, such as `/query`.
    #[must_use]
    pub fn root(value: &'a Value, path: &str) -> Self {
        Self::at(Some(value), Place::root(path))
    }

    fn at(value: Option<&'a Value>, place: Place<'a>) -> Self {
        Self {
            value,
            place,
            path: OnceCell::new(),
        }
    }

    /// The place called `key` inside this one. Nothing stands there when this is no object.
    #[must_use]
    pub fn get(&self, key: &str) -> Node<'a> {
        let object = self.value.and_then(Value::as_object);
        match object.and_then(|object| object.get_key_value(key)) {
            Some((key, value)) => Node::at(Some(value), self.place.member(Cow::Borrowed(key.as_str()))),
            None => Node::at(None, self.place.member(Cow::Owned(key.to_owned()))),
        }
    }

    /// Where this is. Long names are cut short.
    #[must_use]
    pub fn path(&self) -> &str {
        self.path.get_or_init(|| self.place.to_string())
    }

    /// What stands here, `null` included.
    #[must_use]
    pub fn value(&self) -> Option<&'a Value> {
        self.value
    }

    /// Whether nothing stands here.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.value.is_none()
    }

    /// Whether nothing or `null` stands here.
    #[must_use]
    pub fn is_absent_or_null(&self) -> bool {
        matches!(self.value, None | Some(Value::Null))
    }

    /// The same place, where `null` counts as nothing.
    #[must_use]
    pub fn nullable(&self) -> Node<'a> {
        Node::at(self.value.filter(|value| !value.is_null()), self.place.clone())
    }

    fn required(&self, problems: &mut Problems) -> Option<&'a Value> {
        if self.value.is_none() {
            let path = self.path();
            problems.add(
                path,
                format!("The `{path}` property is required. It was not present on the data you sent."),
            );
        }
        self.value
    }

    fn refuse(&self, problems: &mut Problems, rule: &str) {
        problems.refuse(self.path(), rule, self.value.unwrap_or(&Value::Null));
    }

    /// The object that must stand here.
    pub fn object(&self, problems: &mut Problems) -> Option<&'a Map<String, Value>> {
        let object = self.required(problems)?.as_object();
        if object.is_none() {
            self.refuse(problems, "must be object");
        }
        object
    }

    /// The object that must stand here and has no other members than `known`. A misspelt member would else be
    /// passed over, and what it was to narrow would be open.
    pub fn object_of(&self, problems: &mut Problems, known: &[&str]) -> Option<&'a Map<String, Value>> {
        self.object_guessing(problems, known, closest)
    }

    /// The same, where `guess` says which of the known members is meant by another one.
    pub(super) fn object_guessing<'k>(
        &self,
        problems: &mut Problems,
        known: &[&'k str],
        mut guess: impl FnMut(&str, &[&'k str]) -> Option<&'k str>,
    ) -> Option<&'a Map<String, Value>> {
        let object = self.object(problems)?;
        for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
            if problems.are_told() {
                problems.count();
                continue;
            }
            let place = self.get(name);
            let hint = match guess(name, known) {
                Some(meant) => format!("Did you mean `{meant}`?"),
                None => format!("There are: {}.", known.join(", ")),
            };
            let message = format!(
                "The `{}` property must NOT have the additional property `{}`. {hint}",
                self.path(),
                short(name)
            );
            problems.add(place.path(), message);
        }
        Some(object)
    }

    /// The members of the object that must stand here, in the order of the document.
    pub fn members(&self, problems: &mut Problems) -> Option<Vec<(&'a str, Node<'a>)>> {
        let object = self.object(problems)?;
        let member = |(key, value): (&'a String, &'a Value)| {
            let place = self.place.member(Cow::Borrowed(key.as_str()));
            (key.as_str(), Node::at(Some(value), place))
        };
        Some(object.iter().map(member).collect())
    }

    /// The items of the array that must stand here.
    pub fn array(&self, problems: &mut Problems) -> Option<Vec<Node<'a>>> {
        let Some(items) = self.required(problems)?.as_array() else {
            self.refuse(problems, "must be array");
            return None;
        };
        let place = |(index, value)| Node::at(Some(value), self.place.item(index));
        Some(items.iter().enumerate().map(place).collect())
    }

    /// The items of the array that may stand here, each read by `read`. Nothing is an empty list; `null` is no
    /// list, unless the place is [`Node::nullable`].
    pub fn list<T>(
        &self,
        problems: &mut Problems,
        mut read: impl FnMut(&Node<'a>, &mut Problems) -> Option<T>,
    ) -> Vec<T> {
        if self.is_absent() {
            return Vec::new();
        }
        let items = self.array(problems).unwrap_or_default();
        items.iter().filter_map(|item| read(item, problems)).collect()
    }

    /// The text that must stand here. Numbers and booleans are taken as text.
    pub fn text(&self, problems: &mut Problems) -> Option<String> {
        let value = self.required(problems)?;
        let text = Some(value).filter(|value| !value.is_null()).and_then(scalar_text);
        if text.is_none() {
            self.refuse(problems, "must be string");
        }
        text
    }

    /// The text that must stand here, as SDKs and parameters spell it: `null` is taken as empty text besides.
    pub fn loose_text(&self, problems: &mut Problems) -> Option<String> {
        match self.value {
            Some(Value::Null) => Some(String::new()),
            _ => self.text(problems),
        }
    }

    /// The text that must stand here and have at least one character.
    pub fn non_empty_text(&self, problems: &mut Problems) -> Option<String> {
        let text = self.text(problems)?;
        if text.is_empty() {
            let path = self.path();
            problems.add(
                path,
                format!("The `{path}` property must NOT have fewer than 1 characters. You sent \"\"."),
            );
            return None;
        }
        Some(text)
    }

    /// The text that may stand here. `null` is no text, unless the place is [`Node::nullable`].
    pub fn optional_text(&self, problems: &mut Problems) -> Option<String> {
        if self.is_absent() {
            None
        } else {
            self.text(problems)
        }
    }

    /// The boolean that must stand here. `"true"`, `"false"`, 1 and 0 will do.
    pub fn boolean(&self, problems: &mut Problems) -> Option<bool> {
        let read = match self.required(problems)? {
            Value::Bool(value) => Some(*value),
            Value::String(text) if text == "true" => Some(true),
            Value::String(text) if text == "false" => Some(false),
            Value::Number(number) if number.as_u64() == Some(1) => Some(true),
            Value::Number(number) if number.as_u64() == Some(0) => Some(false),
            _ => None,
        };
        if read.is_none() {
            self.refuse(problems, "must be boolean");
        }
        read
    }

    /// The boolean that may stand here. `null` is no boolean, unless the place is [`Node::nullable`].
    pub fn optional_boolean(&self, problems: &mut Problems) -> Option<bool> {
        if self.is_absent() {
            None
        } else {
            self.boolean(problems)
        }
    }

    /// The whole number within `low..=high` that must stand here. Text that spells one will do.
    pub fn integer(&self, problems: &mut Problems, low: i64, high: i64) -> Option<i64> {
        let number = self.number(problems)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "checked to be whole and in range just before"
        )]
        if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
            let whole = number as i64;
            if whole < low {
                self.refuse(problems, &format!("must be >= {low}"));
            } else if whole > high {
                self.refuse(problems, &format!("must be <= {high}"));
            } else {
                return Some(whole);
            }
        } else {
            self.refuse(problems, "must be integer");
        }
        None
    }

    /// The finite number that must stand here. Text that spells one will do.
    pub fn number(&self, problems: &mut Problems) -> Option<f64> {
        let read = match self.required(problems)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => Number::parse(text).map(Number::get),
            _ => None,
        };
        let finite = read.filter(|number: &f64| number.is_finite());
        if finite.is_none() {
            self.refuse(problems, "must be number");
        }
        finite
    }

    /// The instant that must stand here, as an RFC 3339 date-time.
    pub fn instant(&self, problems: &mut Problems) -> Option<OffsetDateTime> {
        let instant = match self.required(problems)? {
            Value::String(text) => Instant::parse_rfc3339(text).and_then(|instant| instant.try_into().ok()),
            _ => None,
        };
        // shown again in UTC, where an offset may have led out of the years that the format has
        let instant = instant.filter(|instant: &OffsetDateTime| (0..=9_999).contains(&instant.year()));
        if instant.is_none() {
            self.refuse(problems, "must match format \"date-time\"");
        }
        instant
    }

    /// One of the given words, which must stand here.
    pub fn word(&self, problems: &mut Problems, allowed: &[&str]) -> Option<String> {
        let text = self.text(problems)?;
        if allowed.contains(&text.as_str()) {
            return Some(text);
        }
        let list = allowed
            .iter()
            .map(|word| format!("\"{word}\""))
            .collect::<Vec<_>>()
            .join(", ");
        let path = self.path();
        problems.add(
            path,
            format!("The `{path}` property must be equal to one of the allowed values: {list}. You provided \"{text}\", which is not valid."),
        );
        None
    }
}

/// A scalar as text: text as it is, `null` as empty text, numbers as [`number_text`] writes them, and booleans.
fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some(String::new()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => Some(number_text(number)),
        Value::Array(_) | Value::Object(_) => None,
    }
}
