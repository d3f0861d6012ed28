//! Making one's own account with a link that an admin has handed out.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use vexil_admin_api::account::SignUp;
use vexil_admin_api::user::UserForm;
use vexil_service::operations::{Error, invitations, users};
use vexil_service::{App, system};
use vexil_store::User;

use super::admin::users::hashed;
use super::bodies::Body;
use super::paths::SignUpLinkPath;
use super::sign_in::{attempt, count_try};
use super::{ApiError, session};

/// Whether a link works.
pub(crate) async fn validate(
    app: Data<App>,
    SignUpLinkPath { token }: SignUpLinkPath,
) -> Result<HttpResponse, ApiError> {
    invitations::working(&app.serving().access, &token, app.now())?;
    Ok(HttpResponse::Ok().finish())
}

/// Makes an account.
pub(crate) async fn sign_up(
    request: HttpRequest,
    app: Data<App>,
    SignUpLinkPath { token }: SignUpLinkPath,
    Body(form): Body<SignUp>,
) -> Result<HttpResponse, ApiError> {
    session::demand_same_origin(&request, &app)?;
    if let Err(slow_down) = count_try(&app, &attempt(&request, &app, &token)) {
        return Ok(slow_down);
    }
    let user = make(&app, token, form).await?;
    Ok(HttpResponse::Created().json(users::document(&user)))
}

/// Makes the account of somebody who has the link.
pub(super) async fn make(app: &App, token: String, form: SignUp) -> Result<User, ApiError> {
    if !app.takes_passwords() {
        let message = "Signing in with a password is switched off here, so nobody can sign up with one.";
        return Err(Error::InvalidOperation(message.to_owned()).into());
    }
    // nobody makes the server hash without a link that works
    invitations::working(&app.serving().access, &token, app.now())?;
    let hash = hashed(app, form.password).await?;
    let user = UserForm {
        username: form.username,
        email: form.email,
        name: form.name,
        ..UserForm::default()
    };
    let user = app
        .edit(&system(), move |tx| {
            invitations::sign_up(tx, &token, &user, &hash)
        })
        .await?;
    Ok(user)
}
