//! What somebody must be allowed to do who imports: what each of its parts takes by itself.

use vexil_access::Permission;
use vexil_admin_api::change_requests::Proposal;
use vexil_admin_api::import::Import;
use vexil_change_request::Change;

use super::fate::{Fate, fate, missing_fields};
use crate::permission::Place;
use crate::transaction::Transaction;

/// The permissions, each once, with where they count. Proposing changes takes none.
pub(super) fn needed(
    tx: &Transaction<'_>,
    import: &Import,
    proposals: &[Proposal],
    protected: bool,
) -> Vec<(Permission, Place)> {
    let project = Place::of_project(&import.project);
    let here = Place {
        environment: Some(import.environment.clone()),
        ..project.clone()
    };
    let mut needed = vec![(Permission::UpdateFeature, project.clone())];
    let mut add = |permission: Permission, place: &Place| {
        if !needed
            .iter()
            .any(|(known, at)| *known == permission && at == place)
        {
            needed.push((permission, place.clone()));
        }
    };
    let mut flags = import.flags.iter();
    if flags.any(|flag| matches!(fate(&tx.snapshot, flag), Fate::Made)) {
        add(Permission::CreateFeature, &project);
    }
    let mut types = import.tag_types.iter();
    if types.any(|(name, _)| !tx.snapshot.tag_types.contains_key(name)) {
        add(Permission::CreateTagType, &Place::default());
    }
    for (_, form) in missing_fields(tx, import) {
        match form.project {
            Some(_) => add(Permission::UpdateProject, &project),
            None => add(Permission::CreateContextField, &Place::default()),
        }
    }
    if protected {
        return needed;
    }
    for proposal in proposals {
        match &*proposal.change {
            Change::AddStrategy(_) => add(Permission::CreateFeatureStrategy, &here),
            Change::DeleteStrategy { .. } => add(Permission::DeleteFeatureStrategy, &here),
            Change::PatchVariant { .. } => add(Permission::UpdateFeatureEnvironmentVariants, &here),
            Change::AddDependency(_) | Change::DeleteDependency { .. } => {
                add(Permission::UpdateFeatureDependency, &project);
            }
            _ => add(Permission::UpdateFeatureEnvironment, &here),
        }
    }
    needed
}
