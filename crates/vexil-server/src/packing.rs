//! Text compressed with gzip and with Brotli.

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

/// Text compressed with gzip.
pub(crate) fn gzip(text: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 8), level);
    // writing to memory does not fail
    drop(encoder.write_all(text));
    encoder.finish().unwrap_or_default().into()
}

/// Text compressed with Brotli (RFC 7932).
pub(crate) fn brotli(text: &[u8]) -> Bytes {
    let out = Vec::with_capacity(text.len() / 8);
    let mut encoder = CompressorWriter::new(out, PIECE, QUALITY, WINDOW);
    // writing to memory does not fail
    drop(encoder.write_all(text));
    encoder.into_inner().into()
}
