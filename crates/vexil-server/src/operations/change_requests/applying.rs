//! Applying a change request: all of its changes, or none.

use vexil_change_request::{ChangeRequest, overlay};

use super::refusals::blocked;
use crate::operations::Error;
use crate::operations::audit::record_edits;
use crate::transaction::Transaction;

/// Makes the changes of a request in the edit under construction.
///
/// # Errors
///
/// When any of them cannot be made, with every reason; then the edit is as it was.
pub(super) fn apply(tx: &mut Transaction<'_>, request: &ChangeRequest) -> Result<(), Error> {
    let outcome = overlay(&tx.snapshot, &request.scope(tx.now), &request.changes);
    if let Some(error) = blocked(request, &outcome) {
        return Err(error);
    }
    let earlier = std::mem::replace(&mut tx.snapshot, outcome.proposed);
    record_edits(tx, &earlier, Some(request.id))
}

/// Refuses what could not be applied as things stand.
pub(super) fn demand_applicable(tx: &Transaction<'_>, request: &ChangeRequest) -> Result<(), Error> {
    let outcome = overlay(&tx.snapshot, &request.scope(tx.now), &request.changes);
    blocked(request, &outcome).map_or(Ok(()), Err)
}
