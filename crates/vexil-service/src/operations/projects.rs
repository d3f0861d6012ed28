//! Projects: created, edited, removed, and the environments they use.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_admin_api::project::{EnvironmentAddition, ProjectForm};
use vexil_admin_api::project_document::FlagCounts;
use vexil_change_request::{NewStrategy, validate};
use vexil_domain::{
    ActivationStrategy, ChangeRequestRule, EnvironmentName, Project, ProjectId, Snapshot, Stickiness,
};

use super::same_name::check_same;
use super::segments::check_content;
use crate::operations::Error;
use crate::transaction::Transaction;

/// The project that every instance has from the start.
const DEFAULT: &str = "default";

/// A project, which must be there.
pub fn find<'a>(snapshot: &'a Snapshot, id: &str) -> Result<&'a Project, Error> {
    let missing = || Error::NotFound(format!("There is no project \"{id}\"."));
    snapshot.projects.get(id).map(AsRef::as_ref).ok_or_else(missing)
}

/// The live flags of a project.
#[must_use]
pub fn count_flags(snapshot: &Snapshot, project: &ProjectId) -> FlagCounts {
    let mut counts = FlagCounts::default();
    for flag in snapshot
        .flags
        .values()
        .filter(|flag| flag.project == *project && !flag.is_archived())
    {
        *counts.by_kind.entry(flag.kind.to_string()).or_default() += 1;
        counts.stale += usize::from(flag.stale);
        counts.potentially_stale += usize::from(flag.is_potentially_stale());
    }
    counts
}

/// Creates a project that uses the environments it names, or all that are in use.
pub fn create(tx: &mut Transaction<'_>, id: Option<&str>, form: &ProjectForm) -> Result<Project, Error> {
    let made = match id {
        Some(id) => id.to_owned(),
        None => free_id(&tx.snapshot, &form.name),
    };
    let id = made.as_str();
    if tx.snapshot.projects.contains_key(id) {
        return Err(Error::NameExists(
            "A project with this id already exists.".to_owned(),
        ));
    }
    let named = form.environments.clone();
    let names = named.unwrap_or_else(|| {
        let enabled = tx
            .snapshot
            .environments
            .values()
            .filter(|environment| environment.enabled);
        enabled.map(|environment| environment.name.clone()).collect()
    });
    let mut project = Project {
        id: id.into(),
        name: form.name.clone(),
        description: form.description.clone(),
        created_at: tx.now,
        default_stickiness: Stickiness::Default,
        environments: std::collections::BTreeMap::new(),
        left_environments: std::collections::BTreeMap::new(),
    };
    for name in names {
        check_environment(&tx.snapshot, &name)?;
        let rules = project.environments.entry(name.clone()).or_default();
        rules.change_requests = rule_of(&tx.snapshot, form, &name);
    }
    let outside = form
        .change_requests
        .iter()
        .find(|(name, _)| !project.environments.contains_key(name));
    if let Some((name, _)) = outside {
        return Err(Error::invalid(format!(
            "The project would not use the environment \"{name}\"."
        )));
    }
    put(tx, project.clone())?;
    Ok(project)
}

/// An id for a project of this name that none has: its letters and digits, with a number where it is taken.
fn free_id(snapshot: &Snapshot, name: &str) -> String {
    let mut id = String::new();
    for letter in name.to_lowercase().chars() {
        if letter.is_ascii_alphanumeric() {
            id.push(letter);
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    id.truncate(90);
    let id = id.trim_end_matches('-');
    let id = if id.is_empty() { "project" } else { id };
    let taken = |id: &str| snapshot.projects.contains_key(id);
    let numbered = || {
        (2..)
            .map(|number: u32| format!("{id}-{number}"))
            .find(|id| !taken(id))
    };
    if taken(id) {
        numbered().unwrap_or_default()
    } else {
        id.to_owned()
    }
}

/// The rule about change requests that a new project gets; an environment's own count comes first.
fn rule_of(snapshot: &Snapshot, form: &ProjectForm, name: &EnvironmentName) -> Option<ChangeRequestRule> {
    let (_, asked) = form.change_requests.iter().find(|(other, _)| other == name)?;
    let own = snapshot
        .environments
        .get(name)
        .and_then(|environment| environment.required_approvals);
    Some(ChangeRequestRule::requiring(own.unwrap_or(*asked).clamp(1, 10)))
}

fn check_environment(snapshot: &Snapshot, name: &EnvironmentName) -> Result<(), Error> {
    if snapshot.environments.contains_key(name) {
        return Ok(());
    }
    Err(Error::invalid(format!("There is no environment \"{name}\".")))
}

/// Replaces what a project says of itself, but for its settings.
pub fn edit(tx: &mut Transaction<'_>, id: &str, form: &ProjectForm) -> Result<(), Error> {
    let mut project = find(&tx.snapshot, id)?.clone();
    check_the_rest(&project, form)?;
    project.name.clone_from(&form.name);
    if form.description.is_some() {
        project.description.clone_from(&form.description);
    }
    put(tx, project)
}

/// What a form may say of a project and an edit does not change must be as it is: who sends it would believe it done.
fn check_the_rest(project: &Project, form: &ProjectForm) -> Result<(), Error> {
    check_same("id of a project", form.id.as_deref(), project.id.as_str())?;
    if let Some(named) = &form.environments
        && named.iter().collect::<BTreeSet<_>>() != project.environments.keys().collect()
    {
        return Err(Error::invalid(
            "The environments of a project are not set with the project: POST …/environments lets it use one, DELETE …/environments/{environment} stops that.",
        ));
    }
    let is_other = |(name, needed): &(EnvironmentName, u32)| {
        let rules = project.environments.get(name);
        let rule = rules.and_then(|rules| rules.change_requests.as_ref());
        rule.is_none_or(|rule| rule.required_approvals != *needed)
    };
    if form.change_requests.iter().any(is_other) {
        return Err(Error::invalid(
            "Where changes go through change requests is not set with the project: use PUT …/environments/{environment}/change-requests/config.",
        ));
    }
    Ok(())
}

/// Removes a project that has no live flags. Its archived flags and its segments go with it.
pub fn remove(tx: &mut Transaction<'_>, id: &str) -> Result<(), Error> {
    let project = find(&tx.snapshot, id)?.id.clone();
    if id == DEFAULT {
        return Err(Error::InvalidOperation(
            "You can not delete the default project!".to_owned(),
        ));
    }
    if count_flags(&tx.snapshot, &project).total() > 0 {
        return Err(Error::InvalidOperation(
            "You can not delete a project with active feature flags".to_owned(),
        ));
    }
    tx.snapshot.flags.retain(|_, flag| flag.project != project);
    tx.snapshot
        .segments
        .retain(|_, segment| segment.project.as_ref() != Some(&project));
    tx.snapshot.projects.remove(&project);
    super::ties::project_goes(tx, &project)
}

/// Lets a project use an environment. One that it has used before has the rules it had.
pub fn add_environment(
    tx: &mut Transaction<'_>,
    id: &str,
    addition: &EnvironmentAddition,
) -> Result<(), Error> {
    let mut project = find(&tx.snapshot, id)?.clone();
    let name = &addition.environment;
    if !tx.snapshot.environments.contains_key(name) {
        return Err(Error::NotFound(format!("There is no environment \"{name}\".")));
    }
    if project.environments.contains_key(name) {
        let message = format!("The project \"{id}\" uses the environment \"{name}\" already.");
        return Err(Error::NameExists(message));
    }
    let own = tx
        .snapshot
        .environments
        .get(name)
        .and_then(|environment| environment.required_approvals);
    let rule = ChangeRequestRule::requiring(own.unwrap_or(1));
    let mut rules = project.left_environments.remove(name).unwrap_or_default();
    if addition.change_requests_enabled && rules.change_requests.is_none() {
        rules.change_requests = Some(rule);
    }
    project.environments.insert(name.clone(), rules);
    put(tx, project)
}

/// Takes an environment away from a project. Its flags keep their settings there, and it keeps its rules, for
/// when it comes back.
pub fn remove_environment(tx: &mut Transaction<'_>, id: &str, name: &EnvironmentName) -> Result<(), Error> {
    let mut project = find(&tx.snapshot, id)?.clone();
    let Some(rules) = project.environments.remove(name) else {
        return Ok(());
    };
    project.left_environments.insert(name.clone(), rules);
    let on = |flag: &&mut Arc<vexil_domain::FeatureFlag>| {
        flag.project == project.id
            && flag
                .environments
                .get(name)
                .is_some_and(|settings| settings.enabled)
    };
    for flag in tx.snapshot.flags.values_mut().filter(on) {
        if let Some(settings) = Arc::make_mut(flag).environments.get_mut(name) {
            Arc::make_mut(settings).enabled = false;
        }
    }
    tx.snapshot.projects.insert(project.id.clone(), Arc::new(project));
    Ok(())
}

/// Sets the strategy that flags get when they are switched on without one.
pub fn set_default_strategy(
    tx: &mut Transaction<'_>,
    id: &str,
    name: &EnvironmentName,
    new: &NewStrategy,
) -> Result<(), Error> {
    let mut project = find(&tx.snapshot, id)?.clone();
    let mut problems = validate::strategy(
        &new.name,
        &new.parameters,
        &new.constraints,
        &new.segments,
        &new.variants,
    );
    let old = project
        .environments
        .get(name)
        .and_then(|rules| rules.default_strategy.as_ref());
    problems.extend(validate::unknown_parameter(
        "/parameters",
        &new.name,
        &new.parameters,
        old.filter(|old| old.name == new.name).map(|old| &old.parameters),
    ));
    check_content(&problems)?;
    if !tx.snapshot.strategy_types.contains_key(&new.name) {
        return Err(Error::invalid(format!(
            "Could not find strategy type with name {}",
            new.name
        )));
    }
    if let Some(missing) = new
        .segments
        .iter()
        .find(|id| !tx.snapshot.segments.contains_key(id))
    {
        return Err(Error::NotFound(format!(
            "No segment exists with ID \"{missing}\""
        )));
    }
    let missing = || {
        Error::NotFound(format!(
            "The project \"{id}\" does not use the environment \"{name}\"."
        ))
    };
    let rules = project.environments.get_mut(name).ok_or_else(missing)?;
    rules.default_strategy = Some(ActivationStrategy {
        title: new.title.clone(),
        parameters: new.parameters.clone(),
        constraints: new.constraints.clone(),
        segments: new.segments.clone(),
        variants: new.variants.clone(),
        ..ActivationStrategy::new("default", new.name.clone())
    });
    put(tx, project)
}

fn put(tx: &mut Transaction<'_>, project: Project) -> Result<(), Error> {
    tx.snapshot.projects.insert(project.id.clone(), Arc::new(project));
    Ok(())
}
