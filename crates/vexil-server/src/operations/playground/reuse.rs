//! What is computed once and used for many combinations.

use std::collections::HashMap;

use vexil_engine::FlagId;
use vexil_preview::{ContextMatrix, Cursor, Projection};

use super::Stage;
use super::output::write_json;

/// How many finished answers of one flag are kept for combinations that ask the same.
const KEPT_ANSWERS: u64 = 4096;
/// Up to so many combinations, their contexts are written once and kept.
const KEPT_CONTEXTS: u128 = 4096;

/// The answers of one flag that may be asked for again.
pub(super) struct Answers {
    projection: Option<Projection>,
    kept: HashMap<u64, Box<[u8]>>,
}

impl Answers {
    pub(super) fn new(matrix: &ContextMatrix, stage: &Stage, flag: FlagId) -> Self {
        let reads = stage.engine.reads(flag);
        let projection = Projection::new(matrix, |field| reads.contains(&field)).filter(|projection| {
            projection.count() <= KEPT_ANSWERS && u128::from(projection.count()) < matrix.count()
        });
        Self {
            projection,
            kept: HashMap::new(),
        }
    }

    pub(super) fn write(
        &mut self,
        cursor: &Cursor<'_>,
        out: &mut Vec<u8>,
        decide: impl FnOnce(&Cursor<'_>, &mut Vec<u8>),
    ) {
        let Some(projection) = &self.projection else {
            return decide(cursor, out);
        };
        let number = projection.number(cursor);
        if let Some(known) = self.kept.get(&number) {
            out.extend_from_slice(known);
            return;
        }
        let start = out.len();
        decide(cursor, out);
        self.kept
            .insert(number, out.get(start..).unwrap_or_default().into());
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
        let mut cursor = matrix.first();
        loop {
            let mut text = Vec::new();
            contexts.write(kept.len(), &cursor, &mut text);
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
