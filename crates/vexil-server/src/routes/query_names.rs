//! Which parameters a query of the administration API may have: those that the list of routes names. A list that passes
//! over a filter tells everything, and a script that asked for less acts on it.

use vexil_client_api::json::{Problem, Problems};
use vexil_client_api::query::pairs;
use vexil_service::operations::Error;

use super::ApiError;

/// What a route says whose query may have any further parameter: those of the documented interface, where it narrows
/// nothing.
const ANY: &str = "*";

/// Refuses a query with parameters that a route does not know.
pub(super) fn check(query: &str, known: &[&str]) -> Result<(), ApiError> {
    let mut problems = Problems::new();
    if known.contains(&ANY) {
        return Ok(());
    }
    for (name, _) in pairs(query) {
        // lists may be written as `tag[]` and `tag[0]`
        if !known.contains(&name.split('[').next().unwrap_or_default()) {
            let Problem { path, message } = unknown(&name, known);
            problems.add(path, message);
        }
    }
    Ok(problems.finish(Some(())).map_err(Error::from)?)
}

/// That a parameter is not known.
pub(super) fn unknown(name: &str, known: &[&str]) -> Problem {
    let path = format!("/query/{name}");
    let known = match known {
        [] => String::new(),
        known => format!(" There are: {}.", known.join(", ")),
    };
    let message = format!("The `{path}` parameter is not known here.{known}");
    Problem { path, message }
}
