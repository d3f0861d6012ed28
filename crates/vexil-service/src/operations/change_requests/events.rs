//! What happened to a change request, for the audit log.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use time::format_description::well_known::Rfc3339;
use vexil_change_request::{ChangeId, ChangeRequest, Event, PlannedChange, Step};
use vexil_store::NewEvent;

use crate::operations::Error;
use crate::transaction::Transaction;

/// Takes a step into the edit: the request as it is then, and what happened.
pub(super) fn take(tx: &mut Transaction<'_>, step: Step) -> Result<ChangeRequest, Error> {
    let Step { request, events } = step;
    record(tx, &request, &events)?;
    tx.put_change_request(request.clone());
    Ok(request)
}

/// Adds what happened to `request` to the audit log.
pub(super) fn record(
    tx: &mut Transaction<'_>,
    request: &ChangeRequest,
    events: &[Event],
) -> Result<(), Error> {
    let planned: BTreeMap<ChangeId, &PlannedChange> = request
        .changes
        .iter()
        .map(|planned| (planned.id, planned))
        .collect();
    for event in events {
        let planned = event.change.and_then(|id| planned.get(&id).copied());
        let entry = entry(tx, request, planned, event)?;
        tx.event(entry);
    }
    Ok(())
}

fn entry(
    tx: &Transaction<'_>,
    request: &ChangeRequest,
    planned: Option<&PlannedChange>,
    event: &Event,
) -> Result<NewEvent, Error> {
    let mut data = Map::new();
    data.insert("changeRequestId".to_owned(), event.request.0.into());
    if let Some(id) = event.change {
        data.insert("changeId".to_owned(), id.0.into());
    }
    if let Some(planned) = planned {
        data.insert("action".to_owned(), planned.change.action().into());
        if let Some(payload) = planned.change.payload().map_err(Error::internal)? {
            data.insert("payload".to_owned(), payload);
        }
    }
    if let Some(at) = event.scheduled_at {
        let text = at.format(&Rfc3339).map_err(Error::internal)?;
        data.insert("scheduledDate".to_owned(), text.into());
    }
    if let Some(reason) = &event.reason {
        data.insert("reason".to_owned(), reason.clone().into());
    }
    let mut pre_data = None;
    if let Some(titles) = &event.retitled {
        data.insert("title".to_owned(), json!(titles.to));
        pre_data = Some(json!({ "title": titles.from }).to_string());
    }
    Ok(NewEvent {
        actor: event.by.clone(),
        project: Some(request.project.clone()),
        environment: Some(request.environment.clone()),
        flag: planned.and_then(|planned| planned.flag.clone()),
        data: Some(Value::Object(data).to_string()),
        pre_data,
        change_request: Some(request.id),
        ..tx.new_event(event.kind.name())
    })
}
