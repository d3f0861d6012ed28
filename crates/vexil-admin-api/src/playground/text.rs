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

    /// Appends a value as JSON. Values here are plain data, whose serialization cannot fail.
    pub(super) fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> &mut Self {
        if serde_json::to_writer(&mut self.0, value).is_err() {
            self.raw("null");
        }
        self
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
