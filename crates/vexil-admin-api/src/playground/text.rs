//! Pieces of JSON text, made once and written many times.

use serde::Serialize;
use vexil_domain::Variant;

/// JSON text under construction.
#[derive(Default)]
pub(super) struct Text(pub(super) Vec<u8>);

impl Text {
    pub(super) fn raw(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// Appends a value as JSON.
    pub(super) fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> &mut Self {
        write_json(value, &mut self.0);
        self
    }
}

/// Appends a value as JSON. Values here are plain data, whose serialization cannot fail.
pub(super) fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.extend_from_slice(b"null");
    }
}

/// A list of variants, as a whole and one by one.
pub(super) struct VariantTexts {
    pub(super) all: Box<[u8]>,
    /// Each as `"name":…,"enabled":true[,"payload":…]`, without braces.
    pub(super) each: Box<[Box<[u8]>]>,
    pub(super) is_empty: bool,
}

impl VariantTexts {
    pub(super) fn of(variants: &[Variant]) -> Self {
        let each = variants.iter().map(|variant| {
            let mut text = Text::default();
            text.raw("\"name\":").json(&variant.name).raw(",\"enabled\":true");
            if let Some(payload) = &variant.payload {
                text.raw(",\"payload\":").json(payload);
            }
            text.0.into()
        });
        let mut all = Text::default();
        all.json(variants);
        Self {
            each: each.collect(),
            all: all.0.into(),
            is_empty: variants.is_empty(),
        }
    }
    /// How many bytes of memory the texts take.
    pub(super) fn size(&self) -> usize {
        self.all.len() + size_of_val(&*self.each) + self.each.iter().map(|text| text.len()).sum::<usize>()
    }
}
