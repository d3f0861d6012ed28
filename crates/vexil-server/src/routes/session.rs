//! Finds the session of whoever asks with a cookie, before a handler asks who it is.
//!
//! A request that shows a token is judged by that alone. A cookie counts for reading; for anything else only
//! when a page of this server sent the request: see [`crate::sign_in`].

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest, ResponseError};
use time::OffsetDateTime;
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::sign_in::is_alive;
use vexil_service::sign_in::{RequestOrigin, is_from_the_server_itself};
use vexil_store::{SecretHash, Session};

use super::{ApiError, request_id};
use crate::sign_in::cookie;

/// Keeps the session with the request, where there is one that counts.
pub(super) async fn find<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    match of_cookie(request.request()).await {
        Ok(found) => {
            if let Some(session) = found {
                request.extensions_mut().insert(session);
            }
            Ok(next.call(request).await?.map_into_left_body())
        }
        Err(error) => {
            let (request, _) = request.into_parts();
            let mut answer = error.error_response();
            request_id::send_back(&request, answer.headers_mut());
            Ok(ServiceResponse::new(request, answer).map_into_right_body())
        }
    }
}

/// Looks again for the session of a request that is answered for long.
///
/// # Errors
///
/// When the database does not answer. What was known of the session counts then.
pub(super) async fn find_again(request: &HttpRequest) -> Result<(), ApiError> {
    let found = of_cookie(request).await?;
    let mut kept = request.extensions_mut();
    kept.remove::<Session>();
    if let Some(session) = found {
        kept.insert(session);
    }
    Ok(())
}

/// The session that a request was found to belong to.
pub(crate) fn of(request: &HttpRequest) -> Option<Session> {
    request.extensions().get::<Session>().cloned()
}

async fn of_cookie(request: &HttpRequest) -> Result<Option<Session>, ApiError> {
    let Some(app) = request.app_data::<Data<App>>() else {
        return Ok(None);
    };
    if request.headers().contains_key(AUTHORIZATION) {
        return Ok(None);
    }
    let options = &app.sign_in.options;
    let now = app.now();
    let mut alive = None;
    for secret in cookie::sent(request, options) {
        let session = look_up(app, secret.hash(), now).await?;
        alive = session.filter(|session| is_alive(session, options, now));
        if alive.is_some() {
            break;
        }
    }
    let Some(session) = alive else {
        return Ok(None);
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        demand_same_origin(request, app)?;
    }
    app.sign_in.sessions.note_use(session.secret_hash, now);
    Ok(Some(session))
}

async fn look_up(app: &App, secret: SecretHash, now: OffsetDateTime) -> Result<Option<Session>, ApiError> {
    if let Some(known) = app.sign_in.sessions.get(secret, now) {
        return Ok(Some(known));
    }
    let found = app.read(move |store| store.session(secret)).await?;
    Ok(found.map(|session| app.sign_in.sessions.keep(session, now)))
}

/// Refuses what a page of another site made a browser send.
pub(super) fn demand_same_origin(request: &HttpRequest, app: &App) -> Result<(), ApiError> {
    let header = |name: &HeaderName| request.headers().get(name)?.to_str().ok();
    let kind = header(&CONTENT_TYPE).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let origin = RequestOrigin {
        // a header that cannot be read is not taken for one that is not there
        fetch_site: text_of(request, "sec-fetch-site"),
        origin: text_of(request, ORIGIN.as_str()),
        host: header(&HOST),
        is_json: essence.eq_ignore_ascii_case("application/json"),
    };
    if is_from_the_server_itself(&origin, app.sign_in.options.public_origin()) {
        return Ok(());
    }
    let message = "The request comes from another site, or does not say from where: the cookie of a session does not count for it. Send it from a page of this server, or with a token in the Authorization header.";
    Err(Error::Forbidden {
        message: message.to_owned(),
        permissions: Vec::new(),
    }
    .into())
}

/// The text of a header; of one that cannot be read or is there twice, a text that is never right.
fn text_of<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    let mut values = request.headers().get_all(name);
    let value = values.next()?;
    if values.next().is_some() {
        return Some("several");
    }
    Some(value.to_str().unwrap_or("unreadable"))
}
