//! What SDKs report: usage, and that they have started.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use vexil_client_api::register::Registered;
use vexil_client_api::usage::{BulkReport, UsageReport};
use vexil_domain::EnvironmentName;
use vexil_metrics::Packed;
use vexil_store::{ApiToken, InstanceKey, MAX_KEY_BYTES, Registration, ReportKey};

use crate::app::App;
use crate::operations::Error;
use crate::operations::json_text::parse_lenient;
use crate::served_environment::ServedEnvironment;
use crate::serving_state::ServingState;

/// The environment that a token is for.
pub(crate) fn environment_name(token: &ApiToken) -> Result<&EnvironmentName, Error> {
    token.environment.as_ref().ok_or_else(|| Error::Forbidden {
        message: "invalid token: it is for no environment; use one that names its environment".to_owned(),
        permissions: Vec::new(),
    })
}

/// The environment that a token is for, ready to be evaluated.
pub fn environment(token: &ApiToken, serving: &ServingState) -> Result<Arc<ServedEnvironment>, Error> {
    let name = environment_name(token)?;
    let environment = serving.environment(name.as_str()).map(Arc::clone);
    environment.ok_or_else(|| Error::NotFound(format!("There is no environment \"{name}\" any more.")))
}

/// Takes in the report of one SDK, under the name that its sender may have for it. Returns once it is stored.
pub async fn take_in(
    app: &App,
    token: &Arc<ApiToken>,
    text: Bytes,
    key: Option<ReportKey>,
) -> Result<(), Error> {
    let length = text.len();
    let room = app.usage_writer.room(length).await?;
    let (on, by) = (app.clone(), Arc::clone(token));
    let Some(counts) = app.parse(length, move || counted(&on, &by, &text)).await?? else {
        return Ok(());
    };
    app.usage_writer.submit(counts, key, room).await
}

/// What a report counts, under names that are kept.
fn counted(app: &App, token: &ApiToken, text: &[u8]) -> Result<Option<Packed>, Error> {
    let environment = environment_name(token)?;
    let report = match UsageReport::read_fast(text, MAX_KEY_BYTES) {
        Some(report) => report,
        None => read_carefully(text)?,
    };
    let Some(mut report) = report.into_report(environment, app.now()) else {
        return Ok(None);
    };
    let checked = app.reported_names().check(&mut report, token.id, &app.serving());
    checked.map_err(Error::internal)?;
    Ok(Some(report.pack()))
}

/// Takes in what a proxy has gathered, which was so many bytes of text. Returns once it is stored.
pub async fn take_in_bulk(
    app: &App,
    token: &Arc<ApiToken>,
    body: Value,
    length: usize,
    key: Option<ReportKey>,
) -> Result<(), Error> {
    let room = app.usage_writer.room(length).await?;
    let (on, by) = (app.clone(), Arc::clone(token));
    let read = move || counted_in_bulk(&on, &by, &body);
    let (counts, applications) = app.parse(length, read).await??;
    // last what may not happen twice: whoever is told that something failed sends all of it again
    register(app, token, applications).await?;
    app.usage_writer.submit(counts, key, room).await
}

fn counted_in_bulk(app: &App, token: &ApiToken, body: &Value) -> Result<(Packed, Vec<Registered>), Error> {
    let environment = environment_name(token)?;
    let bulk = BulkReport::read(body, environment, MAX_KEY_BYTES)?;
    let mut counts = Packed::default();
    let serving = app.serving();
    for mut report in bulk.reports(environment, app.now()) {
        let checked = app.reported_names().check(&mut report, token.id, &serving);
        checked.map_err(Error::internal)?;
        counts.append(&report.pack());
    }
    Ok((counts, bulk.applications))
}

/// What a report is called: by its sender's word for it, which no other token's can be taken for.
#[must_use]
pub fn report_key(token: &ApiToken, key: &str) -> ReportKey {
    let digest = Sha256::new()
        .chain_update(token.secret_hash)
        .chain_update(key.as_bytes());
    ReportKey(digest.finalize().into())
}

fn read_carefully(text: &[u8]) -> Result<UsageReport, Error> {
    let body = if text.is_empty() {
        Value::Object(Map::new())
    } else {
        parse_lenient(text)?
    };
    UsageReport::read(&body, MAX_KEY_BYTES).map_err(Error::from)
}

/// Notes which instances of applications have started.
pub async fn register(app: &App, token: &ApiToken, instances: Vec<Registered>) -> Result<(), Error> {
    let environment = environment_name(token)?;
    let now = app.now();
    let registration = |mut instance: Registered| {
        let names = app.reported_names();
        names.check_instance(&mut instance.application, &mut instance.instance, token.id);
        Registration {
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
        }
    };
    let registrations: Vec<Registration> = instances.into_iter().map(registration).collect();
    if registrations.is_empty() {
        return Ok(());
    }
    app.register(registrations).await
}
