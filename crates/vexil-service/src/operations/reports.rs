//! What SDKs report: usage, and that they have started.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use vexil_client_api::register::Registered;
use vexil_client_api::usage::{BulkReport, UsageReport};
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Malformed, Packed, Report};
use vexil_store::{ApiToken, InstanceKey, MAX_KEY_BYTES, Registration, ReportKey};

use crate::app::{App, Reader};
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
    let by = Arc::clone(token);
    let Some(checked) = app.parse(length, move |app| counted(app, &by, &text)).await?? else {
        return Ok(());
    };
    let counts = packed(app, token, length, checked).await?;
    app.usage_writer.submit(counts, key, room).await
}

/// Reports under names that are kept, or those that are not known to be.
enum Checked {
    /// What they count.
    Packed(Packed),
    /// Which variants of these flags are stored is to be read first.
    Unread(Vec<Report>, Vec<FlagName>),
}

fn check(app: &App, token: &ApiToken, mut reports: Vec<Report>) -> Result<Checked, Error> {
    let (names, serving) = (app.reported_names(), app.serving());
    let mut unread = BTreeSet::new();
    for report in &mut reports {
        let asked = names.check_or_ask(report, token.id, &serving);
        unread.extend(asked.map_err(Error::internal)?);
    }
    Ok(match unread.is_empty() {
        true => Checked::Packed(pack(&reports)),
        false => Checked::Unread(reports, unread.into_iter().collect()),
    })
}

fn pack(reports: &[Report]) -> Packed {
    let mut packed = reports.iter().map(Report::pack);
    let mut all = packed.next().unwrap_or_default();
    packed.for_each(|counts| all.append(&counts));
    all
}

/// What reports count, under names that are kept. A report is not lost for a name: where the store does not say in time
/// which ones it has, those count that are known.
async fn packed(app: &App, token: &Arc<ApiToken>, length: usize, checked: Checked) -> Result<Packed, Error> {
    let (mut reports, flags) = match checked {
        Checked::Packed(counts) => return Ok(counts),
        Checked::Unread(reports, flags) => (reports, flags),
    };
    let on = app.clone();
    let read = move |store: Reader<'_>| on.reported_names().read_variants(store, &flags, &on.serving());
    if let Err(error) = app.read(read).await {
        tracing::warn!(%error, "the variants that are stored of flags could not be read");
    }
    let (on, token) = (app.clone(), token.id);
    let rest = move |_: &App| {
        let serving = on.serving();
        for report in &mut reports {
            on.reported_names().check(report, token, &serving)?;
        }
        Ok(pack(&reports))
    };
    app.parse(length, rest)
        .await?
        .map_err(|error: Malformed| Error::internal(error))
}

/// What a report counts.
fn counted(app: &App, token: &ApiToken, text: &[u8]) -> Result<Option<Checked>, Error> {
    let environment = environment_name(token)?;
    let report = match UsageReport::read_fast(text, MAX_KEY_BYTES) {
        Some(report) => report,
        None => read_carefully(text)?,
    };
    let report = report.into_report(environment, app.now());
    report.map(|report| check(app, token, vec![report])).transpose()
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
    let by = Arc::clone(token);
    let read = move |app: &App| counted_in_bulk(app, &by, &body);
    let (checked, applications) = app.parse(length, read).await??;
    let counts = packed(app, token, length, checked).await?;
    // last what may not happen twice: whoever is told that something failed sends all of it again
    register(app, token, applications).await?;
    app.usage_writer.submit(counts, key, room).await
}

fn counted_in_bulk(app: &App, token: &ApiToken, body: &Value) -> Result<(Checked, Vec<Registered>), Error> {
    let environment = environment_name(token)?;
    let bulk = BulkReport::read(body, environment, MAX_KEY_BYTES)?;
    let reports = bulk.reports(environment, app.now()).into_iter().collect();
    Ok((check(app, token, reports)?, bulk.applications))
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
