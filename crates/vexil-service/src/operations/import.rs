//! Imports: flags come into an environment of a project as a document tells of them, all of it or nothing.
//!
//! What an import changes in its environment is a list of changes, as a change request has them. They are made at once, or,
//! where changes go through change requests, proposed by whoever imports. What decides nothing is made at once everywhere:
//! new flags, which are off; what flags say of themselves; tags, tag types and context fields.

mod fate;
mod findings;
mod proposals;
mod rights;

use serde::Serialize;
use vexil_admin_api::flag::FlagEdit;
use vexil_admin_api::import::{Import, ImportedFlag};
use vexil_admin_api::tag::TagChanges;
use vexil_domain::{FeatureFlag, FlagName};

use super::change_requests::{Identity, add_changes, find_environment, make_at_once};
use super::flag_upkeep::add_missing_links;
use super::{context_fields, flags, tags};
use crate::operations::Error;
use crate::operations::project_settings::check_new_flags;
use crate::permission::Place;
use crate::principal::Principal;
use crate::transaction::Transaction;

use fate::{Fate, fate, is_protected, missing_fields};

pub use findings::Finding;

/// What an import would meet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Report {
    /// Why it would be refused.
    pub errors: Vec<Finding>,
    /// What should be known of it.
    pub warnings: Vec<Finding>,
    /// What whoever asks is not allowed to do and would have to be.
    pub permissions: Vec<Finding>,
}

/// Says what an import would meet, and keeps nothing of it. What no list names is found out by trying.
///
/// # Errors
///
/// When there is no such project or environment, or the database fails.
pub fn validate(tx: &mut Transaction<'_>, who: &Principal, import: &Import) -> Result<Report, Error> {
    who.demand_sight(&Place::of_project(&import.project))?;
    find_environment(&tx.snapshot, &import.project, &import.environment)?;
    let mut report = Report {
        errors: findings::errors(tx, import)?,
        warnings: findings::warnings(tx, import)?,
        permissions: Vec::new(),
    };
    let protected = is_protected(&tx.snapshot, import);
    let proposals = proposals::of(tx, import, protected);
    let needed = rights::needed(tx, import, &proposals, protected);
    let lacking = needed
        .iter()
        .filter(|(permission, place)| !who.may(*permission, place));
    let lacking = lacking.map(|(permission, _)| permission.title().trim_end_matches('.').to_owned());
    findings::add(
        &mut report.permissions,
        "You lack permissions that this import takes:",
        lacking,
    );
    if report.errors.is_empty() && report.permissions.is_empty() {
        let earlier = tx.snapshot.clone();
        let tried = self::import(tx, who, import);
        match tried.and_then(|()| tx.check(&tx.snapshot.since(&earlier))) {
            Ok(()) => {}
            Err(Error::Forbidden { message, permissions }) => report.permissions.push(Finding {
                message,
                affected_items: permissions,
            }),
            Err(error) => report.errors.push(findings::of_error(error)?),
        }
    }
    Ok(report)
}

/// Imports: all of it, or nothing. Strategies of the flags are replaced in the environment of the import, where they are
/// others than the document says; other environments are left alone. Where changes go through change requests, what would
/// change in the environment is added to the pending request of whoever imports, or opens one.
///
/// # Errors
///
/// Everything that stands in the way.
pub fn import(tx: &mut Transaction<'_>, who: &Principal, import: &Import) -> Result<(), Error> {
    who.demand_sight(&Place::of_project(&import.project))?;
    find_environment(&tx.snapshot, &import.project, &import.environment)?;
    findings::refuse(tx, import)?;
    let protected = is_protected(&tx.snapshot, import);
    let proposals = proposals::of(tx, import, protected);
    for (permission, place) in rights::needed(tx, import, &proposals, protected) {
        who.demand(&[permission], &place)?;
    }
    make_what_decides_nothing(tx, import)?;
    if !protected {
        make_at_once(tx, &import.project, &import.environment, &proposals)?;
    } else if !proposals.is_empty() {
        let identity = Identity::from(who);
        add_changes(tx, &identity, &import.project, &import.environment, &proposals)?;
    }
    let mut event = tx.new_event("features-imported");
    event.project = Some(import.project.clone());
    event.environment = Some(import.environment.clone());
    tx.event(event);
    Ok(())
}

fn make_what_decides_nothing(tx: &mut Transaction<'_>, import: &Import) -> Result<(), Error> {
    for (name, form) in missing_fields(tx, import) {
        let project = form.project.is_some().then_some(&import.project);
        context_fields::create(tx, name, form, project)?;
    }
    for (name, form) in &import.tag_types {
        if !tx.snapshot.tag_types.contains_key(name) {
            tags::create_type(tx, name, form)?;
        }
    }
    let earlier = tx.snapshot.clone();
    let is_new = |flag: &&ImportedFlag| matches!(fate(&earlier, flag), Fate::Made);
    let new: Vec<&FlagName> = import
        .flags
        .iter()
        .filter(is_new)
        .map(|it| &it.form.name)
        .collect();
    check_new_flags(tx, &import.project, &new)?;
    for flag in &import.flags {
        match fate(&earlier, flag) {
            Fate::Made => drop(flags::make(tx, &import.project, &flag.form)?),
            Fate::Replaced(known) => replace(tx, import, known, flag)?,
            Fate::Left => continue,
        }
        add_missing_links(tx, &import.project, &flag.form.name, &flag.links)?;
    }
    Ok(())
}

/// Replaces what a flag says of itself, and its tags.
fn replace(
    tx: &mut Transaction<'_>,
    import: &Import,
    known: &FeatureFlag,
    flag: &ImportedFlag,
) -> Result<(), Error> {
    let form = &flag.form;
    let edit = FlagEdit {
        name: None,
        kind: form.kind.clone(),
        description: form.description.clone(),
        stale: form.stale,
        impression_data: form.impression_data,
        archived: None,
    };
    flags::edit(tx, &import.project, &form.name, &edit)?;
    if flag.has_tags && known.tags != form.tags {
        let changes = TagChanges {
            added: form.tags.clone(),
            removed: known.tags.difference(&form.tags).cloned().collect(),
        };
        tags::change(tx, &form.name, &changes)?;
    }
    Ok(())
}
