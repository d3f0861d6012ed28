//! Which applications are known, from what they registered and what they reported.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::Reader;
use vexil_admin_api::applications::{Application, Instance};
use vexil_store::{Reported, StoreError};

/// The names of all applications that have registered or reported.
pub fn names(store: Reader<'_>) -> Result<BTreeSet<String>, StoreError> {
    let mut names = store.registered_applications()?;
    names.append(&mut store.reporting_applications()?);
    Ok(names)
}

/// What is known of some applications, by name.
pub fn details(store: Reader<'_>, names: &[String]) -> Result<BTreeMap<String, Application>, StoreError> {
    let mut applications: BTreeMap<String, Application> = names
        .iter()
        .map(|name| (name.clone(), Application::default()))
        .collect();
    for instance in store.instances(names)? {
        let said = instance.registration;
        let application = applications.entry(said.key.application).or_default();
        application.instances.push(Instance {
            id: said.key.instance,
            environment: said.key.environment,
            sdk_version: said.sdk_version,
            strategies: said.strategies,
            first_seen: instance.first_seen,
            last_seen: said.seen_at,
        });
    }
    for by in store.reported_by(&Reported::Applications(names.to_vec()))? {
        let application = applications.entry(by.application).or_default();
        let environments = application.reported.entry(by.flag).or_default();
        environments.insert(by.environment);
        application.last_report = application.last_report.max(Some(by.last));
    }
    Ok(applications)
}
