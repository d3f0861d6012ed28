//! Text compressed with gzip.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Text compressed with gzip.
pub(crate) fn gzip(text: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 8), level);
    // writing to memory does not fail
    drop(encoder.write_all(text));
    encoder.finish().unwrap_or_default().into()
}
