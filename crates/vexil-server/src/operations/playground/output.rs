//! The answer on its way out, piece by piece.

/// How much is written before it is handed on.
const CHUNK: usize = 64 * 1024;

/// The answer on its way out.
pub(super) struct Output<'a> {
    pub(super) buffer: Vec<u8>,
    sink: &'a mut dyn FnMut(Vec<u8>) -> bool,
    /// Whether anybody still listens.
    pub(super) open: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(sink: &'a mut dyn FnMut(Vec<u8>) -> bool) -> Self {
        Self {
            buffer: Vec::with_capacity(CHUNK + CHUNK / 4),
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

    pub(super) fn flush_when_full(&mut self) {
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK + CHUNK / 4));
        if self.open && !full.is_empty() {
            self.open = (self.sink)(full);
        }
    }
}

/// Appends a value as JSON. Values here are plain data, whose serialization cannot fail.
pub(super) fn write_json<T: serde::Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.extend_from_slice(b"null");
    }
}
