//! Sets of characters: what stands for a class in a pattern, and how large it is.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};
use regex_syntax::utf8::Utf8Sequences;

use super::names::{CATEGORIES, SCRIPTS};

/// The class of one character, or of a range of code points; surrogates are no characters.
pub(super) fn range(low: u32, high: u32) -> ClassUnicode {
    const SURROGATES: (u32, u32) = (0xd800, 0xdfff);
    let below = (low, high.min(SURROGATES.0 - 1));
    let above = (low.max(SURROGATES.1 + 1), high);
    let ranges = [below, above].into_iter().filter_map(|(low, high)| {
        let (low, high) = (char::from_u32(low)?, char::from_u32(high)?);
        (low <= high).then(|| ClassUnicodeRange::new(low, high))
    });
    ClassUnicode::new(ranges)
}

/// `\d`, `\w`, `\s`, by their letter.
pub(super) fn perl(letter: char) -> Option<ClassUnicode> {
    Some(match letter {
        'd' => of("09"),
        'w' => of("09AZ__az"),
        's' => of("\t\n\x0c\r  "),
        _ => return None,
    })
}

/// `alpha` of `[:alpha:]`.
pub(super) fn posix(name: &str) -> Option<ClassUnicode> {
    Some(match name {
        "alnum" => of("09AZaz"),
        "alpha" => of("AZaz"),
        "ascii" => of("\0\x7f"),
        "blank" => of("\t\t  "),
        "cntrl" => of("\0\x1f\x7f\x7f"),
        "digit" => of("09"),
        "graph" => of("!~"),
        "lower" => of("az"),
        "print" => of(" ~"),
        "punct" => of("!/:@[`{~"),
        "space" => of("\t\r  "),
        "upper" => of("AZ"),
        "word" => of("09AZ__az"),
        "xdigit" => of("09AFaf"),
        _ => return None,
    })
}

/// `Greek` or `Lu` of `\p{…}`: a general category, a script, or `Any`.
pub(super) fn property(name: &str) -> Option<ClassUnicode> {
    match name {
        "Any" => return Some(of("\0\u{10ffff}")),
        "Cs" => return Some(ClassUnicode::empty()),
        // unassigned characters are of no category here
        "C" => {
            let mut all = property("Cc")?;
            ["Cf", "Co"]
                .iter()
                .filter_map(|part| property(part))
                .for_each(|part| all.union(&part));
            return Some(all);
        }
        _ => {}
    }
    let query = if CATEGORIES.contains(&name) {
        format!("\\p{{gc={name}}}")
    } else if SCRIPTS.contains(&name) {
        format!("\\p{{sc={name}}}")
    } else {
        return None;
    };
    match regex_syntax::parse(&query).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class),
        _ => None,
    }
}

/// Adds whatever is the same letter in another case. Only what lies where letters have cases is looked at,
/// since that is done character by character.
pub(super) fn fold(class: &mut ClassUnicode) {
    const CASED: &[(char, char)] = &[
        ('A', '\u{24f}'),
        ('\u{250}', '\u{2ff}'),
        ('\u{345}', '\u{345}'),
        ('\u{370}', '\u{58f}'),
        ('\u{10a0}', '\u{10ff}'),
        ('\u{13a0}', '\u{13ff}'),
        ('\u{1c80}', '\u{1cbf}'),
        ('\u{1d70}', '\u{1d8f}'),
        ('\u{1e00}', '\u{1fff}'),
        ('\u{2100}', '\u{218f}'),
        ('\u{24b0}', '\u{24ff}'),
        ('\u{2c00}', '\u{2d2f}'),
        ('\u{a640}', '\u{a69f}'),
        ('\u{a720}', '\u{a7ff}'),
        ('\u{ab50}', '\u{abbf}'),
        ('\u{fb00}', '\u{fb1f}'),
        ('\u{ff20}', '\u{ff5f}'),
        ('\u{10400}', '\u{105bf}'),
        ('\u{10c80}', '\u{10dff}'),
        ('\u{118a0}', '\u{118df}'),
        ('\u{16e40}', '\u{16eff}'),
        ('\u{1e900}', '\u{1e94f}'),
    ];
    let ranges = CASED
        .iter()
        .map(|(low, high)| ClassUnicodeRange::new(*low, *high));
    let mut cased = ClassUnicode::new(ranges);
    cased.intersect(class);
    // fails only without the tables, which are compiled in
    let _ = cased.try_case_fold_simple();
    class.union(&cased);
}

/// How many byte ranges tell the class from other text.
pub(super) fn weight(class: &ClassUnicode) -> usize {
    let weight_of = |range: &ClassUnicodeRange| {
        let sequences = Utf8Sequences::new(range.start(), range.end());
        sequences.map(|sequence| sequence.len()).sum::<usize>()
    };
    class.iter().map(weight_of).sum::<usize>().max(1)
}

/// The class of ranges that are written as pairs of letters.
fn of(pairs: &str) -> ClassUnicode {
    let mut letters = pairs.chars();
    let ranges = std::iter::from_fn(|| Some(ClassUnicodeRange::new(letters.next()?, letters.next()?)));
    ClassUnicode::new(ranges)
}

#[cfg(test)]
mod tests {
    use super::{fold, range};

    #[test]
    fn every_letter_with_another_case_is_folded() {
        for letter in '\0'..=char::MAX {
            let changed = letter.to_lowercase().ne([letter]) || letter.to_uppercase().ne([letter]);
            if changed {
                let (mut quick, mut thorough) = (
                    range(letter.into(), letter.into()),
                    range(letter.into(), letter.into()),
                );
                fold(&mut quick);
                thorough.case_fold_simple();
                assert_eq!(quick, thorough, "{letter:?}");
            }
        }
    }
}
