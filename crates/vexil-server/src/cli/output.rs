//! Writing an answer to whoever reads it.

use std::io::{ErrorKind, Write};

use super::error::CommandError;

/// How many there are of something, such as `1 flag` and `2 flags`.
pub(super) fn counted(count: impl ToString, what: &str) -> String {
    match count.to_string() {
        one if one == "1" => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// Writes the whole answer. Whoever has closed the pipe has read enough, as `head` has: what the answer says stands, and
/// so does the exit code.
pub(super) fn write(out: &mut impl Write, text: &str) -> Result<(), CommandError> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CommandError(format!("cannot write the answer: {error}")))
        }
        _ => Ok(()),
    }
}
