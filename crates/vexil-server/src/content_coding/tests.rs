use std::io::Write;
use std::time::Instant;

use actix_web::http::header::HeaderValue;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use super::*;

const TEXT: &[u8] = br#"{"appName":"a","bucket":{"toggles":{}}}"#;
/// The same, compressed by other programs.
const BROTLI: &[u8] = &[
    0x0b, 0x13, 0x80, 0x7b, 0x22, 0x61, 0x70, 0x70, 0x4e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0x61, 0x22,
    0x2c, 0x22, 0x62, 0x75, 0x63, 0x6b, 0x65, 0x74, 0x22, 0x3a, 0x7b, 0x22, 0x74, 0x6f, 0x67, 0x67, 0x6c,
    0x65, 0x73, 0x22, 0x3a, 0x7b, 0x7d, 0x7d, 0x7d, 0x03,
];
const ZSTD: &[u8] = &[
    0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x27, 0x39, 0x01, 0x00, 0x7b, 0x22, 0x61, 0x70, 0x70, 0x4e, 0x61, 0x6d,
    0x65, 0x22, 0x3a, 0x22, 0x61, 0x22, 0x2c, 0x22, 0x62, 0x75, 0x63, 0x6b, 0x65, 0x74, 0x22, 0x3a, 0x7b,
    0x22, 0x74, 0x6f, 0x67, 0x67, 0x6c, 0x65, 0x73, 0x22, 0x3a, 0x7b, 0x7d, 0x7d, 0x7d,
];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn what_was_compressed_is_read() {
    let halves = [gzip(&TEXT[..9]), gzip(&TEXT[9..])].concat();
    for (coding, body) in [
        (Coding::Gzip, gzip(TEXT)),
        (Coding::Gzip, [halves.clone(), vec![0; 700]].concat()),
        (Coding::Gzip, halves),
        (Coding::Deflate, zlib(TEXT)),
        (Coding::Deflate, deflate(TEXT)),
        (Coding::Brotli, BROTLI.to_vec()),
        (Coding::Zstd, ZSTD.to_vec()),
    ] {
        assert_eq!(coding.decode(&body, 1 << 20).unwrap(), TEXT, "{coding:?}");
        assert_eq!(coding.decode(&body, TEXT.len()).unwrap(), TEXT, "{coding:?}");
        let too_large = coding.decode(&body, TEXT.len() - 1);
        assert!(matches!(too_large, Err(ApiError::TooLarge { .. })), "{coding:?}");
    }
}

#[test]
fn members_that_say_nothing_count_as_well() {
    let limit = 1 << 20;
    let most = 2 + limit / MEMBER;
    for text in [&b""[..], b" "] {
        let many = Coding::Gzip.decode(&gzip(text).repeat(most), limit);
        assert_eq!(many.unwrap().len(), text.len() * most);
        let more = Coding::Gzip.decode(&gzip(text).repeat(most + 1), limit);
        assert!(matches!(more, Err(ApiError::TooLarge { .. })), "{more:?}");
    }
}

#[test]
fn what_is_broken_is_refused() {
    for (coding, body) in [
        (Coding::Gzip, gzip(TEXT)),
        (Coding::Deflate, zlib(TEXT)),
        (Coding::Brotli, BROTLI.to_vec()),
        (Coding::Zstd, ZSTD.to_vec()),
    ] {
        for end in 1..body.len() {
            let read = coding.decode(&body[..end], 1 << 20);
            assert!(
                matches!(read, Err(ApiError::Operation(Error::Invalid { .. }))),
                "{coding:?} {end}: {read:?}"
            );
        }
        if coding == Coding::Gzip {
            // padding is zeros, and nothing stands behind it
            for tail in [
                &b"\0x"[..],
                b"x",
                b"\x1f",
                b"\x1f\x8b",
                &[&[0; 9], gzip(TEXT).as_slice()].concat(),
            ] {
                let body = [body.as_slice(), tail].concat();
                assert!(coding.decode(&body, 1 << 20).is_err(), "{tail:?}");
            }
        }
        let nonsense = coding.decode(b"{\"appName\":\"a\"}", 1 << 20);
        assert!(nonsense.is_err(), "{coding:?}");
    }
}

/// A gigabyte of zeros takes 1 MiB of gzip; no more than the limit is made of it.
#[test]
fn a_bomb_costs_no_more_than_the_limit() {
    let bomb = gzip(&vec![0; 64 << 20]);
    let many = bomb.repeat(8);
    let begun = Instant::now();
    for coding in [Coding::Gzip, Coding::Deflate] {
        let body = if coding == Coding::Gzip {
            many.clone()
        } else {
            zlib(&vec![0; 64 << 20])
        };
        assert!(matches!(
            coding.decode(&body, 1 << 20),
            Err(ApiError::TooLarge { .. })
        ));
    }
    // a frame that asks for a window of 2 GiB, and one that says that it is 2^62 bytes long
    let window = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0, 0, 0, 0];
    let size = [0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0];
    for frame in [&window[..], &size] {
        assert!(matches!(
            Coding::Zstd.decode(frame, 1 << 20),
            Err(ApiError::TooLarge { .. })
        ));
    }
    assert!(begun.elapsed().as_secs() < 30);
}

#[test]
fn one_coding_that_is_known_is_understood() {
    let of = |text: &'static str| {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(text));
        Coding::of(&headers)
    };
    assert_eq!(of("GZIP").unwrap(), Some(Coding::Gzip));
    assert_eq!(of("identity").unwrap(), None);
    assert_eq!(of("identity, br").unwrap(), Some(Coding::Brotli));
    assert_eq!(Coding::of(&HeaderMap::new()).unwrap(), None);
    for unknown in ["compress", "gzip, gzip", "br,zstd", "x"] {
        assert!(
            matches!(of(unknown), Err(ApiError::ContentCoding { .. })),
            "{unknown}"
        );
    }
}
