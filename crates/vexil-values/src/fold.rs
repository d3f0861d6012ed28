//! Texts without regard to case.

/// A character as it counts where case is ignored: in lower case by Unicode, and ς as σ. One character
/// may become several (`İ` is `i` and a dot).
///
/// What lower-casing both sides would match, this matches as well: the only letter whose lower case
/// depends on its neighbours is the capital sigma, and both of its lower cases are one letter here.
pub fn fold_char(letter: char) -> impl Iterator<Item = char> {
    letter
        .to_lowercase()
        .map(|lower| if lower == 'ς' { 'σ' } else { lower })
}

/// A text as it counts where case is ignored: [`fold_char`] of each character.
#[must_use]
pub fn fold(text: &str) -> String {
    text.chars().flat_map(fold_char).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::fold;

    #[test]
    fn a_sigma_is_one_letter_wherever_it_stands() {
        for text in ["ΟΔΟΣ", "οδος", "οδοσ", "Οδός".replace('ό', "ο").as_str()] {
            assert_eq!(fold(text), "οδοσ", "{text}");
        }
    }

    #[test]
    fn one_letter_may_become_two() {
        assert_eq!(fold("İzmir"), "i\u{307}zmir");
        assert_eq!(fold("STRAẞE"), "straße");
    }

    /// Texts in which the lower case of a letter depends on its neighbours, or has several letters.
    fn text() -> impl Strategy<Value = String> {
        "[aAΑαΣσς.'\u{301}\u{ad}İIıißẞǅ ]{0,6}|.{0,4}"
    }

    proptest! {
        #[test]
        fn what_lower_casing_both_sides_matches_is_matched(text in text(), needle in text()) {
            let (lower, lower_needle) = (text.to_lowercase(), needle.to_lowercase());
            let (folded, folded_needle) = (fold(&text), fold(&needle));
            prop_assert!(!lower.contains(&lower_needle) || folded.contains(&folded_needle));
            prop_assert!(!lower.starts_with(&lower_needle) || folded.starts_with(&folded_needle));
            prop_assert!(!lower.ends_with(&lower_needle) || folded.ends_with(&folded_needle));
            prop_assert_eq!(lower.replace('ς', "σ"), folded);
        }

        #[test]
        fn folding_twice_changes_nothing(text in text()) {
            prop_assert_eq!(fold(&fold(&text)), fold(&text));
        }
    }
}
