//! Request bodies that come compressed: what they become is bounded, whatever they say.

use std::io::{self, Read};

use actix_web::http::header::{CONTENT_ENCODING, HeaderMap};
use brotli_decompressor::Decompressor;
use bytes::Bytes;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use vexil_service::operations::Error;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::routes::ApiError;

/// How a body is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    /// RFC 1952.
    Gzip,
    /// RFC 1950, and RFC 1951 alone, as some send it.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

/// What is read here.
const KNOWN: &str = "gzip, deflate, br, zstd";
/// As much as RFC 8878 asks every reader to remember: 8 MiB, as a power of two.
const LARGEST_WINDOW: u32 = 23;
/// So many bytes are asked of a reader at a time.
const PIECE: usize = 16 << 10;

impl Coding {
    /// How the body of a request is compressed; `None` where it is plain.
    ///
    /// # Errors
    ///
    /// When it is compressed in a way that is not read here, or several times.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Option<Self>, ApiError> {
        let values = headers.get_all(CONTENT_ENCODING);
        let values: Vec<_> = values
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .collect();
        let codings = values.iter().flat_map(|value| value.split(',')).map(str::trim);
        let mut codings = codings.filter(|it| !it.is_empty() && !it.eq_ignore_ascii_case("identity"));
        let (first, more) = (codings.next(), codings.next());
        let Some(first) = first else {
            return Ok(None);
        };
        let coding = match first.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        };
        let coding = coding
            .filter(|_| more.is_none())
            .ok_or_else(|| ApiError::ContentCoding {
                given: values.join(", "),
                known: KNOWN,
            })?;
        Ok(Some(coding))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Brotli => "brotli",
            Self::Zstd => "zstd",
        }
    }

    /// What a body says, if that is not more than `limit` bytes. No more than that is ever made of it.
    ///
    /// # Errors
    ///
    /// When it is more, or the body is broken.
    pub(crate) fn decode(self, body: &[u8], limit: usize) -> Result<Bytes, ApiError> {
        let broken = |error: io::Error| {
            let name = self.name();
            ApiError::from(Error::invalid(format!(
                "The request body is no valid {name} data: {error}."
            )))
        };
        match self {
            Self::Gzip => take_members(body, limit, broken),
            Self::Deflate if is_zlib(body) => take(ZlibDecoder::new(body), limit, broken),
            Self::Deflate => take(DeflateDecoder::new(body), limit, broken),
            Self::Brotli if has_large_window(body) => Err(ApiError::TooLarge { limit }),
            Self::Brotli => take(Decompressor::new(body, PIECE), limit, broken),
            Self::Zstd => {
                if window(body).is_some_and(|window| window > 1 << LARGEST_WINDOW) {
                    return Err(ApiError::TooLarge { limit });
                }
                let mut decoder = ZstdDecoder::with_buffer(body).map_err(broken)?;
                decoder.window_log_max(LARGEST_WINDOW).map_err(broken)?;
                take(decoder, limit, broken)
            }
        }
    }
}

/// For each so many bytes that a body may become, a gzip file may have a member: to begin with one takes as long as to read
/// some thousands of bytes.
const MEMBER: usize = 1 << 10;

/// What the members of a gzip file say (RFC 1952, section 2.2). Zeros behind the last one are padding, as for zlib and gzip(1).
fn take_members(
    body: &[u8],
    limit: usize,
    broken: impl Fn(io::Error) -> ApiError,
) -> Result<Bytes, ApiError> {
    let (mut out, mut rest) = (Vec::new(), body);
    for before in 0.. {
        if before > 1 + limit / MEMBER {
            return Err(ApiError::TooLarge { limit });
        }
        let mut member = GzDecoder::new(rest);
        append(&mut out, &mut member, limit, &broken)?;
        rest = member.into_inner();
        if rest.iter().all(|byte| *byte == 0) {
            break;
        }
    }
    Ok(out.into())
}

fn take(
    mut reader: impl Read,
    limit: usize,
    broken: impl Fn(io::Error) -> ApiError,
) -> Result<Bytes, ApiError> {
    let mut out = Vec::new();
    append(&mut out, &mut reader, limit, broken)?;
    Ok(out.into())
}

fn append(
    out: &mut Vec<u8>,
    reader: &mut impl Read,
    limit: usize,
    broken: impl Fn(io::Error) -> ApiError,
) -> Result<(), ApiError> {
    let mut piece = [0; PIECE];
    loop {
        let read = match reader.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(broken(error)),
        };
        if out.len() + read > limit {
            return Err(ApiError::TooLarge { limit });
        }
        out.extend_from_slice(piece.get(..read).unwrap_or_default());
    }
}

/// Whether data begins as RFC 1950 says.
fn is_zlib(body: &[u8]) -> bool {
    match body {
        [method, flags, ..] => {
            method & 0x0f == 8 && (u16::from(*method) << 8 | u16::from(*flags)).is_multiple_of(31)
        }
        _ => false,
    }
}

/// Whether data begins as that of Brotli's extension for windows of up to a gigabyte, which is not part of RFC 7932
/// (section 9.1 calls these bits invalid). Its reader takes as much memory, however little is sent.
fn has_large_window(body: &[u8]) -> bool {
    body.first().is_some_and(|first| first & 0x7f == 0x11)
}

/// How many bytes a reader of this zstd frame must remember (RFC 8878, section 3.1.1.1); `None` where it does not begin as
/// one.
fn window(body: &[u8]) -> Option<u64> {
    let [0x28, 0xb5, 0x2f, 0xfd, descriptor, rest @ ..] = body else {
        return None;
    };
    let is_single = descriptor & 0x20 != 0;
    if !is_single {
        let window = rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    let dictionary = match descriptor & 3 {
        3 => 4,
        length => usize::from(length),
    };
    let (length, more) = match descriptor >> 6 {
        0 => (1, 0),
        1 => (2, 256),
        2 => (4, 0),
        _ => (8, 0),
    };
    let size = rest.get(dictionary..dictionary + length)?;
    let size = size
        .iter()
        .rev()
        .fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    Some(size.saturating_add(more))
}

#[cfg(test)]
mod tests;
