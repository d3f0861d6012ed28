//! The browsers in which the user who asks is signed in.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use vexil_admin_api::timestamp::Timestamp;
use vexil_service::App;
use vexil_service::operations::{Error, sign_in, users};
use vexil_store::{SecretHash, Session};

use super::done;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::paths::SessionPath;

/// The sessions that count, the latest first.
pub(crate) async fn list(who: Caller, app: Data<App>, asked: Asked) -> Result<HttpResponse, ApiError> {
    let user = users::own(&who)?;
    let mut sessions = app.read(move |store| store.sessions_of(user)).await?;
    let now = app.now();
    sessions.retain(|session| sign_in::is_alive(session, &app.sign_in.options, now));
    let own = own(&asked);
    let shown: Vec<Value> = sessions.iter().map(|session| document(session, own)).collect();
    Ok(HttpResponse::Ok().json(json!({ "sessions": shown })))
}

/// The session that asks, where it is one.
fn own(asked: &Asked) -> Option<SecretHash> {
    asked.session.as_ref().map(|session| session.secret_hash)
}

fn document(session: &Session, own: Option<SecretHash>) -> Value {
    json!({
        "id": sign_in::name_of(session.secret_hash),
        "createdAt": Timestamp::from(session.created_at),
        "seenAt": Timestamp::from(session.seen_at),
        "expiresAt": Timestamp::from(session.expires_at),
        "address": session.address,
        "userAgent": session.user_agent,
        "current": own == Some(session.secret_hash),
    })
}

pub(crate) async fn end(
    who: Caller,
    app: Data<App>,
    SessionPath { name }: SessionPath,
) -> Result<HttpResponse, ApiError> {
    let user = users::own(&who)?;
    let ended = app
        .edit(&who.actor, move |tx| sign_in::end_one(tx, user, &name))
        .await?;
    if !ended {
        return Err(Error::NotFound("There is no such session.".to_owned()).into());
    }
    Ok(done())
}

/// All but the one that asks.
pub(crate) async fn end_others(who: Caller, app: Data<App>, asked: Asked) -> Result<HttpResponse, ApiError> {
    let user = users::own(&who)?;
    let own = own(&asked);
    app.edit(&who.actor, move |tx| {
        sign_in::end_all(tx, user, own, "ended by hand")
    })
    .await?;
    Ok(done())
}
