//! What stands against an import, and what should be known of it, in the form that pages show.

use std::collections::BTreeSet;

use serde::Serialize;
use vexil_admin_api::error::ErrorDetail;
use vexil_admin_api::import::Import;
use vexil_change_request::State;
use vexil_domain::FlagName;
use vexil_store::ChangeRequestFilter;

use super::super::known_fields;
use super::super::project_settings::{check_room, misnamed};
use super::fate::{Fate, fate, is_protected};
use super::proposals;
use crate::operations::Error;
use crate::transaction::Transaction;

/// So many things are named in an error; a report names all.
const NAMED: usize = 20;

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What it is, for people.
    pub message: String,
    /// What it is about.
    pub affected_items: Vec<String>,
}

/// A refusal of the whole as a finding; what is no refusal stays an error.
pub(super) fn of_error(error: Error) -> Result<Finding, Error> {
    match error {
        Error::Invalid { message, details } => {
            let item = |detail: ErrorDetail| match detail.path {
                Some(path) if detail.message == message => Some(path),
                Some(path) => Some(format!("{path}: {}", detail.message)),
                None => Some(detail.message).filter(|text| *text != message),
            };
            let items = details.into_iter().filter_map(item);
            Ok(Finding {
                affected_items: items.collect(),
                message: message.clone(),
            })
        }
        Error::Internal { .. }
        | Error::Unavailable { .. }
        | Error::UnknownOutcome { .. }
        | Error::Busy { .. } => Err(error),
        refusal => Ok(Finding {
            message: refusal.to_string(),
            affected_items: Vec::new(),
        }),
    }
}

/// Refuses an import that something stands against, with all of it.
pub(super) fn refuse(tx: &Transaction<'_>, import: &Import) -> Result<(), Error> {
    let found = errors(tx, import)?;
    let in_words = |finding: &Finding| {
        let items = &finding.affected_items;
        let named = items.get(..NAMED).unwrap_or(items).join(", ");
        let more = match items.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!("{} {named}{more}", finding.message);
        text.trim_end().to_owned()
    };
    let sentences: Vec<String> = found.iter().map(in_words).collect();
    if sentences.is_empty() {
        return Ok(());
    }
    Err(Error::Invalid {
        message: sentences.join("; "),
        details: sentences.into_iter().map(ErrorDetail::from).collect(),
    })
}

pub(super) fn add(findings: &mut Vec<Finding>, message: &str, items: impl IntoIterator<Item = String>) {
    let items: BTreeSet<String> = items.into_iter().collect();
    if !items.is_empty() {
        findings.push(Finding {
            message: message.to_owned(),
            affected_items: items.into_iter().collect(),
        });
    }
}

pub(super) fn errors(tx: &Transaction<'_>, import: &Import) -> Result<Vec<Finding>, Error> {
    let mut found = Vec::new();
    let snapshot = &tx.snapshot;
    let strategies = import.flags.iter().flat_map(|flag| &flag.strategies);
    let unknown = strategies.filter(|one| !snapshot.strategy_types.contains_key(&one.value.name));
    add(
        &mut found,
        "There are no such strategy types; create them first:",
        unknown.map(|one| one.value.name.clone()),
    );
    add(
        &mut found,
        "These context fields do not have all the values here that the document says:",
        fields_with_other_values(tx, import)?,
    );
    let elsewhere = import.flags.iter().filter_map(|flag| {
        let known = snapshot.flags.get(&flag.form.name)?;
        let project = &known.project;
        (*project != import.project).then(|| format!("{} (in project {project})", known.name))
    });
    add(
        &mut found,
        "These flags are in other projects, and cannot be imported into this one:",
        elsewhere,
    );
    let names: BTreeSet<&str> = snapshot.segments.values().map(|it| it.name.as_str()).collect();
    let missing = import
        .segments
        .values()
        .filter(|name| !names.contains(name.as_str()));
    add(
        &mut found,
        "There are no segments of these names; create them first:",
        missing.cloned(),
    );
    add(
        &mut found,
        "Flags depend on others that are neither here nor in the document:",
        missing_parents(tx, import),
    );
    let repeated = import.repeated.iter().map(ToString::to_string);
    add(
        &mut found,
        "Flags stand more than once in the document:",
        repeated,
    );
    let made = import
        .flags
        .iter()
        .filter(|flag| matches!(fate(snapshot, flag), Fate::Made));
    let made: Vec<&FlagName> = made.map(|flag| &flag.form.name).collect();
    let misnamed = misnamed(tx.serving(), &import.project, &made)?;
    add(
        &mut found,
        "The project asks for names of another pattern than those of these flags:",
        misnamed.into_iter().map(ToString::to_string),
    );
    if let Err(error) = check_room(tx, &import.project, made.len()) {
        found.push(of_error(error)?);
    }
    Ok(found)
}

/// The fields of the document that are here and may not have a value that the document says.
fn fields_with_other_values(tx: &Transaction<'_>, import: &Import) -> Result<Vec<String>, Error> {
    let known = known_fields::all(&tx.settings())?;
    let differ = import.context_fields.iter().filter(|(name, form)| {
        let Some(known) = known.get(name).filter(|_| !form.legal_values.is_empty()) else {
            return false;
        };
        let here: BTreeSet<&str> = known.legal_values.iter().map(|it| it.value.as_str()).collect();
        form.legal_values
            .iter()
            .any(|it| !here.contains(it.value.as_str()))
    });
    Ok(differ.map(|(name, _)| name.clone()).collect())
}

/// The parents that are nowhere: neither here and live, nor made by the import.
fn missing_parents(tx: &Transaction<'_>, import: &Import) -> Vec<String> {
    let made: BTreeSet<&FlagName> = import
        .flags
        .iter()
        .filter(|flag| matches!(fate(&tx.snapshot, flag), Fate::Made) && !flag.form.archived)
        .map(|flag| &flag.form.name)
        .collect();
    let is_there = |name: &FlagName| {
        let known = tx.snapshot.flags.get(name);
        made.contains(name) || known.is_some_and(|flag| !flag.is_archived())
    };
    let missing = proposals::parents(import).filter(|(name, _)| !is_there(name));
    missing.map(|(name, _)| name.to_string()).collect()
}

pub(super) fn warnings(tx: &Transaction<'_>, import: &Import) -> Result<Vec<Finding>, Error> {
    let mut found = Vec::new();
    let snapshot = &tx.snapshot;
    let strategies = import.flags.iter().flat_map(|flag| &flag.strategies);
    let custom = strategies.filter(|one| {
        let kind = snapshot.strategy_types.get(&one.value.name);
        kind.is_some_and(|kind| !kind.built_in)
    });
    add(
        &mut found,
        "These strategy types are your own; see that their parameters are those of where the document is from:",
        custom.map(|one| one.value.name.clone()),
    );
    let (mut left, mut replaced, mut archived) = (Vec::new(), Vec::new(), Vec::new());
    for flag in &import.flags {
        let name = flag.form.name.to_string();
        match fate(snapshot, flag) {
            Fate::Left => left.push(name),
            Fate::Replaced(known) if known.project == import.project => replaced.push(name),
            Fate::Made if flag.form.archived => archived.push(name),
            _ => {}
        }
    }
    add(
        &mut found,
        "These flags are archived here and are not imported; revive them first:",
        left,
    );
    add(
        &mut found,
        "These flags are archived in the document; they are made without strategies:",
        archived,
    );
    add(
        &mut found,
        "These flags are there already, and are replaced in this environment:",
        replaced,
    );
    add(
        &mut found,
        "Open change requests change these flags:",
        open_requests(tx, import)?,
    );
    if is_protected(snapshot, import) {
        found.push(Finding {
            message: "Changes go through change requests here: what would change in this environment is added to your draft."
                .to_owned(),
            affected_items: Vec::new(),
        });
    }
    Ok(found)
}

/// The flags of the document that open requests in the environment change.
fn open_requests(tx: &Transaction<'_>, import: &Import) -> Result<Vec<String>, Error> {
    let filter = ChangeRequestFilter {
        project: Some(import.project.clone()),
        environment: Some(import.environment.clone()),
        states: State::ALL.iter().copied().filter(|it| it.is_open()).collect(),
        ..ChangeRequestFilter::default()
    };
    let flags: BTreeSet<&FlagName> = import.flags.iter().map(|flag| &flag.form.name).collect();
    let mut found = Vec::new();
    for request in tx.change_requests(&filter)?.items {
        let changed = request.changes.iter().filter_map(|change| change.flag.as_ref());
        let changed = changed.filter(|flag| flags.contains(flag));
        found.extend(changed.map(|flag| format!("{flag} (change request {})", request.id)));
    }
    Ok(found)
}
