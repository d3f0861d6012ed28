//! A text that is made at once and sent later: a long one is held compressed.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use vexil_admin_api::playground::PieceSink;

/// Texts up to this many bytes are held as they are; longer ones are handed on in pieces of this size.
const PIECE: usize = 64 << 10;

/// Takes a text as it is made.
#[derive(Default)]
pub struct TextHolder {
    /// What is not compressed yet.
    plain: Vec<u8>,
    packed: Option<DeflateEncoder<Vec<u8>>>,
}

opaque!(TextHolder);

/// A text that waits.
pub struct HeldText(Form);

opaque!(HeldText);

enum Form {
    Plain(Vec<u8>),
    Packed(Vec<u8>),
}

impl TextHolder {
    /// Takes the next piece.
    pub fn take(&mut self, piece: &[u8]) {
        self.plain.extend_from_slice(piece);
        if self.plain.len() > PIECE {
            self.pack();
        }
    }

    fn pack(&mut self) {
        let new = || DeflateEncoder::new(Vec::new(), Compression::fast());
        let packed = self.packed.get_or_insert_with(new);
        // writing to memory does not fail
        drop(packed.write_all(&self.plain));
        self.plain.clear();
    }

    /// The text as it waits.
    #[must_use]
    pub fn finish(mut self) -> HeldText {
        if self.packed.is_some() {
            self.pack();
        }
        HeldText(match self.packed {
            Some(packed) => Form::Packed(packed.finish().unwrap_or_default()),
            None => Form::Plain(self.plain),
        })
    }
}

impl Write for TextHolder {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.take(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl HeldText {
    /// How many bytes of memory it takes.
    pub(crate) fn held(&self) -> usize {
        match &self.0 {
            Form::Plain(text) | Form::Packed(text) => text.len(),
        }
    }

    /// The text, where it is so short that it is not compressed.
    pub(crate) fn short(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Plain(text) => Some(text),
            Form::Packed(_) => None,
        }
    }

    /// Hands the text on, piece by piece. Ends early when nobody reads any more.
    pub(crate) fn write(self, sink: &mut PieceSink<'_>) {
        let packed = match self.0 {
            Form::Plain(text) => {
                sink(text);
                return;
            }
            Form::Packed(packed) => packed,
        };
        let mut text = DeflateDecoder::new(packed.as_slice());
        loop {
            let mut piece = Vec::with_capacity(PIECE);
            match text.by_ref().take(PIECE as u64).read_to_end(&mut piece) {
                Ok(0) => return,
                Ok(_) if sink(piece) => {}
                // nobody reads; what was packed here cannot be broken
                Ok(_) | Err(_) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests;
