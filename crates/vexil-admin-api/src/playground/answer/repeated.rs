//! Parts of entries that several combinations share, written once.

use std::ops::Range;

use vexil_preview::{ContextMatrix, Cursor, Projection};

/// How many parts of one flag are kept for combinations that ask the same.
const KEPT: u64 = 4096;
/// So many bytes of parts of one flag are kept.
const KEPT_BYTES: usize = 4 << 20;

/// What stands behind the contexts of one flag's entries, where that may be asked for again.
#[derive(Default)]
pub(super) struct Repeated {
    projection: Option<Projection>,
    /// Where each part is among the texts.
    places: Vec<Option<Range<usize>>>,
    texts: Vec<u8>,
}

impl Repeated {
    /// Forgets the last flag and begins with another.
    pub(super) fn start(&mut self, matrix: &ContextMatrix, projection: Option<Projection>) {
        self.places.clear();
        self.texts.clear();
        self.projection = projection.filter(|projection| {
            let count = projection.count();
            count <= KEPT && u128::from(count) < matrix.count()
        });
        if let Some(projection) = &self.projection {
            self.places.resize(projection.count() as usize, None);
        }
    }

    /// Writes the part of a combination: what another with the same number had, else what `write` writes.
    pub(super) fn write(&mut self, cursor: &Cursor<'_>, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        let projection = self.projection.as_ref();
        let number = projection.map(|projection| projection.number(cursor));
        let Some(place) = number.and_then(|number| self.places.get_mut(number as usize)) else {
            return write(out);
        };
        if let Some(text) = place.as_ref().and_then(|place| self.texts.get(place.clone())) {
            return out.extend_from_slice(text);
        }
        let start = out.len();
        write(out);
        let text = out.get(start..).unwrap_or_default();
        if self.texts.len() + text.len() <= KEPT_BYTES {
            *place = Some(self.texts.len()..self.texts.len() + text.len());
            self.texts.extend_from_slice(text);
        }
    }
}
