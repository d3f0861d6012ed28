//! Tests of what people may do who are no admins.

mod effects;
mod meetings;
mod near;

use std::sync::Arc;

use serde_json::json;
use time::OffsetDateTime;
use time::macros::datetime;
use vexil_admin_api::change_requests::{Proposal, StateCommand};
use vexil_change_request::{ChangeRequest, ChangeRequestId, State};
use vexil_domain::{Actor, ActorId, FeatureFlag};
use vexil_store::MemoryStore;

use super::{Identity, Moved, add_changes, change_state, discard, discard_change, rename, request_reviewers};
use crate::app::App;
use crate::bootstrap::{InitialTokens, bootstrap};
use crate::limits::Limits;
use crate::operations::Error;
use crate::principal::token_actor;
use crate::transaction::Transaction;

/// The present.
const NOW: OffsetDateTime = datetime!(2026-11-27 12:00 UTC);

/// Somebody without any permission.
fn person(id: i64) -> Identity {
    let name = format!("person-{id}");
    Identity {
        actor: Actor {
            id: ActorId(id),
            name,
        },
        admin: false,
        rights: None,
    }
}

/// The admin token that every instance has.
fn admin(app: &App) -> Identity {
    let serving = app.serving();
    let token = serving.tokens.values().next().unwrap();
    Identity {
        actor: token_actor(token),
        admin: true,
        rights: None,
    }
}

fn app() -> App {
    let now = NOW;
    let app = App::open(
        Arc::new(MemoryStore::new()),
        Limits::default(),
        Arc::new(move || now),
    )
    .unwrap();
    bootstrap(&app, &InitialTokens::default()).unwrap();
    edit(&app, &admin(&app), |tx| {
        for name in ["checkout", "banner"] {
            let flag = FeatureFlag::new(name, "default", now);
            tx.snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
        }
        Ok(())
    })
    .unwrap();
    app
}

fn edit<T>(
    app: &App,
    who: &Identity,
    change: impl Fn(&mut Transaction<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    app.edit_blocking(&who.actor, change)
}

fn propose(app: &App, who: &Identity) -> ChangeRequest {
    propose_for(app, who, "checkout")
}

fn propose_for(app: &App, who: &Identity, flag: &str) -> ChangeRequest {
    let body = json!({ "feature": flag, "action": "updateEnabled", "payload": { "enabled": true } });
    let proposals = Proposal::one_or_many(&body).unwrap();
    edit(app, who, |tx| {
        add_changes(tx, who, &"default".into(), &"development".into(), &proposals)
    })
    .unwrap()
}

fn to(app: &App, who: &Identity, id: ChangeRequestId, state: State) -> Result<ChangeRequest, Error> {
    let command = StateCommand {
        changes: None,
        state,
        scheduled_at: Some(datetime!(2026-11-28 12:00 UTC)),
        comment: None,
        effect: None,
    };
    let moved = edit(app, who, |tx| {
        change_state(tx, who, &"default".into(), id, &command)
    });
    moved.map(|moved| match moved {
        Moved::There(request) => *request,
        Moved::Back(why) => panic!("{why}"),
    })
}

#[track_caller]
fn forbidden<T>(result: Result<T, Error>, needed: &[&str]) {
    match result {
        Err(Error::Forbidden { permissions, .. }) => assert_eq!(permissions, needed),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was allowed"),
    }
}

#[test]
fn who_has_no_permission_is_told_which_one_is_needed() {
    let app = app();
    let (author, stranger, admin) = (person(2), person(3), admin(&app));
    let id = propose(&app, &author).id;
    to(&app, &author, id, State::InReview).unwrap();
    forbidden(
        to(&app, &stranger, id, State::Approved),
        &["APPROVE_CHANGE_REQUEST"],
    );
    forbidden(
        to(&app, &author, id, State::Approved),
        &["APPROVE_CHANGE_REQUEST"],
    );
    forbidden(
        to(&app, &stranger, id, State::Rejected),
        &["APPROVE_CHANGE_REQUEST"],
    );
    forbidden(to(&app, &stranger, id, State::Cancelled), &[]);
    to(&app, &admin, id, State::Approved).unwrap();
    forbidden(to(&app, &author, id, State::Applied), &["APPLY_CHANGE_REQUEST"]);
    forbidden(
        to(&app, &stranger, id, State::Scheduled),
        &["APPLY_CHANGE_REQUEST"],
    );
    assert_eq!(
        to(&app, &admin, id, State::Applied).unwrap().state,
        State::Applied
    );
}

#[test]
fn what_is_the_authors_is_not_for_strangers() {
    let app = app();
    let (author, stranger) = (person(2), person(3));
    let request = propose(&app, &author);
    let (id, change, project) = (request.id, request.changes[0].id, "default".into());
    forbidden(to(&app, &stranger, id, State::InReview), &[]);
    let result = edit(&app, &stranger, |tx| {
        discard_change(tx, &stranger, &project, id, change)
    });
    forbidden(result, &[]);
    forbidden(
        edit(&app, &stranger, |tx| discard(tx, &stranger, &project, id)),
        &[],
    );
    forbidden(
        edit(&app, &stranger, |tx| rename(tx, &stranger, &project, id, "mine")),
        &[],
    );
    let result = edit(&app, &stranger, |tx| {
        request_reviewers(tx, &stranger, &project, id, &[])
    });
    forbidden(result, &[]);
    assert_eq!(app.reader().change_request(id).unwrap(), Some(request));
}

#[test]
fn everybody_has_a_pending_request_of_their_own() {
    let app = app();
    let (one, other) = (person(2), person(3));
    assert_ne!(propose(&app, &one).id, propose(&app, &other).id);
    assert_eq!(propose(&app, &one).changes.len(), 2);
}
