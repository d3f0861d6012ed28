//! What SDKs report: usage, and that they have started.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};
use vexil_client_api::register::Registered;
use vexil_client_api::usage::UsageReport;
use vexil_domain::EnvironmentName;
use vexil_metrics::Batch;
use vexil_store::{ApiToken, InstanceKey, MAX_KEY_BYTES, Registration};

use crate::app::App;
use crate::operations::Error;
use crate::routes::body;
use crate::serving_state::{ServedEnvironment, ServingState};

/// The environment that a token is for.
pub(crate) fn environment_name(token: &ApiToken) -> Result<&EnvironmentName, Error> {
    token.environment.as_ref().ok_or_else(|| Error::Forbidden {
        message: "invalid token: it is for no environment; use one that names its environment".to_owned(),
        permissions: Vec::new(),
    })
}

/// The environment that a token is for, ready to be evaluated.
pub(crate) fn environment(token: &ApiToken, serving: &ServingState) -> Result<Arc<ServedEnvironment>, Error> {
    let name = environment_name(token)?;
    let environment = serving.environment(name.as_str()).map(Arc::clone);
    environment.ok_or_else(|| Error::NotFound(format!("There is no environment \"{name}\" any more.")))
}

/// Takes in the report of one SDK. Returns once it is stored.
pub(crate) async fn take_in(app: &App, token: &ApiToken, text: Bytes) -> Result<(), Error> {
    let environment = environment_name(token)?;
    let report = app.parse(text.len(), move || read(&text)).await??;
    match report.into_report(environment, app.now()) {
        Some(report) => app.usage_writer.submit(Batch::from(&report)).await,
        None => Ok(()),
    }
}

fn read(text: &[u8]) -> Result<UsageReport, Error> {
    match UsageReport::read_fast(text, MAX_KEY_BYTES) {
        Some(report) => Ok(report),
        None => read_carefully(text),
    }
}

fn read_carefully(text: &[u8]) -> Result<UsageReport, Error> {
    let body = if text.is_empty() {
        Value::Object(Map::new())
    } else {
        body::parse(text)?
    };
    UsageReport::read(&body, MAX_KEY_BYTES).map_err(Error::from)
}

/// Notes which instances of applications have started.
pub(crate) async fn register(app: &App, token: &ApiToken, instances: Vec<Registered>) -> Result<(), Error> {
    let environment = environment_name(token)?;
    let now = app.now();
    let registration = |instance: Registered| Registration {
        key: InstanceKey {
            application: instance.application,
            environment: environment.clone(),
            instance: instance.instance,
        },
        sdk_version: instance.sdk_version,
        strategies: instance.strategies,
        started: instance.started,
        interval: instance.interval,
        seen_at: now,
    };
    let registrations: Vec<Registration> = instances.into_iter().map(registration).collect();
    if registrations.is_empty() {
        return Ok(());
    }
    app.register(registrations).await
}
