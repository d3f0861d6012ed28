//! What becomes of the parts of a document, by what is here.

use vexil_admin_api::context_field::ContextFieldForm;
use vexil_admin_api::import::{Import, ImportedFlag};
use vexil_change_request::rule_at;
use vexil_domain::{FeatureFlag, Snapshot};

use super::super::known_fields;
use crate::transaction::Transaction;

/// What becomes of a flag of the document.
pub(super) enum Fate<'a> {
    /// It is made.
    Made,
    /// What is there is replaced.
    Replaced(&'a FeatureFlag),
    /// It is archived here, and stays as it is.
    Left,
}

pub(super) fn fate<'a>(snapshot: &'a Snapshot, flag: &ImportedFlag) -> Fate<'a> {
    match snapshot.flags.get(&flag.form.name) {
        None => Fate::Made,
        Some(known) if known.is_archived() => Fate::Left,
        Some(known) => Fate::Replaced(known),
    }
}

/// Whether changes in the environment of an import go through change requests.
pub(super) fn is_protected(snapshot: &Snapshot, import: &Import) -> bool {
    let place = (import.project.clone(), import.environment.clone());
    rule_at(snapshot, &place).is_some()
}

/// The context fields of the document that are not there.
pub(super) fn missing_fields<'a>(
    tx: &Transaction<'_>,
    import: &'a Import,
) -> Vec<&'a (String, ContextFieldForm)> {
    let settings = tx.settings();
    let missing = |field: &&(String, _)| known_fields::find(&settings, &field.0).is_err();
    import.context_fields.iter().filter(missing).collect()
}
