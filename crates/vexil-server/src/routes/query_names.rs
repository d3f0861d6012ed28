//! Which parameters a query of the administration API may have: those that the list of routes names. A list that passes
//! over a filter tells everything, and a script that asked for less acts on it.

use std::collections::BTreeMap;

use vexil_client_api::json::{Problem, Problems};
use vexil_client_api::query::pairs;
use vexil_service::operations::Error;

use super::ApiError;

/// What a route says whose query may have any further parameter: those of the documented interface, where it narrows
/// nothing.
const ANY: &str = "*";

/// The parameters that may be given several times, and as lists: `tag[]` and `tag[0]`. Of any other one value would be
/// passed over. Events are asked for those of one `feature`: their search refuses more of them itself.
const SEVERAL: [&str; 5] = ["tag", "status", "feature", "strategyId", "variantForFlag"];

/// What a parameter must be that says one thing.
pub(super) const ONCE: &str = "must be given once";

/// Refuses a query with parameters that a route does not know, or that are given more often than once.
pub(super) fn check(query: &str, known: &[&str]) -> Result<(), ApiError> {
    let mut problems = Problems::new();
    if known.contains(&ANY) {
        return Ok(());
    }
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in pairs(query) {
        let base = name.split('[').next().filter(|base| SEVERAL.contains(base));
        if !known.contains(&base.unwrap_or(&name)) {
            let Problem { path, message } = unknown(&name, known);
            problems.add(path, message);
        } else if base.is_none()
            && let Some(before) = given.insert(name.clone(), value.clone())
        {
            let path = format!("/query/{name}");
            let message = format!("The `{path}` property {ONCE}. You sent \"{before}, {value}\".");
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
