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

/// With a window of 2^30 bytes 247 bytes took half a gigabyte and seconds to be refused.
#[test]
fn no_more_is_remembered_than_the_standards_ask_for() {
    // the same text as `TEXT` would be, behind every window that the extension of Brotli names
    for bits in 10..=62_u8 {
        for first in [0x11, 0x91] {
            let body = [&[first, bits], &BROTLI[1..]].concat();
            let read = Coding::Brotli.decode(&body, 1 << 20);
            assert!(matches!(read, Err(ApiError::TooLarge { .. })), "{bits}: {read:?}");
        }
    }
    // what another program made of 100,000 letters with such a window
    const LARGE: &[u8] = &[
        0x11, 0x5e, 0xb9, 0x1a, 0x06, 0x7e, 0x47, 0x82, 0x1d, 0xd3, 0xe1, 0xc6, 0x23, 0x08, 0x2e, 0xbc, 0x14,
        0x99, 0xdb, 0xeb, 0xad, 0x30, 0xb1, 0x3e, 0xa5, 0xd3, 0x95, 0x93, 0x68, 0x72, 0x5b, 0x19, 0x00, 0x16,
        0xd6, 0xc7, 0xf2, 0x0b, 0x08, 0x98, 0x1c,
    ];
    let read = Coding::Brotli.decode(LARGE, 1 << 20);
    assert!(matches!(read, Err(ApiError::TooLarge { .. })), "{read:?}");
    // every window of RFC 7932, each of an empty text: the bits of the window, then an empty last block
    let windows: [(u16, u32); 15] = [
        (0, 1),
        (0b000_0001, 7),
        (0b0011, 4),
        (0b0101, 4),
        (0b0111, 4),
        (0b1001, 4),
        (0b1011, 4),
        (0b1101, 4),
        (0b1111, 4),
        (0b010_0001, 7),
        (0b011_0001, 7),
        (0b100_0001, 7),
        (0b101_0001, 7),
        (0b110_0001, 7),
        (0b111_0001, 7),
    ];
    for (bits, length) in windows {
        let body = (bits | 0b11 << length).to_le_bytes();
        let body = &body[..((length + 2).div_ceil(8)) as usize];
        assert_eq!(
            Coding::Brotli.decode(body, 1 << 20).unwrap(),
            &b""[..],
            "{bits:b}"
        );
    }
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
