//! What is set about projects beside their flags, and what it demands of new flags.

use std::sync::Arc;

use regex_automata::meta::{BuildError, Regex};
use vexil_access::ProjectMode;
use vexil_admin_api::project_document::ShownSettings;
use vexil_admin_api::project_settings::SettingsForm;
use vexil_domain::{FlagName, ProjectId, Write};
use vexil_store::{FlagNaming, LinkTemplate, ProjectSettings};
use vexil_values::Pattern;

use super::{Error, projects};
use crate::serving_state::ServingState;
use crate::transaction::Transaction;

/// How large a compiled pattern may be, in bytes.
const LARGEST_PATTERN: usize = 1 << 16;

/// Sets what the form says.
pub fn edit(tx: &mut Transaction<'_>, id: &ProjectId, form: &SettingsForm) -> Result<(), Error> {
    let mut project = projects::find(&tx.snapshot, id.as_str())?.clone();
    let earlier = tx.access().project(id);
    let mut settings = earlier.clone();
    if let Some(mode) = &form.mode {
        settings.mode = read_mode(mode)?;
    }
    settings.feature_limit = form.feature_limit.unwrap_or(settings.feature_limit);
    if let Some(naming) = &form.naming {
        settings.naming = naming
            .as_ref()
            .filter(|it| !it.pattern.is_empty())
            .map(|it| FlagNaming {
                pattern: it.pattern.clone(),
                example: it.example.clone(),
                description: it.description.clone(),
            });
        if let Some(naming) = &settings.naming {
            check_naming(naming)?;
        }
    }
    if let Some(links) = &form.link_templates {
        let link = |it: &vexil_admin_api::project_settings::LinkForm| LinkTemplate {
            title: it.title.clone(),
            url: it.url.clone(),
        };
        settings.link_templates = links.iter().map(link).collect();
    }
    if settings != earlier {
        tx.access_writes()
            .projects
            .push(Write::Upsert(Arc::new(settings)));
    }
    if let Some(stickiness) = &form.default_stickiness {
        project.default_stickiness = stickiness.clone();
        tx.snapshot.projects.insert(project.id.clone(), Arc::new(project));
    }
    Ok(())
}

/// A mode by name. Private projects would have to be hidden in every list, which is not done yet.
fn read_mode(name: &str) -> Result<ProjectMode, Error> {
    match ProjectMode::from_name(name) {
        Some(mode) if mode != ProjectMode::Private => Ok(mode),
        _ => Err(Error::invalid(
            "A project can be open or protected. Private projects are not supported: nothing would be hidden by it.",
        )),
    }
}

fn compile(pattern: &str) -> Result<Regex, Error> {
    let unusable =
        |why: &dyn std::fmt::Display| Error::invalid(format!("The pattern of names cannot be used: {why}."));
    Pattern::parse(pattern, false).map_err(|error| unusable(&error))?;
    let whole = Pattern::parse(&format!("^(?:{pattern})$"), false).map_err(|error| unusable(&error))?;
    let limits = Regex::config().nfa_size_limit(Some(LARGEST_PATTERN));
    let regex = Regex::builder().configure(limits).build_from_hir(whole.hir());
    regex.map_err(|_too_large: BuildError| unusable(&"it becomes too large"))
}

fn check_naming(naming: &FlagNaming) -> Result<(), Error> {
    let pattern = compile(&naming.pattern)?;
    match &naming.example {
        Some(example) if !example.is_empty() && !pattern.is_match(example) => Err(Error::invalid(format!(
            "The example `{example}` does not match the pattern `{}`.",
            naming.pattern
        ))),
        _ => Ok(()),
    }
}

/// Refuses new flags whose names are not like the project wants names, or for which there is no room.
pub(crate) fn check_new_flags(
    tx: &Transaction<'_>,
    project: &ProjectId,
    names: &[&FlagName],
) -> Result<(), Error> {
    check_names(tx.serving(), project, names)?;
    check_room(tx, project, names.len())
}

/// Refuses names of new flags that are not like the project wants names.
///
/// # Errors
///
/// The first name that is not.
pub fn check_names(serving: &ServingState, project: &ProjectId, names: &[&FlagName]) -> Result<(), Error> {
    let Some(settings) = serving.access.tables.projects.get(project) else {
        return Ok(());
    };
    if let (Some(naming), Some(name)) = (&settings.naming, misnamed(serving, project, names)?.first()) {
        let example = naming
            .example
            .as_ref()
            .map(|it| format!(" A name like `{it}` would do."));
        return Err(Error::invalid(format!(
            "The name `{name}` does not match the pattern `{}` that the project \"{project}\" asks for.{}",
            naming.pattern,
            example.unwrap_or_default()
        )));
    }
    Ok(())
}

/// Those of the names of new flags that are not like the project wants names.
pub(crate) fn misnamed<'n>(
    serving: &ServingState,
    project: &ProjectId,
    names: &[&'n FlagName],
) -> Result<Vec<&'n FlagName>, Error> {
    let settings = serving.access.tables.projects.get(project);
    let Some(naming) = settings.and_then(|settings| settings.naming.as_ref()) else {
        return Ok(Vec::new());
    };
    let pattern = compile(&naming.pattern)?;
    let names = names.iter().copied();
    Ok(names.filter(|name| !pattern.is_match(name.as_str())).collect())
}

/// Refuses so many new flags where the project has no room for them.
pub(crate) fn check_room(tx: &Transaction<'_>, project: &ProjectId, new: usize) -> Result<(), Error> {
    let settings = tx.serving().access.tables.projects.get(project);
    let Some(limit) = settings
        .and_then(|settings| settings.feature_limit)
        .filter(|_| new > 0)
    else {
        return Ok(());
    };
    let count = projects::count_flags(&tx.snapshot, project).total();
    if u32::try_from(count + new).unwrap_or(u32::MAX) <= limit {
        return Ok(());
    }
    let asked = if new == 1 {
        String::new()
    } else {
        format!("; {new} more are asked for")
    };
    Err(Error::InvalidOperation(format!(
        "The project \"{project}\" has {count} flags, and may have {limit}{asked}. Archive some, or raise the limit in its settings."
    )))
}

/// How many people and groups were given something in a project.
pub fn count_members(serving: &ServingState, project: &ProjectId) -> usize {
    let users = serving.users.iter().filter(|user| {
        user.project_roles
            .iter()
            .any(|(in_project, _)| in_project == project)
            || user.grants.iter().any(|grant| grant.project == *project)
    });
    let groups = serving.access.directory.groups();
    let groups = groups.filter(|group| {
        group
            .project_roles
            .iter()
            .any(|(in_project, _)| in_project == project)
    });
    users.count() + groups.count()
}

/// The settings of a project, to be shown.
#[must_use]
pub fn shown(settings: &ProjectSettings, members: usize) -> ShownSettings<'_> {
    let naming = settings.naming.as_ref();
    ShownSettings {
        mode: settings.mode.name(),
        feature_limit: settings.feature_limit,
        naming: (
            naming.map(|it| it.pattern.as_str()),
            naming.and_then(|it| it.example.as_deref()),
            naming.and_then(|it| it.description.as_deref()),
        ),
        link_templates: settings
            .link_templates
            .iter()
            .map(|link| (link.title.as_deref(), link.url.as_str()))
            .collect(),
        members,
        ..ShownSettings::default()
    }
}
