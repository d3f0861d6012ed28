//! The pages to which links lead: setting a password, and signing up.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use serde::Deserialize;
use serde_json::json;
use vexil_admin_api::account::{PasswordByLink, SignUp};
use vexil_service::App;
use vexil_service::operations::{Error, invitations};
use vexil_store::User;

use super::body::FormBody;
use super::plain_page::{Field, Form, PlainPage};
use super::sign_in::{attempt, count_try};
use super::{ApiError, password_links, session, sign_up};

/// What an address or a form holds.
#[derive(Deserialize)]
pub(crate) struct Sent {
    #[serde(default)]
    token: String,
    #[serde(default)]
    invite: String,
    #[serde(default)]
    login: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    again: String,
}

const PASSWORD: Field<'_> = Field {
    name: "password",
    label: "New password",
    kind: "password",
    autocomplete: "new-password",
    is_optional: false,
};

const AGAIN: Field<'_> = Field {
    name: "again",
    label: "Once more",
    kind: "password",
    autocomplete: "new-password",
    is_optional: false,
};

const RULES: &str = "At least 10 characters, with a small and a capital letter, a number and another sign, and no sign three times in a row.";

/// The page of a link: for a password, or for signing up.
pub(crate) async fn show(app: Data<App>, sent: Query<Sent>) -> Result<HttpResponse, ApiError> {
    shown(&app, &sent, StatusCode::OK, Vec::new()).await
}

/// What the form of that page sends.
pub(crate) async fn send(
    request: HttpRequest,
    app: Data<App>,
    FormBody(sent): FormBody<Sent>,
) -> Result<HttpResponse, ApiError> {
    session::demand_same_origin(&request, &app)?;
    let secret = if sent.invite.is_empty() {
        &sent.token
    } else {
        &sent.invite
    };
    if let Err(slow_down) = count_try(&app, &attempt(&request, &app, secret)) {
        return Ok(slow_down);
    }
    if sent.password != sent.again {
        let problem = "The two passwords differ.".to_owned();
        return shown(&app, &sent, StatusCode::BAD_REQUEST, vec![problem]).await;
    }
    let done = if sent.invite.is_empty() {
        let form = PasswordByLink {
            token: sent.token.clone(),
            password: sent.password.clone(),
        };
        password_links::set(&app, form).await
    } else {
        let login = if sent.login.contains('@') {
            "email"
        } else {
            "username"
        };
        let form = json!({ login: sent.login, "name": sent.name, "password": sent.password });
        match SignUp::read(&form).map_err(Error::from) {
            Ok(form) => sign_up::make(&app, sent.invite.clone(), form).await.map(drop),
            Err(error) => Err(error.into()),
        }
    };
    match done {
        Ok(()) => Ok(finished(&app)?),
        Err(ApiError::Operation(Error::WeakPassword(problems))) => {
            let problems = problems.iter().map(|problem| (*problem).to_owned()).collect();
            shown(&app, &sent, StatusCode::BAD_REQUEST, problems).await
        }
        Err(ApiError::Operation(Error::Invalid { details, .. })) => {
            let problems = details.into_iter().map(|detail| detail.message).collect();
            shown(&app, &sent, StatusCode::BAD_REQUEST, problems).await
        }
        Err(error) if error.status_code().is_client_error() => {
            shown(&app, &sent, error.status_code(), vec![error.to_string()]).await
        }
        Err(error) => Err(error),
    }
}

fn finished(app: &App) -> Result<HttpResponse, Error> {
    let page = PlainPage {
        title: "Your password is set",
        text: vec!["Wherever you were signed in before, you are signed out.".to_owned()],
        link: Some((format!("{}/", app.sign_in.options.base_path), "Sign in")),
        ..PlainPage::default()
    };
    page.answer(StatusCode::OK)
}

async fn shown(
    app: &App,
    sent: &Sent,
    status: StatusCode,
    problems: Vec<String>,
) -> Result<HttpResponse, ApiError> {
    let base = &app.sign_in.options.base_path;
    let found = if sent.invite.is_empty() {
        let found = password_links::find(app, &sent.token).await;
        found.map(|(_, user)| password_page(base, sent, &user))
    } else {
        let serving = app.serving();
        let found = invitations::working(&serving.access, &sent.invite, app.now());
        found.map(|_| sign_up_page(base, sent)).map_err(ApiError::from)
    };
    let page = match found {
        Ok(page) => PlainPage { problems, ..page },
        Err(error) if error.status_code().is_client_error() => {
            let page = PlainPage {
                title: "This link does not work",
                text: vec![error.to_string()],
                ..PlainPage::default()
            };
            return Ok(page.answer(StatusCode::UNAUTHORIZED)?);
        }
        Err(error) => return Err(error),
    };
    Ok(page.answer(status)?)
}

fn password_page<'a>(base: &str, sent: &Sent, user: &User) -> PlainPage<'a> {
    let login = user.username.as_ref().or(user.email.as_ref());
    let login = login.map_or("", String::as_str);
    PlainPage {
        title: "Set your password",
        text: vec![format!("For {login}."), RULES.to_owned()],
        form: Some(Form {
            action: format!("{base}/reset-password"),
            hidden: vec![("token", sent.token.clone())],
            fields: vec![PASSWORD, AGAIN],
            button: "Set the password",
        }),
        ..PlainPage::default()
    }
}

fn sign_up_page<'a>(base: &str, sent: &Sent) -> PlainPage<'a> {
    let field = |name, label, autocomplete, is_optional| Field {
        name,
        label,
        kind: "text",
        autocomplete,
        is_optional,
    };
    PlainPage {
        title: "Make your account",
        text: vec![RULES.to_owned()],
        form: Some(Form {
            action: format!("{base}/new-user"),
            hidden: vec![("invite", sent.invite.clone())],
            fields: vec![
                field("login", "E-mail address or username", "username", false),
                field("name", "Your name", "name", true),
                PASSWORD,
                AGAIN,
            ],
            button: "Make the account",
        }),
        ..PlainPage::default()
    }
}
