//! The contexts of entries, as JSON text.

use vexil_preview::{ContextMatrix, Cursor};

use super::super::text::write_json;

/// Up to so many combinations, their contexts are written once and kept.
const KEPT: u128 = 4096;
/// So many bytes of contexts are kept.
const KEPT_BYTES: usize = 4 << 20;

/// The contexts of all combinations as JSON text.
pub(super) struct Contexts {
    /// Every one, where they are few.
    kept: Option<Vec<Box<[u8]>>>,
    /// For each field, for each of its values: `"name":"value"`.
    fields: Vec<Vec<Box<[u8]>>>,
}

impl Contexts {
    pub(super) fn new(matrix: &ContextMatrix) -> Self {
        let fields = matrix.fields().iter().map(|field| {
            let values = field.values.iter().map(|value| {
                let mut text = Vec::new();
                write_json(field.name.as_str(), &mut text);
                text.push(b':');
                write_json(value.as_str(), &mut text);
                text.into()
            });
            values.collect()
        });
        let mut contexts = Self {
            kept: None,
            fields: fields.collect(),
        };
        if matrix.count() > KEPT {
            return contexts;
        }
        let mut kept = Vec::new();
        let mut bytes = 0;
        let mut cursor = matrix.first();
        loop {
            let mut text = Vec::new();
            contexts.write(kept.len(), &cursor, &mut text);
            bytes += text.len();
            if bytes > KEPT_BYTES {
                return contexts;
            }
            kept.push(text.into());
            if !cursor.advance() {
                contexts.kept = Some(kept);
                return contexts;
            }
        }
    }

    /// Writes the context of the combination `cursor`, the `number`th.
    pub(super) fn write(&self, number: usize, cursor: &Cursor<'_>, out: &mut Vec<u8>) {
        if let Some(text) = self.kept.as_ref().and_then(|kept| kept.get(number)) {
            return out.extend_from_slice(text);
        }
        out.push(b'{');
        for (place, &digit) in cursor.digits().iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            let text = self.fields.get(place).and_then(|values| values.get(digit));
            out.extend_from_slice(text.map_or(&[], AsRef::as_ref));
        }
        out.push(b'}');
    }
}
