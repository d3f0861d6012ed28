//! What is computed once and used for many combinations.

use std::ops::Range;

use vexil_domain::Context;
use vexil_engine::FlagId;
use vexil_preview::{ContextMatrix, Cursor, Projection};

use super::EnvironmentView;
use super::output::write_json;

/// How many finished answers of one flag are kept for combinations that ask the same.
const KEPT_ANSWERS: u64 = 4096;
/// Up to so many combinations, their contexts are written once and kept.
const KEPT_CONTEXTS: u128 = 4096;
/// So many bytes of finished answers of one flag are kept.
const KEPT_ANSWER_BYTES: usize = 4 << 20;
/// So many bytes of contexts are kept.
const KEPT_CONTEXT_BYTES: usize = 4 << 20;
/// Up to so many values, all contexts are laid out for the engine: some megabytes.
const LAID_OUT: u128 = 65_536;

/// The contexts of all combinations, where they are few enough to be laid out; else none.
pub(super) fn contexts_to_lay_out(
    matrix: &ContextMatrix,
    stage: &EnvironmentView,
    stages: usize,
) -> Vec<Context> {
    let fields = stage.engine.fields().len().max(matrix.fields().len());
    let values = matrix.count().saturating_mul((fields * stages) as u128);
    if values > LAID_OUT {
        return Vec::new();
    }
    let mut cursor = matrix.first();
    let mut contexts = Vec::new();
    loop {
        contexts.push(cursor.context(stage.name.as_str()));
        if !cursor.advance() {
            return contexts;
        }
    }
}

/// The answers of one flag that may be asked for again.
#[derive(Default)]
pub(super) struct Answers {
    projection: Option<Projection>,
    /// Where each finished answer is among the texts.
    places: Vec<Option<Range<usize>>>,
    texts: Vec<u8>,
}

impl Answers {
    /// Forgets the last flag and begins with another.
    pub(super) fn start(&mut self, matrix: &ContextMatrix, stage: &EnvironmentView, flag: FlagId) {
        self.places.clear();
        self.texts.clear();
        self.projection = (matrix.count() > 1)
            .then(|| stage.engine.reads(flag))
            .and_then(|reads| Projection::new(matrix, |field| reads.contains(&field)))
            .filter(|projection| {
                let count = projection.count();
                count <= KEPT_ANSWERS && u128::from(count) < matrix.count()
            });
        if let Some(projection) = &self.projection {
            self.places.resize(projection.count() as usize, None);
        }
    }

    pub(super) fn write(
        &mut self,
        cursor: &Cursor<'_>,
        out: &mut Vec<u8>,
        decide: impl FnOnce(&Cursor<'_>, &mut Vec<u8>),
    ) {
        let number = self
            .projection
            .as_ref()
            .map(|projection| projection.number(cursor));
        let Some(place) = number.and_then(|number| self.places.get_mut(number as usize)) else {
            return decide(cursor, out);
        };
        if let Some(text) = place.as_ref().and_then(|place| self.texts.get(place.clone())) {
            return out.extend_from_slice(text);
        }
        let start = out.len();
        decide(cursor, out);
        let text = out.get(start..).unwrap_or_default();
        if self.texts.len() + text.len() <= KEPT_ANSWER_BYTES {
            *place = Some(self.texts.len()..self.texts.len() + text.len());
            self.texts.extend_from_slice(text);
        }
    }
}

/// The contexts of all combinations as JSON text.
pub(super) struct Contexts<'a> {
    /// Every one, where they are few.
    kept: Option<Vec<Box<[u8]>>>,
    /// For each field, `"name":`.
    names: Vec<(&'a str, Box<[u8]>)>,
}

impl<'a> Contexts<'a> {
    pub(super) fn new(matrix: &'a ContextMatrix) -> Self {
        let names = matrix.fields().iter().map(|field| {
            let mut text = Vec::new();
            write_json(field.name.as_str(), &mut text);
            text.push(b':');
            (field.name.as_str(), text.into())
        });
        let mut contexts = Self {
            kept: None,
            names: names.collect(),
        };
        if matrix.count() > KEPT_CONTEXTS {
            return contexts;
        }
        let mut kept = Vec::new();
        let mut bytes = 0;
        let mut cursor = matrix.first();
        loop {
            let mut text = Vec::new();
            contexts.write(kept.len(), &cursor, &mut text);
            bytes += text.len();
            if bytes > KEPT_CONTEXT_BYTES {
                return contexts;
            }
            kept.push(text.into());
            if !cursor.advance() {
                contexts.kept = Some(kept);
                return contexts;
            }
        }
    }

    pub(super) fn write(&self, number: usize, cursor: &Cursor<'_>, out: &mut Vec<u8>) {
        if let Some(text) = self.kept.as_ref().and_then(|kept| kept.get(number)) {
            return out.extend_from_slice(text);
        }
        out.push(b'{');
        for (place, ((_, value), (_, name))) in cursor.values().zip(&self.names).enumerate() {
            if place > 0 {
                out.push(b',');
            }
            out.extend_from_slice(name);
            write_json(value, out);
        }
        out.push(b'}');
    }
}
