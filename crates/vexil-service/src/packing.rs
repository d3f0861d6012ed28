//! Text compressed with gzip, with Brotli and with zstd.

use std::io::Write;

use brotli::CompressorWriter;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Of 0 to 11. More take many times as long, for a few hundredths less.
const QUALITY: u32 = 5;
/// The window in bits, the largest that every reader knows.
const WINDOW: u32 = 22;
/// How many bytes are handed over at a time.
const PIECE: usize = 4 << 10;
/// How many compressed bytes are gathered before they are sent.
const HANDED_ON: usize = 16 << 10;

/// Text compressed with gzip.
#[must_use]
pub fn gzip(text: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 8), level);
    // writing to memory does not fail
    drop(encoder.write_all(text));
    encoder.finish().unwrap_or_default().into()
}

/// Compresses a text that comes in pieces with gzip, and hands on what is finished of it.
pub struct GzipPieces {
    encoder: GzEncoder<Vec<u8>>,
}

opaque!(GzipPieces);

impl Default for GzipPieces {
    fn default() -> Self {
        Self {
            encoder: GzEncoder::new(Vec::with_capacity(2 * HANDED_ON), Compression::fast()),
        }
    }
}

impl GzipPieces {
    /// Takes the next piece; what it gives back is to be sent.
    pub fn write(&mut self, piece: &[u8]) -> Option<Vec<u8>> {
        // writing to memory does not fail
        drop(self.encoder.write_all(piece));
        let made = self.encoder.get_mut();
        (made.len() >= HANDED_ON).then(|| std::mem::take(made))
    }

    /// What is left to be sent.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.encoder.finish().unwrap_or_default()
    }
}

/// Text compressed with Brotli (RFC 7932).
pub(crate) fn brotli(text: &[u8]) -> Bytes {
    let out = Vec::with_capacity(text.len() / 8);
    let mut encoder = CompressorWriter::new(out, PIECE, QUALITY, WINDOW);
    // writing to memory does not fail
    drop(encoder.write_all(text));
    encoder.into_inner().into()
}

/// Text compressed with zstd (RFC 8878).
pub(crate) fn zstd(text: &[u8]) -> Bytes {
    // reading from memory and writing to it do not fail
    ::zstd::encode_all(text, ::zstd::DEFAULT_COMPRESSION_LEVEL)
        .unwrap_or_default()
        .into()
}

#[cfg(test)]
mod tests;
