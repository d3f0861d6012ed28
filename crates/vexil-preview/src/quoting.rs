//! Texts of people within sentences.

use std::borrow::Cow;

/// A text as it is read in a sentence: what could be taken for the sentence's own words stands in quotes, and no letter is
/// in it that cannot be seen.
#[must_use]
pub fn quoted(text: &str) -> String {
    readable(text).into_owned()
}

/// The same; most texts stay as they are.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_alphanumeric() || "-_.@:/+".contains(letter);
    let word = ["or", "nor", "and", "unset", "set"].contains(&text);
    if !text.is_empty() && !word && text.chars().all(plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(coded(text))
    }
}

/// A text in quotes, whatever it is.
pub(crate) fn coded(text: &str) -> String {
    format!("`{}`", text.escape_debug().to_string().replace('`', "\\`"))
}

/// A pattern between slashes, as it is written but for slashes and for letters that cannot be seen.
pub(crate) fn pattern(text: &str) -> String {
    let mut told = "/".to_owned();
    let mut escaped = false;
    for letter in text.chars() {
        match letter {
            '\\' | '"' | '\'' => told.push(letter),
            '/' if !escaped => told.push_str("\\/"),
            _ => told.extend(letter.escape_debug()),
        }
        escaped = letter == '\\' && !escaped;
    }
    told.push('/');
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unseen_and_nothing_of_the_sentence_stands_bare() {
        for hostile in [
            "\0",
            "a\u{202e}b",
            "NO, plan is pro",
            "a\nb",
            "x` or `y",
            "",
            "or",
            "\u{feff}",
        ] {
            let told = quoted(hostile);
            let inner = told.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
            assert!(
                inner.is_some_and(|inner| !inner.replace("\\`", "").contains('`')),
                "{told}"
            );
            let mut letters = told.chars().chain(pattern(hostile).chars().collect::<Vec<_>>());
            assert!(!letters.any(|letter| letter.is_control() || "\u{202e}\u{feff}".contains(letter)));
        }
        assert_eq!(quoted("NO"), "NO");
    }

    #[test]
    fn a_pattern_ends_at_its_last_slash() {
        assert_eq!(pattern(r#"^\d+\."x'$"#), r#"/^\d+\."x'$/"#);
        assert_eq!(pattern("a/ or is b"), r"/a\/ or is b/");
        assert_eq!(pattern(r"a\/\\/"), r"/a\/\\\//");
    }
}
