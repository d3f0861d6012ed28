//! What is wrong with a document, as a list.

use serde_json::Value;

/// One fault of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: a JSON pointer, such as `/body/context/appName`.
    pub path: String,
    /// What is wrong, for a person.
    pub message: String,
}

/// The faults found so far.
#[derive(Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// No faults yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fault.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.0.push(Problem {
            path: path.into(),
            message: message.into(),
        });
    }

    /// Adds a fault of the value at `path`: "The `path` property must …. You sent …."
    pub fn refuse(&mut self, path: &str, rule: &str, sent: &Value) {
        self.add(
            path,
            format!("The `{path}` property {rule}. You sent {}.", excerpt(sent)),
        );
    }

    /// Whether there is no fault.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value, unless there is a fault.
    ///
    /// # Errors
    ///
    /// All faults, when there is any, or when there is no value.
    pub fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<Problem>> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            Some(_) => Err(self.0),
            None => {
                if self.0.is_empty() {
                    self.add("/body", "The document could not be understood.");
                }
                Err(self.0)
            }
        }
    }
}

/// The value as JSON text, cut where it is long.
fn excerpt(value: &Value) -> String {
    const LONGEST: usize = 200;
    let text = value.to_string();
    if text.len() <= LONGEST {
        return text;
    }
    let end = (0..=LONGEST)
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}
