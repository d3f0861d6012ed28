use super::compile;

fn matches(pattern: &str, text: &str) -> bool {
    compile(pattern, false)
        .unwrap_or_else(|reason| panic!("{pattern}: {reason}"))
        .is_match(text)
}

#[test]
fn perl_classes_and_word_boundaries_are_ascii() {
    assert!(matches(r"^\d$", "5") && !matches(r"^\d$", "५"));
    assert!(matches(r"^\D$", "५") && !matches(r"^\D$", "5"));
    assert!(matches(r"^\w$", "k") && !matches(r"^\w$", "é") && !matches(r"(?i)^\w$", "\u{212a}"));
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
    assert!(matches(r"^\<\>\ \-$", "<> -"));
    assert!(matches("^a{,2}$", "a{,2}") && matches("^{$", "{") && matches("^a{2}b{1,}?$", "aab"));
    assert!(matches("^(?P<x>a)(?<y>b)(?i:C)(?s).$", "abc\n"));
    assert!(matches("^\\pL\\p{Greek}$", "éα"));
}

#[test]
fn dollar_is_the_very_end_and_dot_is_no_newline() {
    assert!(!matches("a$", "a\n") && matches("(?m)a$", "a\n") && !matches("^.$", "\n"));
}

#[test]
fn refuses_what_re2_refuses() {
    for pattern in [
        "(regex",
        "(?=a)b",
        "(?<=a)b",
        r"(a)\1",
        r"\Z",
        r"\h",
        r"\u0061",
        "(?x)a b",
        "(?u)a",
        "a**",
        "a+*",
        "a{1001}",
        "a{2}{3}",
        "[b-a]",
        "[[:foo:]]",
        "[a",
        r"[\b]",
        r"\",
        r"\8",
        r"\_",
        "*a",
        r"\C",
        "(?R)a",
        r"[\d-z]x\",
    ] {
        assert!(compile(pattern, false).is_err(), "{pattern}");
    }
}

#[test]
fn too_large_patterns_are_refused() {
    assert!(compile(r"(\pL{500}){500}", false).is_err());
}
