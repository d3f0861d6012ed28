//! Boxes: sets of combinations, described by the values that decide.

use std::fmt;

/// So many values of a condition are named in a sentence.
const NAMED_VALUES: usize = 6;

/// All combinations that meet some conditions. Fields without a condition may have any value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextBox {
    /// Conditions, one a field, that all hold.
    pub conditions: Vec<Condition>,
    /// The other fields that the flag reads.
    pub any: Vec<String>,
}

/// A condition on a field of a matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The field.
    pub field: String,
    /// Distinct values of the matrix, in its order. An empty one means that the field is unset.
    pub values: Vec<String>,
    /// Whether these are all values but the listed ones.
    pub except: bool,
}

impl Condition {
    /// Whether a value of the matrix meets the condition.
    #[must_use]
    pub fn admits(&self, value: &str) -> bool {
        self.values.iter().any(|listed| listed == value) != self.except
    }
}

impl ContextBox {
    /// Whether a combination is in the box. A field that is missing counts as unset.
    #[must_use]
    pub fn holds<'v>(&self, value_of: impl Fn(&str) -> Option<&'v str>) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.all(|condition| condition.admits(value_of(&condition.field).unwrap_or_default()))
    }
}

/// Such as `userId is alice or bob`. Names a few values and counts the rest.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.values.iter().take(NAMED_VALUES);
        let mut texts: Vec<String> = named.map(|value| text(value)).collect();
        if let Some(more @ 1..) = self.values.len().checked_sub(NAMED_VALUES) {
            texts.push(if more == 1 {
                "1 other".to_owned()
            } else {
                format!("{more} others")
            });
        }
        let (is, word) = match (self.except, texts.len()) {
            (false, _) => ("is", "or"),
            (true, 1) => ("is not", "nor"),
            (true, _) => ("is neither", "nor"),
        };
        write!(f, "{} {is} ", self.field)?;
        match texts.split_last() {
            Some((last, [])) => f.write_str(last),
            Some((last, rest)) => write!(f, "{} {word} {last}", rest.join(", ")),
            None => f.write_str("anything"),
        }
    }
}

/// A value as it is read in a sentence.
fn text(value: &str) -> String {
    let plain = !value.contains([',', ' ', '`', '\n']) && !["unset", "or", "nor"].contains(&value);
    match value {
        "" => "unset".to_owned(),
        value if plain => value.to_owned(),
        value => format!("`{value}`"),
    }
}

/// Such as `userId is alice or bob, any country`.
impl fmt::Display for ContextBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conditions = self.conditions.iter().map(ToString::to_string);
        let any = self.any.iter().map(|field| format!("any {field}"));
        let parts: Vec<String> = conditions.chain(any).collect();
        if parts.is_empty() {
            return f.write_str("every context");
        }
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(values: &[&str], except: bool) -> Condition {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Condition {
            field: "userId".to_owned(),
            values,
            except,
        }
    }

    #[test]
    fn conditions_read_as_sentences() {
        for (values, except, sentence) in [
            (&["alice"][..], false, "userId is alice"),
            (&["alice", "bob"], false, "userId is alice or bob"),
            (&["alice", "bob", ""], false, "userId is alice, bob or unset"),
            (&["alice"], true, "userId is not alice"),
            (&["alice", "a b"], true, "userId is neither alice nor `a b`"),
            (
                &["1", "2", "3", "4", "5", "6", "7", "8"],
                false,
                "userId is 1, 2, 3, 4, 5, 6 or 2 others",
            ),
        ] {
            assert_eq!(condition(values, except).to_string(), sentence);
        }
    }

    #[test]
    fn boxes_say_which_fields_do_not_matter() {
        let mut one = ContextBox {
            conditions: vec![condition(&["alice", "bob"], false)],
            any: Vec::new(),
        };
        assert_eq!(one.to_string(), "userId is alice or bob");
        one.any.push("country".to_owned());
        assert_eq!(one.to_string(), "userId is alice or bob, any country");
        assert_eq!(ContextBox::default().to_string(), "every context");
    }
}
