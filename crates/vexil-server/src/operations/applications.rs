//! Which applications are known, from what they registered and what they reported.

use std::collections::BTreeMap;

use crate::app::Reader;
use vexil_admin_api::applications::{Application, Instance};
use vexil_store::{Reported, StoreError};

/// Every application that has registered or reported, by name.
pub(crate) fn known(store: Reader<'_>) -> Result<BTreeMap<String, Application>, StoreError> {
    let mut applications = BTreeMap::<String, Application>::new();
    for instance in store.instances(None)? {
        let said = instance.registration;
        applications
            .entry(said.key.application)
            .or_default()
            .instances
            .push(Instance {
                id: said.key.instance,
                environment: said.key.environment,
                sdk_version: said.sdk_version,
                strategies: said.strategies,
                first_seen: instance.first_seen,
                last_seen: said.seen_at,
            });
    }
    for by in store.reported_by(&Reported::Everything)? {
        let application = applications.entry(by.application).or_default();
        application
            .reported
            .entry(by.flag)
            .or_default()
            .insert(by.environment);
        application.last_report = application.last_report.max(Some(by.last));
    }
    Ok(applications)
}
