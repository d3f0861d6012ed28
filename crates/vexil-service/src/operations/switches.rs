//! Flags turned on and off in an environment.

use vexil_change_request::{Change, UpdateEnabled};
use vexil_domain::{EnvironmentName, FlagName, ProjectId};

use super::direct::{EditScope, change_flags, check_environment, find_live_flag};
use crate::operations::Error;
use crate::transaction::Transaction;

/// Turns flags on or off in an environment of their project: all, or none.
pub fn turn(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    environment: &EnvironmentName,
    flags: &[FlagName],
    update: UpdateEnabled,
) -> Result<(), Error> {
    for flag in flags {
        find_live_flag(&tx.snapshot, project.as_str(), flag.as_str())?;
        check_environment(&tx.snapshot, project, environment, flag)?;
    }
    let changes = flags
        .iter()
        .map(|flag| (flag.clone(), Change::UpdateEnabled(update)));
    change_flags(tx, &EditScope::in_environment(project, environment), changes)
}
