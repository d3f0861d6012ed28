//! Why there is no answer, for a person, and the files that one gives.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use vexil_client_api::json::{ParseError, parse_distinct};
use vexil_service::operations::{Error, given_state::NotUnderstood};

/// A file has at most so many bytes: some times what fifty thousand flags take. What does not end is not read for ever.
pub(super) const MOST_BYTES: u64 = 128 << 20;

/// Why a preview could not be made, for a person.
#[derive(Debug)]
pub(super) struct CommandError(pub(super) String);

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<NotUnderstood> for CommandError {
    fn from(error: NotUnderstood) -> Self {
        Self(error.to_string())
    }
}

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match (error.cause(), &error) {
            (Some(cause), _) => Self(format!("{message} {cause}")),
            (None, Error::Invalid { details, .. }) => {
                let lines: Vec<String> = details.iter().map(|it| with_options(&it.message)).collect();
                match lines.as_slice() {
                    [] => Self(with_options(&message)),
                    [line] => Self(line.clone()),
                    lines => Self(
                        lines
                            .iter()
                            .fold("several things are wrong:".to_owned(), |text, line| {
                                text + "\n  " + line
                            }),
                    ),
                }
            }
            (None, _) => Self(message),
        }
    }
}

/// The members of the questions that options become, and these options.
const OPTIONS: &[(&str, &str)] = &[
    ("/body/atMost", "--at-most"),
    ("/body/context", "--context"),
    ("/body/never", "--never"),
    ("/body/now", "--now"),
    ("/body/only", "--only"),
    ("/body/population/seed", "--seed"),
    ("/body/population/size", "--population"),
    ("/body/seed", "--seed"),
];

/// A problem of a question, told by the options that the question was made of.
fn with_options(message: &str) -> String {
    renamed(message, OPTIONS)
}

/// A problem of changes, told by the option that names their file.
pub(super) fn of_changes(message: &str) -> String {
    renamed(message, &[("/body", "--changes")])
}

fn renamed(message: &str, options: &[(&str, &str)]) -> String {
    options.iter().fold(message.to_owned(), |text, (member, option)| {
        text.replace(&format!("The `{member}` property"), &format!("`{option}`"))
            .replace(&format!("`{member}"), &format!("`{option}"))
    })
}

/// The message of an error with its details.
pub(super) fn error_text<'a>(message: &str, details: impl Iterator<Item = &'a str>) -> String {
    let lines = details
        .filter(|line| *line != message)
        .map(|line| format!("\n  {line}"));
    std::iter::once(message.to_owned()).chain(lines).collect()
}

/// Parses JSON that a person gave; `what` names it.
pub(super) fn parse(text: &[u8], what: &str) -> Result<Value, CommandError> {
    parse_distinct(text, "").map_err(|error| {
        CommandError(match error {
            ParseError::NoJson(error) => format!("{what} is no JSON: {error}"),
            error => format!("{what}: {error}"),
        })
    })
}

/// Reads a file of JSON, or what a pipe holds until it ends.
pub(super) fn read_json(path: &Path) -> Result<Value, CommandError> {
    let failed = |error| CommandError(format!("cannot read `{}`: {error}", path.display()));
    let mut text = Vec::new();
    let file = File::open(path).map_err(failed)?;
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(failed)?;
    if read as u64 > MOST_BYTES {
        let message = format!(
            "`{}` does not end within {} MiB, which is more than is read",
            path.display(),
            MOST_BYTES >> 20
        );
        return Err(CommandError(message));
    }
    if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        let message = format!("`{}` is UTF-16; save it as UTF-8", path.display());
        return Err(CommandError(message));
    }
    // some editors and shells write a mark before UTF-8
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    parse(text, &format!("`{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vexil_admin_api::playground::{DiffQuestion, Part, ProofQuestion};

    use super::{CommandError, Error};

    #[test]
    fn whatever_is_wrong_with_an_option_is_told_by_its_name() {
        let wrong = |body| ProofQuestion::read(&body).map_err(Error::from).unwrap_err();
        let guards = json!({ "never": ["a"], "only": ["=b"], "atMost": "101%" });
        let asked = |body| DiffQuestion::read(&body).map_err(Error::from).unwrap_err();
        let many = json!({ "context": { "appName": 5 }, "suggest": true, "now": "noon", "seed": -1, "population": { "size": 0, "seed": "x" } });
        for (error, options) in [
            (wrong(guards), vec!["`--never`", "`--only`", "`--at-most`"]),
            (
                asked(many),
                vec!["`--context/appName`", "`--now`", "`--seed`", "`--population`"],
            ),
        ] {
            let text = CommandError::from(error).to_string();
            assert!(!text.contains("body"), "{text}");
            for option in options {
                assert!(text.contains(option), "{text}");
            }
        }
    }
}
