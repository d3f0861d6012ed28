//! Lists of flags that are edited together.

use vexil_client_api::json::{Node, Problems};
use vexil_domain::FlagName;

/// So many flags are edited at once: more take longer than an edit may.
pub const MOST_FLAGS_AT_ONCE: usize = 5_000;

/// Reads a list of names of flags.
pub(super) fn read_list(list: &Node<'_>, problems: &mut Problems) -> Option<Vec<FlagName>> {
    let items = list.array(problems)?;
    if items.len() > MOST_FLAGS_AT_ONCE {
        let message = format!("must name at most {MOST_FLAGS_AT_ONCE} flags at once");
        problems.refuse(list.path(), &message, &items.len().into());
        return None;
    }
    let names = items.iter().filter_map(|item| item.text(problems));
    Some(names.map(FlagName::from).collect())
}
