use serde_json::json;

use super::{mended, parse, parse_lenient};

/// A text whose letters are 1 to 4 bytes of UTF-8, and 1 or 2 units of UTF-16.
const LETTERS: &str = "a\\\"é魚🙂\u{10ffff}";

/// A document whose only text is this one, which may be none.
fn document(text: &[u8]) -> Vec<u8> {
    [b"{\"name\":\"", text, b"\"}"].concat()
}

#[test]
fn a_byte_order_mark_is_passed_over_wherever_json_is_read() {
    for read in [parse, parse_lenient] {
        assert_eq!(read(b"\xef\xbb\xbf{\"a\":1}").ok(), Some(json!({ "a": 1 })));
        assert!(read(b"\xef\xbb\xbf\xef\xbb\xbf{}").is_err());
        assert!(read(b"\xef\xbb\xbf").is_err());
    }
}

#[test]
fn a_text_that_was_cut_anywhere_is_read_leniently_and_refused_otherwise() {
    let units: Vec<u16> = LETTERS.encode_utf16().collect();
    for end in 0..=units.len() {
        for start in 0..=end {
            let cut = units.get(start..end).unwrap_or_default();
            let escaped: String = cut.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let text = document(escaped.as_bytes());
            let expected = json!({ "name": String::from_utf16_lossy(cut) });
            assert_eq!(parse_lenient(&text).ok(), Some(expected), "{escaped}");
            assert_eq!(parse(&text).is_ok(), String::from_utf16(cut).is_ok(), "{escaped}");
        }
    }
    let bytes = LETTERS.replace('\\', "/").replace('"', "'").into_bytes();
    for end in 0..=bytes.len() {
        let cut = bytes.get(..end).unwrap_or_default();
        let text = document(cut);
        let expected = json!({ "name": String::from_utf8_lossy(cut) });
        assert_eq!(parse_lenient(&text).ok(), Some(expected), "{cut:?}");
        assert_eq!(parse(&text).is_ok(), std::str::from_utf8(cut).is_ok(), "{cut:?}");
    }
}

#[test]
fn nothing_but_what_is_no_unicode_is_mended() {
    for (text, expected) in [
        (r"\\ud83d", r"\\ud83d"),
        (r"\\\ud83d", "\\\\\u{fffd}"),
        (r"\ud83d\ude42", r"\ud83d\ude42"),
        (r"\ude42\ud83d", "\u{fffd}\u{fffd}"),
        (r"\ud83d\ud83d\ude42", "\u{fffd}\\ud83d\\ude42"),
        (r"\uD83Dx", "\u{fffd}x"),
        (r"\u+83d", r"\u+83d"),
        (r"\ud83", r"\ud83"),
        (r"\u00e9\n\", "\\u00e9\\n\\"),
        ("\\é", "\\é"),
    ] {
        assert_eq!(mended(text.as_bytes()), expected, "{text}");
    }
    for broken in [&b"{"[..], b"", b"{\"a\":\xff}", b"[\"\\ud83d]", b"nul"] {
        assert!(parse_lenient(broken).is_err(), "{broken:?}");
    }
}
