//! Texts that mean something to an evaluation, or nearly do.

use proptest::prelude::*;
use proptest::sample::select;

use crate::memoized::memoized;

/// Any text, with those that break naive code far more often than chance would give them: empty,
/// blank, quoted, composed and decomposed letters, letters that change length with their case,
/// controls, separators, long ones.
pub fn arb_text() -> BoxedStrategy<String> {
    memoized!(String, {
        const ODD: &[&str] = &[
            "",
            " ",
            "  a ",
            "\t",
            "\n",
            "\0",
            "\"",
            "\\",
            "'",
            "a,b",
            ",",
            "a:b",
            ":",
            "é",
            "e\u{301}",
            "ß",
            "SS",
            "İ",
            "i\u{307}",
            "ΟΔΟΣ",
            "οδος",
            "Σ",
            "ς",
            "ΌΔΌΣ Σ",
            "ǅ",
            "ſK",
            "K",
            "ﬁ",
            "ŉ",
            "\u{85}a\u{a0}",
            "\u{2003}",
            "\u{feff}a",
            "日本",
            "🙂",
            "👩\u{200d}🚀",
            "\u{202e}abc",
            "\u{feff}",
            "null",
            "true",
            "__proto__",
            "constructor",
            "%",
            "_",
            "--",
            "\u{1}",
            "\u{ffff}",
            "%zz",
            "../..",
            "<b>",
        ];
        prop_oneof![
            4 => "[a-c]{1,2}",
            3 => select(ODD).prop_map(str::to_owned),
            2 => ".{0,12}",
            1 => "[a-zé🙂]{100,300}",
        ]
        .boxed()
    })
}

/// Decimal numbers in every spelling, boundary values, and what is nearly a number.
pub fn arb_number_text() -> BoxedStrategy<String> {
    memoized!(String, {
        const SPELLINGS: &[&str] = &[
            "0",
            "-0",
            "5",
            "+5",
            "5.",
            ".5",
            "005",
            " 5 ",
            "5e0",
            "0.1",
            "0.30000000000000004",
            "9007199254740993",
            "1e308",
            "1e309",
            "-1e309",
            "1e-400",
            "4.9e-324",
            "NaN",
            "inf",
            "Infinity",
            "0x10",
            "1_000",
            "1,5",
            "５",
            "--1",
            "1e",
            ".",
            "",
        ];
        prop_oneof![
            3 => (-3_i32..6).prop_map(|number| number.to_string()),
            2 => any::<f64>().prop_map(|number| number.to_string()),
            3 => select(SPELLINGS).prop_map(str::to_owned),
        ]
        .boxed()
    })
}

/// Dates and times around a few moments, at the edges of the calendar, and what is nearly a date.
pub fn arb_date_text() -> BoxedStrategy<String> {
    memoized!(String, {
        const EDGES: &[&str] = &[
            "2024-07-01",
            "2024-07-01T00:00:00",
            "2024-07-01T00:00:00Z",
            "2024-07-01T02:00:00+02:00",
            "2024-06-30T23:59:59.999999999Z",
            "2024-07-01T00:00:00.0000000001Z",
            "2024-07-01t00:00:00z",
            "2024-07-01 00:00:00Z",
            "2024-02-29T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "1900-02-29",
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59-23:59",
            "2016-12-31T23:59:60Z",
            "2024-07-01T24:00:00Z",
            "2024-07-01T00:00Z",
            "2024-07-01T00:00",
            "2024-07-01 00:00",
            "2024-07-01t02:00+02:00",
            "2024-07-01T00:00.5Z",
            "2024-07-01T00Z",
            "2024-07-01T00",
            "2024-07-01T",
            "2024-07-01Z",
            "2024-07-01T00:00:00+24:00",
            "2024-07-01T00:00:00+00:60",
            "2024-07-01T00:00:00-00:00",
            "2024-07-01T00:00:00+0200",
            "2024-07-01T00:00:00+02",
            "2024-07-01T00:00:00 Z",
            "2024-07-01T00:00:00.",
            "2024-07-01T00:00:00,5Z",
            "2024-07-01T00:60:00Z",
            "2024-07-01T00:58:60Z",
            "2024-07-01T00:00:61Z",
            "2024-07-01T00:0:00Z",
            " 2024-07-01 ",
            "2024-07",
            "2024",
            "2024-7-1",
            "2024-W27",
            "2024-183",
            "20240701T000000Z",
            "+002024-07-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "Jul 1 2024",
            "２024-07-01",
            "1719792000",
            "1719792000000",
            "yesterday",
        ];
        prop_oneof![
        2 => (0_u32..3, 0_u32..60)
            .prop_map(|(minute, second)| format!("2024-07-01T00:{minute:02}:{second:02}Z")),
        2 => select(EDGES).prop_map(str::to_owned),
        1 => "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,12})?(Z|[+-][01][0-9]:[0-5][0-9])?",
    ]
    .boxed()
    })
}

/// Semantic versions, close to each other, and what is nearly one.
pub fn arb_version_text() -> BoxedStrategy<String> {
    memoized!(String, {
        const ODD: &[&str] = &[
            "1.2",
            "1",
            "1.2.3.4",
            "v1.2.3",
            " 1.2.3",
            "01.2.3",
            "1.2.3-",
            "1.2.3-01",
            "1.2.3-a..b",
            "1.2.3+",
            "18446744073709551615.0.0",
            "18446744073709551616.0.0",
            "1.0.0-99999999999999999999999",
            "1.0.0--",
            "1.0.0-é",
            "",
        ];
        prop_oneof![
            5 => "[0-2]\\.[0-2]\\.[0-2](-(alpha|beta|rc)(\\.[0-9]{1,2})?)?(\\+b[0-9])?",
            2 => select(ODD).prop_map(str::to_owned),
        ]
        .boxed()
    })
}

/// IP addresses of both families, and what is nearly one.
pub fn arb_address_text() -> BoxedStrategy<String> {
    memoized!(String, {
        const ODD: &[&str] = &[
            "::1",
            "2001:db8::5",
            "::ffff:10.0.0.1",
            "2001:DB8:0:0:0:0:0:5",
            "10.0.0.256",
            "010.0.0.1",
            "10.0.0",
            "10.0.0.1/24",
            "localhost",
            " 10.0.0.1",
            "",
        ];
        prop_oneof![
            3 => "10\\.0\\.[01]\\.[0-9]",
            2 => select(ODD).prop_map(str::to_owned),
            1 => any::<std::net::IpAddr>().prop_map(|address| address.to_string()),
        ]
        .boxed()
    })
}

/// Networks of both families, and what is nearly one.
pub fn arb_network_text() -> BoxedStrategy<String> {
    memoized!(String, {
        const ODD: &[&str] = &[
            "0.0.0.0/0",
            "::/0",
            "2001:db8::/32",
            "10.0.1.7/31",
            "10.0.0.0/33",
            "10.0.0.0/",
            "/8",
            "l10.0.0.1",
            " 10.0.0.0/24 ",
        ];
        prop_oneof![
            3 => ("10\\.0\\.[01]\\.[0-9]", 0_u8..34).prop_map(|(address, bits)| format!("{address}/{bits}")),
            2 => select(ODD).prop_map(str::to_owned),
            2 => arb_address_text(),
        ]
        .boxed()
    })
}

/// Regular expressions: plain ones, those that dialects read differently, refused and costly ones.
pub fn arb_pattern_text() -> BoxedStrategy<String> {
    memoized!(String, {
        const PATTERNS: &[&str] = &[
            "^a",
            "b$",
            "a|b",
            "^$",
            ".",
            "[0-9]+",
            "^user-\\d+$",
            "\\bcat\\b",
            "(?i)ABC",
            "(?m)^a$",
            "(?s).",
            "[a&&b]",
            "[^\\W]",
            "\\pL",
            "\\Qa.b\\E",
            "a{2,3}",
            "a{,3}",
            "(a+)+$",
            "(a*)*b",
            "(.*)(.*)(.*)x",
            "(?=a)",
            "(a)\\1",
            "(",
            "[",
            "a**",
            "\\",
            "(?x)a",
            "(\\pL{500}){500}",
        ];
        prop_oneof![
            4 => select(PATTERNS).prop_map(str::to_owned),
            6 => arb_composed_pattern(),
            1 => arb_text(),
        ]
        .boxed()
    })
}

/// Regular expressions put together of everything that RE2 knows, and of some that it does not, often with a
/// part too many or too few.
fn arb_composed_pattern() -> BoxedStrategy<String> {
    memoized!(String, {
        const PARTS: &[&str] = &[
            "a",
            "B",
            "σ",
            "ΟΔΟΣ",
            "k",
            "K",
            "é",
            "🙂",
            " ",
            "-",
            ".",
            "^",
            "$",
            "|",
            "(",
            ")",
            "(?:",
            "(?i)",
            "(?i:",
            "(?-s)",
            "(?ims-U:",
            "(?P<n>",
            "(?<m>",
            "(?=",
            "(?#",
            "[",
            "]",
            "[^",
            "[a-z]",
            "[]a]",
            "[^\\d]",
            "[\\w-]",
            "[[:alpha:]]",
            "[[:^space:]]",
            "[[:x:]]",
            "[a&&b]",
            "[σ-ω]",
            "\\A",
            "\\z",
            "\\b",
            "\\B",
            "\\C",
            "\\Z",
            "\\a",
            "\\f",
            "\\t",
            "\\n",
            "\\r",
            "\\v",
            "\\0",
            "\\12",
            "\\123",
            "\\1",
            "\\8",
            "\\x41",
            "\\x{3c3}",
            "\\x{110000}",
            "\\xg",
            "\\d",
            "\\D",
            "\\s",
            "\\S",
            "\\w",
            "\\W",
            "\\pL",
            "\\PN",
            "\\p{Greek}",
            "\\P{^Lu}",
            "\\p{Any}",
            "\\p{greek}",
            "\\p{",
            "\\Q",
            "\\E",
            "\\Q.*\\E",
            "\\_",
            "\\-",
            "\\/",
            "\\ ",
            "\\<",
            "\\@",
            "\\u0041",
            "\\é",
            "\\",
        ];
        const REPEATS: &[&str] = &[
            "", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{1,3}", "{2,}", "{,2}", "{01}",
            "{3,1}", "{1000}", "{1001}", "{40}?", "**", "{", "}",
        ];
        let part = (select(PARTS), select(REPEATS)).prop_map(|(part, repeat)| format!("{part}{repeat}"));
        proptest::collection::vec(part, 1..7)
            .prop_map(|parts| parts.concat())
            .boxed()
    })
}
