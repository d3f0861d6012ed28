use regex_automata::meta::Regex;

use super::{Pattern, PatternError};

fn matches(pattern: &str, text: &str) -> bool {
    let parsed = Pattern::parse(pattern, false).unwrap_or_else(|reason| panic!("{pattern}: {reason}"));
    let regex = Regex::builder().build_from_hir(parsed.hir());
    regex.unwrap().is_match(text)
}

fn refused(pattern: &str) -> Option<PatternError> {
    Pattern::parse(pattern, false).err()
}

#[test]
fn perl_classes_and_word_boundaries_are_ascii() {
    assert!(matches(r"^\d$", "5") && !matches(r"^\d$", "५"));
    assert!(matches(r"^\D$", "५") && !matches(r"^\D$", "5"));
    assert!(matches(r"^\w$", "k") && !matches(r"^\w$", "é"));
    // where case is ignored, the Kelvin sign is a k and the long s an s, as RE2 has it
    assert!(matches(r"(?i)^\w$", "\u{212a}") && matches(r"(?i)^[[:lower:]]$", "ſ"));
    assert!(!matches(r"(?i)^\W$", "\u{212a}") && matches(r"(?-i)^\W$", "\u{212a}"));
    assert!(matches(r"^[\w-]$", "-") && !matches(r"^[\w]$", "é") && matches(r"^[\W]$", "é"));
    assert!(matches(r"^\s$", "\t") && !matches(r"^\s$", "\u{a0}") && !matches(r"^\s$", "\u{b}"));
    assert!(matches(r"^[\S]$", "\u{a0}") && matches(r"^[\D]$", "x") && matches(r"^[\d\s]$", " "));
    assert!(matches(r"\bcat\b", "écaté") && !matches(r"\bcat\b", "concat"));
    assert!(matches(r"\Bat\b", "cat"));
}

#[test]
fn set_operations_are_plain_characters() {
    assert!(matches("^[a&&b]$", "&") && matches("^[a&&b]$", "b"));
    assert!(matches("^[a~~b]$", "~") && matches("^[[a]$", "[") && matches("^[a[b]$", "["));
    assert!(matches("^[+--]$", ",") && matches("^[a-]$", "-") && matches("^[]a]$", "]"));
    assert!(matches("^[[:alpha:]1]+$", "a1") && matches("^[[:^alpha:]]$", "1"));
}

#[test]
fn quotes_escapes_and_odd_braces_are_read_as_re2_does() {
    assert!(matches(r"^\Qa.b*\E$", "a.b*") && matches(r"^\Q[", "["));
    assert!(matches(r"^\x41\x{1F642}\101\0$", "A🙂A\0"));
    assert!(matches(r"^\<\>\ \-$", "<> -") && matches(r"^user\_[0-9]+$", "user_7"));
    assert!(matches("^a{,2}$", "a{,2}") && matches("^{$", "{") && matches("^a{2}b{1,}?$", "aab"));
    assert!(matches("^(?P<x>a)(?<y>b)(?i:C)(?s).$", "abc\n"));
    assert!(matches("^\\pL\\p{Greek}$", "éα"));
}

#[test]
fn dollar_is_the_very_end_and_dot_is_no_newline() {
    assert!(!matches("a$", "a\n") && matches("(?m)a$", "a\n") && !matches("^.$", "\n"));
}

#[test]
fn every_escape_of_re2_is_known() {
    // https://github.com/google/re2/wiki/Syntax, "Escape sequences", "Perl character classes", "Empty strings"
    let cases = [
        (r"\a", "\x07"),
        (r"\f", "\x0c"),
        (r"\t", "\t"),
        (r"\n", "\n"),
        (r"\r", "\r"),
        (r"\v", "\x0b"),
        (r"\123", "S"),
        (r"\0", "\0"),
        (r"\12", "\n"),
        (r"\x7F", "\x7f"),
        (r"\x{10FFFF}", "\u{10ffff}"),
        (r"\x{00000041}", "A"),
        (r"\Q.*\E", ".*"),
        (r"\pN", "٣"),
        (r"\PN", "x"),
        (r"\p{Greek}", "σ"),
        (r"\P{Greek}", "s"),
        (r"\p{^Greek}", "s"),
        (r"\P{^Greek}", "σ"),
        (r"\p{Lu}\p{Any}", "ÄB"),
        (r"\d\D\s\S\w\W", "1a x_-"),
    ];
    for (pattern, text) in cases {
        assert!(matches(&format!("^(?:{pattern})$"), text), "{pattern}");
        assert!(matches(&format!(r"\A{pattern}\z"), text), "{pattern}");
    }
    for letter in (0_u8..128)
        .map(char::from)
        .filter(|letter| !letter.is_ascii_alphanumeric())
    {
        assert!(
            matches(&format!("^\\{letter}$"), &letter.to_string()),
            "{letter:?}"
        );
        assert!(
            matches(&format!("^[\\{letter}]$"), &letter.to_string()),
            "{letter:?}"
        );
    }
}

#[test]
fn what_other_dialects_read_otherwise_is_read_as_re2_does() {
    assert!(matches("^a{01}$", "a{01}") && matches("^a{,5}$", "a{,5}") && matches("^a{1,x}$", "a{1,x}"));
    assert!(matches("^[[:a]+$", "[:a") && matches("^[]-a]$", "_") && matches("^[^]]$", "a"));
    assert!(matches("a|", "b") && matches("^(|a)$", "") && matches("(?:)", ""));
    assert!(matches("^(?i)a(?-i)b$", "Ab") && !matches("^(?i)a(?-i)b$", "AB"));
    assert!(matches("^((?i)a)b$", "Ab") && !matches("^((?i)a)b$", "AB"));
    assert!(matches("^(?i:a|b)c$", "Bc") && matches("(?i)^x|^y$", "Y") && matches("(?U)a+", "a"));
    assert!(matches("^(?:a*)*$", "aa") && matches("^(?:^)*a$", "a") && matches("a{0}", ""));
    assert!(!matches(r"[^\x{0}-\x{10FFFF}]", "a") && !matches(r"\x{D800}", "a"));
    assert!(matches(r"^[\x{D7FF}-\x{E000}]$", "\u{e000}"));
    assert!(
        !matches(r"^\p{C}$", "\u{378}"),
        "no category has what is not assigned"
    );
}

#[test]
fn case_is_ignored_by_simple_folding() {
    let parsed = Pattern::parse("^[α-ω]ΟΔΟΣ$", true).unwrap();
    let regex = Regex::builder().build_from_hir(parsed.hir()).unwrap();
    assert!(regex.is_match("Σοδος") && regex.is_match("ςΟΔΟσ"));
    let negated = Pattern::parse("^[^k]$", true).unwrap();
    let regex = Regex::builder().build_from_hir(negated.hir()).unwrap();
    assert!(!regex.is_match("K") && !regex.is_match("\u{212a}") && regex.is_match("l"));
}

#[test]
fn refuses_what_re2_refuses() {
    let refusals = [
        ("(regex", "`)` is missing"),
        ("a)", "`)` closes nothing"),
        ("(?=a)b", "the group `(?=` is not supported"),
        ("(?<=a)b", "the group `(?<=a)b` is not supported"),
        ("(?x)a b", "the group `(?x` is not supported"),
        ("(?u)a", "the group `(?u` is not supported"),
        ("(?R)a", "the group `(?R` is not supported"),
        ("(?-)a", "the group `(?-)` is not supported"),
        ("(?i", "the group `(?i` is not supported"),
        ("(?P<n>a)(?P<n>b)", "two groups are called `n`"),
        (r"(a)\1", r"the escape `\1` is not known"),
        (r"\Z", r"the escape `\Z` is not known"),
        (r"\E", r"the escape `\E` is not known"),
        (r"\h", r"the escape `\h` is not known"),
        (r"\u0061", r"the escape `\u` is not known"),
        (r"\C", r"the escape `\C` is not known"),
        (r"\8", r"the escape `\8` is not known"),
        (r"\é", r"the escape `\é` is not known"),
        (r"\x", r"the escape `\x` is not known"),
        (r"\x{110000}", r"the escape `\x` is not known"),
        (r"\", r"the escape `\` is not known"),
        (r"[\b]", r"the escape `\b` is not known"),
        (r"[\d-z]x\", r"the escape `\` is not known"),
        ("a**", "`*` repeats a repetition; put that in a group"),
        ("a+*", "`*` repeats a repetition; put that in a group"),
        ("a{2}{3}", "`{3}` repeats a repetition; put that in a group"),
        ("*a", "`*` repeats nothing"),
        ("(|+)", "`+` repeats nothing"),
        ("(?i)*", "`*` repeats nothing"),
        (
            "a{1001}",
            "`{1001}` is more than 1000 repetitions, or the wrong way round",
        ),
        (
            "a{2,1}",
            "`{2,1}` is more than 1000 repetitions, or the wrong way round",
        ),
        (
            "(a{50}){21}",
            "`{21}` is more than 1000 repetitions, or the wrong way round",
        ),
        ("[b-a]", "the class `b-a` is not known, or the wrong way round"),
        (
            "[[:foo:]]",
            "the class `[:foo:]` is not known, or the wrong way round",
        ),
        (
            r"\p{Letter}",
            r"the class `\p{Letter}` is not known, or the wrong way round",
        ),
        (
            r"\p{greek}",
            r"the class `\p{greek}` is not known, or the wrong way round",
        ),
        (r"\p{Greek", "`}` is missing"),
        ("[a", "`]` is missing"),
        ("[a-", "`]` is missing"),
        ("[]", "`]` is missing"),
    ];
    for (pattern, reason) in refusals {
        let refusal = refused(pattern).map(|refusal| refusal.to_string());
        assert_eq!(refusal.as_deref(), Some(reason), "{pattern}");
    }
}

#[test]
fn what_is_too_long_too_large_or_too_deep_is_refused() {
    assert!(matches!(
        refused(&"a".repeat(1025)),
        Some(PatternError::TooLong { length: 1025 })
    ));
    assert_eq!(refused(&"a".repeat(1024)), None);
    assert_eq!(refused(r"(\pL{500}){2}"), Some(PatternError::TooLarge));
    assert_eq!(refused(&r"\pL".repeat(340)), Some(PatternError::TooLarge));
    assert_eq!(
        refused(&format!("[{}]", r"\pL".repeat(340))),
        Some(PatternError::TooLarge)
    );
    assert_eq!(
        refused(&format!("{}{}", "(".repeat(300), ")*".repeat(300))),
        Some(PatternError::TooDeep)
    );
    assert_eq!(
        refused(&format!("{}{}", "(".repeat(500), ")".repeat(500))),
        None,
        "groups alone hold nothing"
    );
}
