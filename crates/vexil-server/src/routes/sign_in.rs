//! Signing in and out.

use std::time::Duration;

use actix_web::http::header::{LOCATION, RETRY_AFTER, USER_AGENT};
use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError};
use serde::Deserialize;
use serde_json::{Value, json};
use vexil_admin_api::sign_in::SignInForm;
use vexil_service::operations::sign_in::{self, Browser, Proof, SignedIn};
use vexil_service::operations::{Error, users};
use vexil_service::sign_in::{Attempt, Secret, Slowdown};
use vexil_service::{App, Transaction, system, token_actor, user_actor};
use vexil_store::SessionHolder;

use super::bodies::Body;
use super::paths::LinkPath;
use super::{ApiError, session};
use crate::client_address;
use crate::sign_in::cookie;

/// With a password, a token, or the secret of a link.
pub(crate) async fn sign_in(
    request: HttpRequest,
    app: Data<App>,
    Body(form): Body<SignInForm>,
) -> Result<HttpResponse, ApiError> {
    session::demand_same_origin(&request, &app)?;
    let account = match &form {
        SignInForm::Password { username, .. } => username.clone(),
        SignInForm::Token(token) => token.clone(),
    };
    let attempt = attempt(&request, &app, &account);
    let left = match count_try(&app, &attempt) {
        Ok(left) => left,
        Err(slow_down) => return Ok(slow_down),
    };
    let browser = browser(&request, &app)?;
    let outcome = match form {
        SignInForm::Password { username, password } => {
            by_password(&app, &username, password, browser.clone()).await?
        }
        SignInForm::Token(token) => by_token(&app, &token, browser.clone()).await?,
    };
    let Some(signed_in) = outcome else {
        record_failure(&app, &account);
        let mut response = ApiError::PasswordMismatch.error_response();
        tell_limits(&mut response, left);
        return Ok(response);
    };
    app.sign_in.guesses.signed_in(&attempt);
    let mut response = HttpResponse::Ok();
    response.cookie(cookie::set(&request, &app.sign_in.options, &browser.secret));
    let mut response = response.json(shown(&app, &signed_in));
    tell_limits(&mut response, left);
    Ok(response)
}

/// Who tries, from where.
pub(super) fn attempt<'a>(request: &HttpRequest, app: &App, account: &'a str) -> Attempt<'a> {
    Attempt {
        address: client_address::vouched(&app.sign_in.options.proxies, request),
        account,
    }
}

/// Counts a try, and answers to somebody who tries too often.
#[expect(
    clippy::result_large_err,
    reason = "the answer is what handlers give back, and moved once"
)]
pub(super) fn count_try(app: &App, attempt: &Attempt<'_>) -> Result<Slowdown, HttpResponse> {
    let left = app.sign_in.guesses.count(attempt);
    match left.wait {
        Some(wait) => Err(slow_down(left, wait)),
        None => Ok(left),
    }
}

/// Who was signed in, as Unleash shows it.
fn shown(app: &App, signed_in: &SignedIn) -> Value {
    let serving = app.serving();
    let user = signed_in.user.and_then(|id| serving.users.get(id));
    let mut shown = match user {
        Some(user) => json!(users::document(user)),
        None => json!({ "id": signed_in.actor.id.0, "username": signed_in.actor.name, "isAPI": true }),
    };
    if let Some(object) = shown.as_object_mut() {
        object.insert("deletedSessions".to_owned(), signed_in.ended.into());
        object.insert("activeSessions".to_owned(), signed_in.sessions.into());
    }
    shown
}

/// The browser that asks, with a new secret for its cookie.
pub(super) fn browser(request: &HttpRequest, app: &App) -> Result<Browser, Error> {
    let address = client_address::vouched(&app.sign_in.options.proxies, request);
    let user_agent = request.headers().get(USER_AGENT);
    Ok(Browser {
        secret: Secret::random()?,
        address: address.map(|address| address.to_string()),
        user_agent: user_agent
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned),
        earlier: session::of(request).map(|session| session.secret_hash),
    })
}

async fn by_password(
    app: &App,
    username: &str,
    password: String,
    browser: Browser,
) -> Result<Option<SignedIn>, ApiError> {
    if !app.takes_passwords() {
        let message = "Signing in with a password is switched off here.".to_owned();
        return Err(Error::InvalidOperation(message).into());
    }
    let serving = app.serving();
    let user = serving.users.with_login(username).cloned();
    let kept = user.as_ref().and_then(|user| user.password_hash.clone());
    let is_right = app.sign_in.passwords.is_right(password, kept.clone()).await?;
    let Some(user) = user.filter(|_| is_right) else {
        return Ok(None);
    };
    let options = app.sign_in.options.clone();
    app.edit(&system(), move |tx| {
        // somebody may have set another password since
        let known = tx.serving().users.get(user.id);
        if known.and_then(|known| known.password_hash.clone()) != kept {
            return Ok(None);
        }
        sign_in::begin(
            tx,
            SessionHolder::User(user.id),
            Proof::Password,
            &browser,
            &options,
        )
    })
    .await
    .map_err(ApiError::from)
}

async fn by_token(app: &App, token: &str, browser: Browser) -> Result<Option<SignedIn>, ApiError> {
    if let Some(secret) = Secret::read(token.trim()) {
        let begun = begin_by_link(app, secret, browser.clone()).await?;
        if begun.is_some() {
            return Ok(begun);
        }
    }
    let Some(holder) = sign_in::holder_of(&app.credentials(), token, app.now()) else {
        return Ok(None);
    };
    let options = app.sign_in.options.clone();
    app.edit(&system(), move |tx: &mut Transaction<'_>| {
        sign_in::begin(tx, holder, Proof::Token, &browser, &options)
    })
    .await
    .map_err(ApiError::from)
}

async fn begin_by_link(app: &App, secret: Secret, browser: Browser) -> Result<Option<SignedIn>, Error> {
    let options = app.sign_in.options.clone();
    app.edit(&system(), move |tx| {
        sign_in::begin_by_link(tx, &secret, &browser, &options)
    })
    .await
}

#[derive(Deserialize)]
pub(crate) struct Target {
    #[serde(default)]
    to: String,
}

/// With a link that works once: signs in and goes on to a page of this server.
pub(crate) async fn sign_in_by_link(
    request: HttpRequest,
    app: Data<App>,
    LinkPath { secret }: LinkPath,
    target: Query<Target>,
) -> Result<HttpResponse, ApiError> {
    if let Err(slow_down) = count_try(&app, &attempt(&request, &app, &secret)) {
        return Ok(slow_down);
    }
    let browser = browser(&request, &app)?;
    let begun = match Secret::read(&secret) {
        Some(secret) => begin_by_link(&app, secret, browser.clone()).await?,
        None => None,
    };
    if begun.is_none() {
        return Err(ApiError::Unauthorized(
            "The link was used already, or has expired.".to_owned(),
        ));
    }
    let options = &app.sign_in.options;
    let page = if is_page(&target.to) { &target.to } else { "/" };
    Ok(HttpResponse::SeeOther()
        .cookie(cookie::set(&request, options, &browser.secret))
        .insert_header((LOCATION, format!("{}{page}", options.base_path)))
        .insert_header(("referrer-policy", "no-referrer"))
        .insert_header(("cache-control", "no-store"))
        .finish())
}

/// Whether a text is the path of a page of this server, and leads nowhere else.
pub(super) fn is_page(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    plain && text.starts_with('/') && !text.starts_with("//")
}

/// Ends the session, on the server as well as in the browser.
pub(crate) async fn sign_out(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let options = &app.sign_in.options;
    if let Some(session) = session::of(&request) {
        let now = app.now();
        let actor =
            sign_in::find_holder(&app.credentials(), session.holder, now).map(|holder| match holder {
                sign_in::Holder::User(user) => user_actor(user),
                sign_in::Holder::Token(token) => token_actor(token),
            });
        let ended = session.clone();
        app.edit(&actor.unwrap_or_else(system), move |tx| {
            sign_in::sign_out(tx, &ended);
            Ok(())
        })
        .await?;
    }
    let mut response: HttpResponseBuilder = HttpResponse::Found();
    Ok(response
        .cookie(cookie::cleared(&request, options))
        .insert_header((LOCATION, signed_out(&app)))
        .insert_header(("clear-site-data", "\"cookies\", \"storage\""))
        .finish())
}

/// Where a browser goes that was signed out: to the provider, where it shall be signed out there too.
fn signed_out(app: &App) -> String {
    let settings = app.sign_on_settings();
    let settings = settings.filter(|settings| settings.enabled && settings.signs_out_everywhere);
    let known = settings.and_then(|settings| app.sign_on.known(&settings, app.now()));
    let there = known.and_then(|issuer| issuer.end());
    there.unwrap_or_else(|| format!("{}/signed-out", app.sign_in.options.base_path))
}

/// Somebody tries too often.
fn slow_down(left: Slowdown, wait: Duration) -> HttpResponse {
    let error = Error::TooManyRequests {
        message: "Too many tries. Wait a little before the next.".to_owned(),
        retry_after: wait,
    };
    let mut response = ApiError::from(error).error_response();
    response.headers_mut().insert(RETRY_AFTER, seconds(wait).into());
    tell_limits(&mut response, left);
    response
}

/// Says how many tries are left.
pub(super) fn tell_limits(response: &mut HttpResponse, left: Slowdown) {
    use actix_web::http::header::{HeaderName, HeaderValue};

    let reset = left.wait.map_or(60, seconds);
    let headers = response.headers_mut();
    headers.insert(
        HeaderName::from_static("ratelimit-policy"),
        HeaderValue::from_static("10;w=60"),
    );
    headers.insert(HeaderName::from_static("ratelimit-limit"), left.limit.into());
    headers.insert(
        HeaderName::from_static("ratelimit-remaining"),
        left.remaining.into(),
    );
    headers.insert(HeaderName::from_static("ratelimit-reset"), reset.into());
}

/// Whole seconds, of which none would mean at once.
fn seconds(wait: Duration) -> u64 {
    wait.as_millis()
        .div_ceil(1000)
        .try_into()
        .unwrap_or(u64::MAX)
        .max(1)
}

/// Writes to the audit log that somebody failed, without what was typed, after the answer: whether the
/// account is known must not show in how long it takes.
fn record_failure(app: &App, account: &str) {
    let known = app.serving().users.with_login(account).map(|user| user.id.0);
    if !app.sign_in.guesses.may_record_failure() {
        return;
    }
    let app = app.clone();
    tokio::spawn(async move {
        let recorded = app
            .edit(&system(), move |tx| {
                let mut event = tx.new_event("user-sign-in-failed");
                event.data = Some(json!({ "userId": known }).to_string());
                tx.event(event);
                Ok(())
            })
            .await;
        if let Err(error) = recorded {
            tracing::warn!(%error, "a failed sign-in is missing in the audit log");
        }
    });
}
