//! What people note about flags and what decides nothing: links, and that a flag is done. Nobody else has to agree.

use std::sync::Arc;

use vexil_admin_api::flag_upkeep::{CompletionForm, FlagLinkForm, is_web_address};
use vexil_domain::{Completion, FeatureFlag, FlagLink, FlagName, ProjectId};

use super::Error;
use super::direct::{find_flag, find_live_flag};
use crate::transaction::Transaction;

/// How many links a flag has at most.
const MOST_LINKS: usize = 50;

/// Adds a link behind the others.
pub fn add_link(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    form: &FlagLinkForm,
) -> Result<(), Error> {
    let mut links = find_flag(&tx.snapshot, project.as_str(), name.as_str())?
        .links
        .clone();
    if links.len() >= MOST_LINKS {
        return Err(Error::InvalidOperation(format!(
            "The feature \"{name}\" has {MOST_LINKS} links already. Remove one first."
        )));
    }
    links.push(FlagLink {
        id: tx.random_strategy_id().to_string(),
        url: form.url.clone(),
        title: form.title.clone().flatten(),
    });
    change(tx, name, |flag| flag.links = links);
    Ok(())
}

/// Adds those of the links that the flag does not have: with the same address and title.
pub(crate) fn add_missing_links(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    forms: &[FlagLinkForm],
) -> Result<(), Error> {
    for form in forms {
        let flag = find_flag(&tx.snapshot, project.as_str(), name.as_str())?;
        let title = form.title.as_ref().and_then(Option::as_ref);
        let is_it = |link: &FlagLink| link.url == form.url && link.title.as_ref() == title;
        if !flag.links.iter().any(is_it) {
            add_link(tx, project, name, form)?;
        }
    }
    Ok(())
}

/// Changes a link. A title of which nothing is said stays.
pub fn change_link(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    id: &str,
    form: &FlagLinkForm,
) -> Result<(), Error> {
    let mut links = find_flag(&tx.snapshot, project.as_str(), name.as_str())?
        .links
        .clone();
    let link = links.iter_mut().find(|link| link.id == id);
    let link = link.ok_or_else(|| missing(name, id))?;
    link.url.clone_from(&form.url);
    if let Some(title) = &form.title {
        link.title.clone_from(title);
    }
    change(tx, name, |flag| flag.links = links);
    Ok(())
}

/// Removes a link.
pub fn remove_link(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    id: &str,
) -> Result<(), Error> {
    let mut links = find_flag(&tx.snapshot, project.as_str(), name.as_str())?
        .links
        .clone();
    let count = links.len();
    links.retain(|link| link.id != id);
    if links.len() == count {
        return Err(missing(name, id));
    }
    change(tx, name, |flag| flag.links = links);
    Ok(())
}

fn missing(name: &FlagName, id: &str) -> Error {
    Error::NotFound(format!(
        "The feature \"{name}\" has no link with the id \"{id}\"."
    ))
}

/// The links that a new flag of a project gets: its templates with their gaps filled, as far as that makes addresses.
pub(super) fn links_of_templates(
    tx: &Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
) -> Vec<FlagLink> {
    let settings = tx.access().project(project);
    let filled = settings.link_templates.iter().filter_map(|template| {
        let url = template
            .url
            .replace("{{project}}", project.as_str())
            .replace("{{feature}}", name.as_str());
        is_web_address(&url).then(|| FlagLink {
            id: tx.random_strategy_id().to_string(),
            url,
            title: template.title.clone(),
        })
    });
    filled.take(MOST_LINKS).collect()
}

/// Says that a live flag is done, and what is left of it. Said again, it is done since the first time.
pub fn complete(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    form: &CompletionForm,
) -> Result<(), Error> {
    let flag = find_live_flag(&tx.snapshot, project.as_str(), name.as_str())?;
    let completed = Completion {
        kept: form.kept,
        value: form.value.clone(),
        at: flag.completed.as_ref().map_or(tx.now, |earlier| earlier.at),
    };
    change(tx, name, |flag| flag.completed = Some(completed));
    Ok(())
}

/// Says that a live flag is not done.
pub fn uncomplete(tx: &mut Transaction<'_>, project: &ProjectId, name: &FlagName) -> Result<(), Error> {
    find_live_flag(&tx.snapshot, project.as_str(), name.as_str())?;
    change(tx, name, |flag| flag.completed = None);
    Ok(())
}

fn change(tx: &mut Transaction<'_>, name: &FlagName, edit: impl FnOnce(&mut FeatureFlag)) {
    if let Some(flag) = tx.snapshot.flags.get_mut(name) {
        edit(Arc::make_mut(flag));
    }
}
