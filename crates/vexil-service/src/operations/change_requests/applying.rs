//! Applying a change request: all of its changes, or none.

use vexil_change_request::{ChangeRequest, Effect};

use super::blocked::blocked;
use crate::operations::Error;
use crate::transaction::Transaction;

/// Makes the changes of a request in the edit under construction; `effect` is what they do to it.
///
/// # Errors
///
/// When any of them cannot be made, with every reason; then the edit is as it was.
pub(super) fn apply(tx: &mut Transaction<'_>, request: &ChangeRequest, effect: Effect) -> Result<(), Error> {
    demand_applicable(request, &effect)?;
    tx.apply_request(request.id, effect.outcome.proposed);
    Ok(())
}

/// Refuses what could not be applied as things stand.
pub(super) fn demand_applicable(request: &ChangeRequest, effect: &Effect) -> Result<(), Error> {
    blocked(request, &effect.outcome).map_or(Ok(()), Err)
}
