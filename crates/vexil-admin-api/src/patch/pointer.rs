//! JSON Pointer (RFC 6901): places in a document.

use serde_json::Value;

/// A place in a document: the keys on the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pointer(pub(super) Vec<String>);

impl Pointer {
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self(Vec::new()));
        }
        let keys = text.strip_prefix('/')?.split('/');
        Some(Self(
            keys.map(|key| key.replace("~1", "/").replace("~0", "~"))
                .collect(),
        ))
    }

    pub(super) fn text(&self) -> String {
        self.0
            .iter()
            .map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1")))
            .collect()
    }

    pub(super) fn split_last(&self) -> Option<(Self, &str)> {
        let (last, parent) = self.0.split_last()?;
        Some((Self(parent.to_vec()), last))
    }

    /// Whether this place lies below `other`.
    pub(super) fn is_inside(&self, other: &Self) -> bool {
        self.0.len() > other.0.len() && self.0.starts_with(&other.0)
    }

    pub(super) fn find<'a>(&self, document: &'a Value) -> Option<&'a Value> {
        self.0.iter().try_fold(document, |value, key| match value {
            Value::Object(object) => object.get(key),
            Value::Array(items) => items.get(index(key)?),
            _ => None,
        })
    }

    pub(super) fn find_mut<'a>(&self, document: &'a mut Value) -> Option<&'a mut Value> {
        self.0.iter().try_fold(document, |value, key| match value {
            Value::Object(object) => object.get_mut(key),
            Value::Array(items) => items.get_mut(index(key)?),
            _ => None,
        })
    }
}

/// An index in a list: digits without a leading zero.
pub(super) fn index(key: &str) -> Option<usize> {
    let plain = key == "0" || (!key.starts_with('0') && key.bytes().all(|b| b.is_ascii_digit()));
    key.parse::<usize>().ok().filter(|_| plain)
}
