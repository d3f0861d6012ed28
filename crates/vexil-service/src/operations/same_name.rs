//! Names that an edit may say, and that it does not change.

use super::Error;

/// Checks that an edit says of something no other name than it has; `what` is such as `name of a tag type`.
pub(super) fn check_same(what: &str, said: Option<&str>, name: &str) -> Result<(), Error> {
    match said {
        Some(said) if said != name => Err(Error::invalid(format!("The {what} cannot be changed."))),
        _ => Ok(()),
    }
}
