//! Signing in at a provider with OpenID Connect. What goes wrong ends on a page that says what to do.

use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::json;
use vexil_service::operations::Error;
use vexil_service::operations::sign_on::{self, Outcome};
use vexil_service::sign_in::Secret;
use vexil_service::single_sign_on::{OidcSettings, PATIENCE, Pending, SignOnError};
use vexil_service::{App, system};

use super::ApiError;
use super::plain_page::PlainPage;
use super::sign_in::{browser, is_page};
use crate::sign_in::{cookie, own_address};

const CALLBACK: &str = "/auth/oidc/callback";

#[derive(Deserialize)]
pub(crate) struct Target {
    #[serde(default)]
    to: String,
}

/// Sends the browser to the provider.
pub(crate) async fn begin(
    request: HttpRequest,
    app: Data<App>,
    target: Query<Target>,
) -> Result<HttpResponse, ApiError> {
    let Some(settings) = enabled(&app) else {
        return not_set_up(&app);
    };
    let options = &app.sign_in.options;
    let page = if is_page(&target.to) {
        target.to.as_str()
    } else {
        "/"
    };
    let now = app.now();
    let pending = Pending::new(now, page)?;
    let kept = pending.text();
    let callback = format!("{}{CALLBACK}", own_address(&request, options));
    let state = app.sign_on.clone();
    let started = app.outside(move || state.issuer(&settings, now)?.start(&pending, &callback));
    match started.await? {
        Ok(url) => Ok(HttpResponse::Found()
            .cookie(cookie::set_pending(
                &request,
                options,
                kept,
                PATIENCE.whole_seconds(),
            ))
            .insert_header((LOCATION, url))
            .insert_header(("cache-control", "no-store"))
            .insert_header(("referrer-policy", "no-referrer"))
            .finish()),
        Err(error) => failed(&app, &error),
    }
}

fn enabled(app: &App) -> Option<OidcSettings> {
    app.sign_on_settings().filter(|settings| settings.enabled)
}

/// What the provider sends the browser back with.
#[derive(Deserialize)]
pub(crate) struct Answer {
    #[serde(default)]
    code: String,
    #[serde(default)]
    state: String,
    error: Option<String>,
    error_description: Option<String>,
}

/// The browser comes back from the provider.
pub(crate) async fn finish(
    request: HttpRequest,
    app: Data<App>,
    answer: Query<Answer>,
) -> Result<HttpResponse, ApiError> {
    let Some(settings) = enabled(&app) else {
        return not_set_up(&app);
    };
    let options = &app.sign_in.options;
    let now = app.now();
    let pending = match begun_here(&request, &app, &answer.state) {
        Ok(pending) => pending,
        Err(because) => return again(&app, because),
    };
    if let Some(error) = &answer.error {
        let more = answer.error_description.as_deref().unwrap_or_default();
        let error = SignOnError::Refused(format!("{error} {more}").trim().to_owned());
        return failed(&app, &error);
    }
    let callback = format!("{}{CALLBACK}", own_address(&request, options));
    let (shared, code, onward) = (app.sign_on.clone(), answer.code.clone(), pending.page.clone());
    let asked = settings.clone();
    let found = app.outside(move || {
        shared
            .issuer(&asked, now)?
            .finish(&code, &pending, &callback, now)
    });
    let identity = match found.await? {
        Ok(identity) => identity,
        Err(error) => return failed(&app, &error),
    };
    let browser = browser(&request, &app)?;
    let (begun, options) = (browser.clone(), options.clone());
    let kept = options.clone();
    let outcome = app
        .edit(&system(), move |tx| {
            sign_on::sign_in(tx, &identity, &settings, &begun, &kept)
        })
        .await?;
    match outcome {
        Outcome::SignedIn => Ok(HttpResponse::SeeOther()
            .cookie(cookie::set(&request, &options, &browser.secret))
            .cookie(cookie::set_pending(&request, &options, String::new(), 0))
            .insert_header((LOCATION, format!("{}{onward}", options.base_path)))
            .insert_header(("cache-control", "no-store"))
            .insert_header(("referrer-policy", "no-referrer"))
            .finish()),
        Outcome::OutsideDomains => page(
            &app,
            StatusCode::FORBIDDEN,
            vec![
                "Your e-mail address is not of a domain that is let in here, or your provider does not vouch for it. Ask an admin of this server.",
            ],
        ),
        Outcome::Unknown => page(
            &app,
            StatusCode::FORBIDDEN,
            vec![
                "You have no account here, and accounts are not made by signing in. Ask an admin of this server for one.",
            ],
        ),
    }
}

/// The sign-in that was begun in this browser and is answered for the first time, or why there is none.
fn begun_here(request: &HttpRequest, app: &App, state: &str) -> Result<Pending, &'static str> {
    let now = app.now();
    let sent = cookie::sent_pending(request, &app.sign_in.options);
    let pending = sent.and_then(|text| Pending::read(&text, now));
    let (Some(pending), Some(state)) = (pending, Secret::read(state)) else {
        return Err("This sign-in was not begun in this browser, or longer than ten minutes ago.");
    };
    if pending.state.hash() != state.hash() {
        return Err("The answer of the provider belongs to another sign-in.");
    }
    if !app.sign_on.used.is_first_use(state.hash(), now) {
        return Err("The answer of the provider was used already.");
    }
    Ok(pending)
}

fn not_set_up(app: &App) -> Result<HttpResponse, ApiError> {
    let text = "Single sign-on is not set up here. Sign in with a password, or ask an admin of this server.";
    page(app, StatusCode::NOT_FOUND, vec![text])
}

fn again(app: &App, because: &str) -> Result<HttpResponse, ApiError> {
    page(app, StatusCode::UNAUTHORIZED, vec![because, "Sign in again."])
}

/// Tells the log why, and whoever tried what to do.
fn failed(app: &App, error: &SignOnError) -> Result<HttpResponse, ApiError> {
    tracing::warn!(cause = %error, "single sign-on failed");
    record(app, error);
    let (status, what) = match error {
        SignOnError::Unreachable(_) => (
            // proxies put pages of their own in the place of 502 and its like
            StatusCode::FAILED_DEPENDENCY,
            "The provider of single sign-on cannot be reached. Try again in a minute; if that does not help, an admin of this server finds the cause in its log.",
        ),
        SignOnError::Refused(_) => (
            StatusCode::UNAUTHORIZED,
            "The provider of single sign-on did not let you in. Sign in again; if that does not help, an admin of this server finds the cause in its log.",
        ),
        SignOnError::Unsound(_) => (
            StatusCode::UNAUTHORIZED,
            "What the provider of single sign-on said cannot be believed, so you are not signed in. An admin of this server finds the cause in its log.",
        ),
    };
    page(app, status, vec![what])
}

fn page(app: &App, status: StatusCode, text: Vec<&str>) -> Result<HttpResponse, ApiError> {
    let page = PlainPage {
        title: "You are not signed in",
        text: text.into_iter().map(str::to_owned).collect(),
        link: Some((format!("{}/", app.sign_in.options.base_path), "Back")),
        ..PlainPage::default()
    };
    Ok(page.answer(status)?)
}

/// Writes to the audit log that somebody failed, after the answer.
fn record(app: &App, error: &SignOnError) {
    if !app.sign_in.guesses.may_record_failure() {
        return;
    }
    let because = error.word();
    let app = app.clone();
    tokio::spawn(async move {
        let recorded: Result<(), Error> = app
            .edit(&system(), move |tx| {
                let mut event = tx.new_event("user-sign-in-failed");
                event.data = Some(json!({ "by": "oidc", "because": because }).to_string());
                tx.event(event);
                Ok(())
            })
            .await;
        if let Err(error) = recorded {
            tracing::warn!(%error, "a failed sign-in is missing in the audit log");
        }
    });
}
