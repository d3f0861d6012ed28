//! The answer on its way out, piece by piece.

use super::super::text::write_json;
use super::super::warnings::PlaygroundWarnings;

/// How much is written before it is handed on.
const PIECE: usize = 64 * 1024;

/// The answer on its way out.
pub(super) struct Output<'a> {
    pub(super) buffer: Vec<u8>,
    sink: &'a mut (dyn FnMut(Vec<u8>) -> bool + 'a),
    /// Whether anybody still reads.
    pub(super) open: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(sink: &'a mut (dyn FnMut(Vec<u8>) -> bool + 'a)) -> Self {
        Self {
            buffer: Vec::with_capacity(PIECE + PIECE / 4),
            sink,
            open: true,
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }

    pub(super) fn json<T: serde::Serialize + ?Sized>(&mut self, value: &T) {
        write_json(value, &mut self.buffer);
    }

    /// Writes what is to be warned of as a member more, if there is anything.
    pub(super) fn warnings(&mut self, warnings: &PlaygroundWarnings) {
        if !warnings.is_empty() {
            self.text(",\"warnings\":");
            self.json(warnings);
        }
    }

    /// Writes a comma where `follows` says so, and has it say so from then on.
    pub(super) fn comma(&mut self, follows: &mut bool) {
        if std::mem::replace(follows, true) {
            self.buffer.push(b',');
        }
    }

    pub(super) fn flush_when_full(&mut self) {
        if self.buffer.len() >= PIECE {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(PIECE + PIECE / 4));
        if self.open && !full.is_empty() {
            self.open = (self.sink)(full);
        }
    }
}
