//! Which applications are known, from what they registered and reported, and from what people have said of them.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_admin_api::applications::{Application, Instance};
use vexil_store::{Reported, StoreError};

use super::known_applications::KnownApplications;
use crate::app::Reader;

/// The names of all applications that have registered or reported, also of those that were forgotten since.
pub fn heard(store: Reader<'_>) -> Result<BTreeSet<String>, StoreError> {
    let mut names = store.registered_applications()?;
    names.append(&mut store.reporting_applications()?);
    Ok(names)
}

/// The names of all applications that are known. `known` is what is kept of them beside what they said themselves.
pub fn names(store: Reader<'_>, known: &KnownApplications) -> Result<BTreeSet<String>, StoreError> {
    let mut names = heard(store)?;
    let forgotten = known.iter().filter(|(_, it)| it.forgotten_at.is_some());
    let forgotten: Vec<String> = forgotten.map(|(name, _)| name.clone()).collect();
    if !forgotten.is_empty() {
        for (name, application) in details(store, known, &forgotten)? {
            if application.instances.is_empty() && application.last_report.is_none() {
                names.remove(&name);
            }
        }
    }
    let said = known.iter().filter(|(_, it)| it.said.is_some());
    names.extend(said.map(|(name, _)| name.clone()));
    Ok(names)
}

/// What is known of some applications, by name. What was heard of one until it was forgotten does not count.
pub fn details(
    store: Reader<'_>,
    known: &KnownApplications,
    names: &[String],
) -> Result<BTreeMap<String, Application>, StoreError> {
    let application = |name: &String| Application {
        said: known.get(name).and_then(|known| known.said.clone()),
        ..Application::default()
    };
    let mut applications: BTreeMap<String, Application> = names
        .iter()
        .map(|name| (name.clone(), application(name)))
        .collect();
    let forgotten_at = |name: &str| known.get(name).and_then(|known| known.forgotten_at);
    let is_forgotten = |name: &str, at: OffsetDateTime| Some(at) <= forgotten_at(name);
    for instance in store.instances(names)? {
        let said = instance.registration;
        if is_forgotten(&said.key.application, said.seen_at) {
            continue;
        }
        let since = forgotten_at(&said.key.application);
        let application = applications.entry(said.key.application).or_default();
        application.instances.push(Instance {
            id: said.key.instance,
            environment: said.key.environment,
            sdk_version: said.sdk_version,
            strategies: said.strategies,
            first_seen: instance.first_seen.max(since.unwrap_or(instance.first_seen)),
            last_seen: said.seen_at,
        });
    }
    for by in store.reported_by(&Reported::Applications(names.to_vec()))? {
        if is_forgotten(&by.application, by.last) {
            continue;
        }
        let application = applications.entry(by.application).or_default();
        let environments = application.reported.entry(by.flag).or_default();
        environments.insert(by.environment);
        application.last_report = application.last_report.max(Some(by.last));
    }
    Ok(applications)
}
