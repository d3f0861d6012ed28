//! JSON Patch (RFC 6902) with JSON Pointer (RFC 6901): edits of a document as a list of operations.

mod document;
mod pointer;

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};

use document::{Document, Size, TooMuch};
use pointer::{Pointer, index};

/// One step of a patch.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Where in the request the operation stands, such as `/body/0`.
    place: String,
    /// The place in the document that it is about.
    path: Pointer,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Add(Value),
    Remove,
    Replace(Value),
    Move(Pointer),
    Copy(Pointer),
    Test(Value),
}

/// Why a patch does not fit a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// An operation cannot be carried out.
    #[error("the operation at `{}` cannot be carried out: {}", .0.path, .0.message)]
    Unfit(Problem),
    /// A `test` found something else than it expected.
    #[error("the test at `{place}` failed: `{path}` does not hold the expected value")]
    TestFailed {
        /// Where in the request the test stands.
        place: String,
        /// Where in the document it looked.
        path: String,
    },
}

/// The most operations of one patch.
const MOST_OPERATIONS: usize = 1000;

const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Reads a patch: an array of operations.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_patch(body: &Value) -> Result<Vec<Operation>, Vec<Problem>> {
    let mut problems = Problems::new();
    let items = Node::body(body).array(&mut problems);
    if items.as_ref().is_some_and(|items| items.len() > MOST_OPERATIONS) {
        problems.add(
            "/body",
            format!("The `/body` property must NOT have more than {MOST_OPERATIONS} items."),
        );
        return problems.finish(None);
    }
    let operations = items
        .unwrap_or_default()
        .iter()
        .filter_map(|item| read_operation(item, &mut problems))
        .collect();
    problems.finish(Some(operations))
}

fn read_operation(node: &Node<'_>, problems: &mut Problems) -> Option<Operation> {
    node.object_of(problems, &["op", "path", "from", "value"])?;
    let name = node.get("op").word(problems, &OPERATIONS);
    let path = read_pointer(&node.get("path"), problems);
    let kind = match name?.as_str() {
        "add" => Kind::Add(read_value(&node.get("value"), problems)?),
        "remove" => Kind::Remove,
        "replace" => Kind::Replace(read_value(&node.get("value"), problems)?),
        "move" => Kind::Move(read_pointer(&node.get("from"), problems)?),
        "copy" => Kind::Copy(read_pointer(&node.get("from"), problems)?),
        _ => Kind::Test(read_value(&node.get("value"), problems)?),
    };
    Some(Operation {
        place: node.path().to_owned(),
        path: path?,
        kind,
    })
}

fn read_value(node: &Node<'_>, problems: &mut Problems) -> Option<Value> {
    if node.is_absent() {
        let path = node.path();
        problems.add(
            path,
            format!("The `{path}` property is required. It was not present on the data you sent."),
        );
    }
    node.value().cloned()
}

fn read_pointer(node: &Node<'_>, problems: &mut Problems) -> Option<Pointer> {
    let text = node.text(problems)?;
    let pointer = Pointer::parse(&text);
    if pointer.is_none() {
        problems.refuse(
            node.path(),
            "must be a JSON pointer, which is empty or begins with `/`",
            &Value::String(text),
        );
    }
    pointer
}

/// Carries out a patch on a document: all of it, or nothing. What it makes of the document is bounded after
/// each operation: in values, in text, in levels and in what all operations together move about.
///
/// # Errors
///
/// The first operation that cannot be carried out, or test that failed.
pub fn apply_patch(document: &Value, patch: &[Operation]) -> Result<Value, PatchError> {
    let mut document = Document::of(document);
    for operation in patch {
        operation.apply(&mut document)?;
    }
    Ok(document.value)
}

impl Operation {
    fn apply(&self, document: &mut Document) -> Result<(), PatchError> {
        match &self.kind {
            Kind::Add(value) => {
                let size = document.pay(value).map_err(|why| self.too_much(why))?;
                self.add(document, value.clone(), size)
            }
            Kind::Remove => self.remove(document, &self.path).map(drop),
            Kind::Replace(value) => self.replace(document, value),
            Kind::Move(from) => {
                if self.path.is_inside(from) {
                    return Err(self.unfit("a value cannot be moved into itself".to_owned()));
                }
                let (value, size) = self.remove(document, from)?;
                self.add(document, value, size)
            }
            Kind::Copy(from) => {
                let value = from.find(&document.value).ok_or_else(|| self.nothing(from))?;
                let size = document.pay(value).map_err(|why| self.too_much(why))?;
                let value = value.clone();
                self.add(document, value, size)
            }
            Kind::Test(expected) => {
                document.pay(expected).map_err(|why| self.too_much(why))?;
                match self.path.find(&document.value) {
                    Some(found) if found == expected => Ok(()),
                    _ => Err(PatchError::TestFailed {
                        place: self.place.clone(),
                        path: self.path.text(),
                    }),
                }
            }
        }
    }

    fn add(&self, document: &mut Document, value: Value, size: Size) -> Result<(), PatchError> {
        let Some((parent, key)) = self.path.split_last() else {
            return self.replace_all(document, value, size);
        };
        let replaced = match parent.find(&document.value) {
            Some(Value::Object(object)) => object.get(key),
            _ => None,
        };
        let replaced = replaced.map_or(Ok(0), |value| document.pay(value).map(|size| size.units));
        let replaced = replaced.map_err(|why| self.too_much(why))?;
        document
            .make_room(size, &self.path, replaced)
            .map_err(|why| self.too_much(why))?;
        match parent.find_mut(&mut document.value) {
            Some(Value::Object(object)) => {
                object.insert(key.to_owned(), value);
                Ok(())
            }
            Some(Value::Array(items)) => {
                let place = if key == "-" { Some(items.len()) } else { index(key) };
                let Some(place) = place.filter(|&place| place <= items.len()) else {
                    return Err(self.unfit(format!("`{key}` is no place in a list of {}", items.len())));
                };
                let after = items.len() - place;
                items.insert(place, value);
                document.pay_for_places(after).map_err(|why| self.too_much(why))
            }
            _ => Err(self.nothing(&parent)),
        }
    }

    fn replace(&self, document: &mut Document, value: &Value) -> Result<(), PatchError> {
        let old = self
            .path
            .find(&document.value)
            .ok_or_else(|| self.nothing(&self.path))?;
        let sizes = document.pay(old).and_then(|old| Ok((old, document.pay(value)?)));
        let (old, new) = sizes.map_err(|why| self.too_much(why))?;
        let room = document.make_room(new, &self.path, old.units);
        room.map_err(|why| self.too_much(why))?;
        if let Some(place) = self.path.find_mut(&mut document.value) {
            *place = value.clone();
        }
        Ok(())
    }

    fn replace_all(&self, document: &mut Document, value: Value, size: Size) -> Result<(), PatchError> {
        let old = document.pay(&document.value).map_err(|why| self.too_much(why))?;
        let room = document.make_room(size, &self.path, old.units);
        room.map_err(|why| self.too_much(why))?;
        document.value = value;
        Ok(())
    }

    fn remove(&self, document: &mut Document, path: &Pointer) -> Result<(Value, Size), PatchError> {
        let mut after = 0;
        let removed = match path.split_last() {
            None => Some(std::mem::take(&mut document.value)),
            Some((parent, key)) => match parent.find_mut(&mut document.value) {
                Some(Value::Object(object)) => {
                    after = object.len();
                    object.shift_remove(key)
                }
                Some(Value::Array(items)) => {
                    after = items.len();
                    index(key)
                        .filter(|&place| place < items.len())
                        .map(|place| items.remove(place))
                }
                _ => None,
            },
        };
        let removed = removed.ok_or_else(|| self.nothing(path))?;
        let size = document
            .pay_for_places(after)
            .and_then(|()| document.pay(&removed));
        let size = size.map_err(|why| self.too_much(why))?;
        document.give_back(size.units);
        Ok((removed, size))
    }

    fn nothing(&self, path: &Pointer) -> PatchError {
        self.unfit(format!("nothing stands at `{}`", path.text()))
    }

    fn too_much(&self, why: TooMuch) -> PatchError {
        self.unfit(why.to_string())
    }

    fn unfit(&self, message: String) -> PatchError {
        PatchError::Unfit(Problem {
            path: self.place.clone(),
            message,
        })
    }
}

#[cfg(test)]
mod tests;
