//! Texts of people within sentences.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Letters that some fonts show nothing for, though they are letters or marks: Unicode's list of what may be passed
/// over in display, as far as it is not told by a letter being unprintable, and the blank of Braille.
const BLANK: [RangeInclusive<char>; 9] = [
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Whether a letter cannot be seen, or looks like a space and is another one: controls, marks of direction, what has no
/// width, and what no font has.
#[must_use]
pub fn is_unseen(letter: char) -> bool {
    if letter == ' ' || letter.is_ascii_graphic() {
        return false;
    }
    // marks join the letter before them, and are seen there
    let mut behind = String::from('a');
    behind.push(letter);
    behind.escape_debug().nth(2).is_some() || BLANK.iter().any(|range| range.contains(&letter))
}

/// A text with the letters that cannot be seen written out, such as `\u{200b}` and `\n`.
#[must_use]
pub fn seen(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    text.chars().for_each(|letter| write_seen(&mut told, letter));
    told
}

fn write_seen(told: &mut String, letter: char) {
    match letter {
        '\n' | '\r' | '\t' => told.extend(letter.escape_debug()),
        _ if is_unseen(letter) => told.extend(letter.escape_unicode()),
        _ => told.push(letter),
    }
}

/// A text as it is read in a sentence: what could be taken for the sentence's own words stands in quotes, and no letter is
/// in it that cannot be seen.
#[must_use]
pub fn quoted(text: &str) -> String {
    readable(text).into_owned()
}

/// The same; most texts stay as they are.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    let plain = |letter: char| (letter.is_alphanumeric() && !is_unseen(letter)) || "-_.@:/+".contains(letter);
    let word = ["or", "nor", "and", "unset", "set"].contains(&text);
    if !text.is_empty() && !word && text.chars().all(plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(coded(text))
    }
}

/// A text in quotes, whatever it is.
pub(crate) fn coded(text: &str) -> String {
    let mut told = String::from('`');
    for (place, letter) in text.chars().enumerate() {
        match letter {
            '`' | '\\' | '\'' | '"' => told.extend(['\\', letter]),
            // a mark would join the quote
            _ if place == 0 && letter.escape_debug().len() > 1 => told.extend(letter.escape_debug()),
            _ => write_seen(&mut told, letter),
        }
    }
    told.push('`');
    told
}

/// A pattern between slashes, as it is written but for slashes and for letters that cannot be seen.
pub(crate) fn pattern(text: &str) -> String {
    let mut told = "/".to_owned();
    let mut escaped = false;
    for letter in text.chars() {
        match letter {
            '\\' | '"' | '\'' => told.push(letter),
            '/' if !escaped => told.push_str("\\/"),
            _ => write_seen(&mut told, letter),
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
    fn letters_that_cannot_be_seen_are_told_from_others_as_on_the_pages() {
        let listed: serde_json::Value =
            serde_json::from_str(include_str!("../../../fixtures/letters/unseen.json")).unwrap();
        let letters = |name: &str| -> Vec<char> {
            let codes = listed[name].as_array().unwrap().iter();
            let codes = codes.map(|code| u32::from_str_radix(code.as_str().unwrap(), 16).unwrap());
            codes.map(|code| char::from_u32(code).unwrap()).collect()
        };
        for letter in letters("unseen") {
            let text = format!("a{letter}b");
            for told in [seen(&text), quoted(&text), pattern(&text)] {
                assert!(!told.contains(letter) && told.contains('\\'), "{letter:?} {told}");
            }
        }
        for letter in letters("seen") {
            let text = format!("a{letter}b");
            assert_eq!(seen(&text), text);
        }
    }

    #[test]
    fn a_pattern_ends_at_its_last_slash() {
        assert_eq!(pattern(r#"^\d+\."x'$"#), r#"/^\d+\."x'$/"#);
        assert_eq!(pattern("a/ or is b"), r"/a\/ or is b/");
        assert_eq!(pattern(r"a\/\\/"), r"/a\/\\\//");
    }
}
