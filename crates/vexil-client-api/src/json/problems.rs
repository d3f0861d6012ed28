//! What is wrong with a document, as a list.

use std::io::{self, Write};

use serde_json::Value;

/// One problem of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: a JSON pointer, such as `/body/context/appName`.
    pub path: String,
    /// What is wrong, for a person.
    pub message: String,
}

/// So many problems are told of one document.
const TOLD: usize = 200;

/// The problems found so far. Of very many the first are told, and the others counted.
#[derive(Debug, Default)]
pub struct Problems {
    told: Vec<Problem>,
    more: usize,
}

impl Problems {
    /// No problems yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        if self.are_told() {
            self.count();
            return;
        }
        self.told.push(Problem {
            path: path.into(),
            message: message.into(),
        });
    }

    /// Whether as many are told as will be: what else is wrong is only counted, and need not be put into words.
    pub(super) fn are_told(&self) -> bool {
        self.told.len() >= TOLD
    }

    /// Counts a problem that is not told.
    pub(super) fn count(&mut self) {
        self.more += 1;
    }

    /// Adds an error of the value at `path`: "The `path` property must …. You sent …."
    pub fn refuse(&mut self, path: &str, rule: &str, sent: &Value) {
        if self.are_told() {
            self.count();
            return;
        }
        self.add(
            path,
            format!("The `{path}` property {rule}. You sent {}.", excerpt(sent)),
        );
    }

    /// Whether there is no problem.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// The value, unless there is a problem.
    ///
    /// # Errors
    ///
    /// All problems, when there is any, or when there is no value.
    pub fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<Problem>> {
        match value {
            Some(value) if self.told.is_empty() => return Ok(value),
            None if self.told.is_empty() => self.add("/body", "The document could not be understood."),
            _ => {}
        }
        if self.more > 0 {
            self.told.push(Problem {
                path: "/body".to_owned(),
                message: format!("And {} more problems.", self.more),
            });
        }
        Err(self.told)
    }
}

/// The value as JSON text, cut where it is long. No more than is shown is written.
fn excerpt(value: &Value) -> String {
    const LONGEST: usize = 200;
    let mut cut = Cut {
        text: Vec::new(),
        room: LONGEST + 1,
    };
    let is_whole = serde_json::to_writer(&mut cut, value).is_ok() && cut.text.len() <= LONGEST;
    if is_whole {
        return String::from_utf8_lossy(&cut.text).into_owned();
    }
    cut.text.truncate(LONGEST);
    let end = match std::str::from_utf8(&cut.text) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    };
    cut.text.truncate(end);
    format!("{}…", String::from_utf8_lossy(&cut.text))
}

/// Takes so many bytes and no more.
struct Cut {
    text: Vec<u8>,
    room: usize,
}

impl Write for Cut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = bytes.len().min(self.room);
        if fits == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.room -= fits;
        self.text.extend_from_slice(bytes.get(..fits).unwrap_or_default());
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
