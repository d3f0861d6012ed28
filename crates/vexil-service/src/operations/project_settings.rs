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

/// Refuses a new flag whose name is not like the project wants names, or for which there is no room.
pub(crate) fn check_new_flag(
    tx: &Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
) -> Result<(), Error> {
    let Some(settings) = tx.serving().access.tables.projects.get(project) else {
        return Ok(());
    };
    if let Some(naming) = &settings.naming
        && !compile(&naming.pattern)?.is_match(name.as_str())
    {
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
    let count = projects::count_flags(&tx.snapshot, project).total();
    match settings.feature_limit {
        Some(limit) if u32::try_from(count).unwrap_or(u32::MAX) >= limit => {
            Err(Error::InvalidOperation(format!(
                "The project \"{project}\" has {count} flags, and may have {limit}. Archive some, or raise the limit in its settings."
            )))
        }
        _ => Ok(()),
    }
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
