//! Fields with values as one line of text: `plan=enterprise;country=NO,SE`.
//!
//! A backslash before `,`, `;`, `=`, a space or another backslash makes that letter part of a name or value: `company=Acme\, Inc`.
//! Before any other letter it is a letter like others, so that `DOMAIN\user` needs none.

use std::collections::HashSet;

/// The letters that a backslash makes part of a name or value.
const MARKS: &str = ",;=\\ ";

/// A field with values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The field.
    pub field: String,
    /// Its values; an empty one says that the field is unset.
    pub values: Vec<String>,
    /// The first value that begins or ends with a bare space, which is kept, and is seldom meant.
    pub padded: Option<String>,
}

/// A letter, and whether a backslash stood before it.
type Letter = (char, bool);

fn letters(text: &str) -> Vec<Letter> {
    let mut letters = Vec::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match rest.next_if(|next| letter == '\\' && MARKS.contains(*next)) {
            Some(marked) => letters.push((marked, true)),
            None => letters.push((letter, false)),
        }
    }
    letters
}

fn is_blank((letter, marked): &Letter) -> bool {
    letter.is_whitespace() && !marked
}

fn joined(letters: &[Letter]) -> String {
    letters.iter().map(|(letter, _)| *letter).collect()
}

fn trimmed(mut letters: &[Letter]) -> &[Letter] {
    while let Some((_, rest)) = letters.split_first().filter(|(first, _)| is_blank(first)) {
        letters = rest;
    }
    while let Some((_, rest)) = letters.split_last().filter(|(last, _)| is_blank(last)) {
        letters = rest;
    }
    letters
}

/// Reads fields with values. Names are trimmed, values are not.
///
/// # Errors
///
/// Why it is none, for people: a part without `=`, one that names no field, or a field that is named twice.
pub fn read_assignments(text: &str) -> Result<Vec<Assignment>, String> {
    let all = letters(text);
    let mut found: Vec<Assignment> = Vec::new();
    let mut known = HashSet::new();
    for part in all.split(|letter| *letter == (';', false)) {
        let said = joined(part);
        if part.iter().all(is_blank) {
            continue;
        }
        let Some(place) = part.iter().position(|letter| *letter == ('=', false)) else {
            return Err(format!("`{said}` says no value; write it as `field=value,value`"));
        };
        let (name, values) = part.split_at(place);
        let values = values.get(1..).unwrap_or_default();
        let field = joined(trimmed(name));
        if field.is_empty() {
            return Err(format!(
                "`{said}` names no field; write it as `field=value,value`"
            ));
        }
        if !known.insert(field.clone()) {
            return Err(format!(
                "names `{field}` twice; write all its values as `{field}=value,value`"
            ));
        }
        let values: Vec<&[Letter]> = values.split(|letter| *letter == (',', false)).collect();
        let padded = values.iter().find(|value| trimmed(value).len() < value.len());
        found.push(Assignment {
            field,
            padded: padded.map(|value| joined(value)),
            values: values.into_iter().map(joined).collect(),
        });
    }
    Ok(found)
}

/// A field with one value, as [`read_assignments`] reads it.
#[must_use]
pub fn assignment(field: &str, value: &str) -> String {
    let escaped = |text: &str| -> String {
        let mut all = String::with_capacity(text.len());
        for letter in text.chars() {
            if MARKS.contains(letter) {
                all.push('\\');
            }
            all.push(letter);
        }
        all
    };
    format!("{}={}", escaped(field), escaped(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let texts = [
            "a",
            "a,b",
            ",",
            ";",
            "=",
            "\\",
            "\\\\",
            "\\,",
            "a\\b",
            " ",
            " a ",
            "a\\",
            "",
            "\n",
            "'",
            "\u{202e}",
            "a=b;c=d,e\\",
        ];
        for value in texts {
            for field in texts
                .into_iter()
                .filter(|field| !field.is_empty() && !field.contains('\n'))
            {
                let text = [assignment(field, value), assignment("last", "x")].join(";");
                let read = read_assignments(&text).unwrap();
                let pairs: Vec<_> = read
                    .iter()
                    .map(|one| (one.field.as_str(), one.values.as_slice()))
                    .collect();
                assert_eq!(
                    pairs,
                    [(field, &[value.to_owned()][..]), ("last", &["x".to_owned()][..])],
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn bare_marks_separate_and_other_backslashes_stay() {
        let read = |text: &str| read_assignments(text).unwrap();
        assert_eq!(read("a=1,2; b = DOMAIN\\user ;;")[0].values, ["1", "2"]);
        let second = &read("a=1,2; b = DOMAIN\\user ;;")[1];
        assert_eq!(
            (second.field.as_str(), second.values.as_slice()),
            ("b", &[" DOMAIN\\user ".to_owned()][..])
        );
        assert_eq!(second.padded.as_deref(), Some(" DOMAIN\\user "));
        assert_eq!(read("a=x\\ ,y")[0].padded, None);
        assert_eq!(read("a==b")[0].values, ["=b"]);
        for wrong in ["a", "=x", " =x", "=", "a=1;a=2", "a=1; a =2", "a\\=1"] {
            assert!(read_assignments(wrong).is_err(), "{wrong}");
        }
    }
}
