//! `vexil admin reset-password`: for an admin who is locked out, and has the database.

use std::io::Write;
use std::sync::Arc;

use vexil_access::RoleId;
use vexil_admin_api::user::{RoleReference, UserForm};
use vexil_service::operations::{Error, sign_on, users};
use vexil_service::{App, Limits, passwords, system};

use crate::arguments::{AdminCommand, ResetPasswordArguments};
use crate::clock::system_clock;
use crate::serve::StartError;

/// Runs `vexil admin`.
///
/// # Errors
///
/// When the database cannot be read or written, or no server has used it; then nothing has changed.
pub fn run(command: &AdminCommand) -> Result<(), StartError> {
    let AdminCommand::ResetPassword(ResetPasswordArguments { login, database_url }) = command;
    // opening makes a database where there is none
    if vexil_store_diesel::is_missing(database_url).map_err(StartError::Open)? {
        return Err(StartError::Unused);
    }
    let store = vexil_store_diesel::open(database_url).map_err(StartError::Open)?;
    let app = App::open(Arc::new(store), Limits::default(), system_clock()).map_err(StartError::Database)?;
    // a server begins with a project: whoever forgets to say which database would be told a password of no use
    if app.serving().snapshot.projects.is_empty() {
        return Err(StartError::Unused);
    }
    let (password, is_new) = reset_password(&app, login).map_err(StartError::Setup)?;
    let who = if is_new { "the new admin" } else { "the user" };
    let text = format!("The password of {who} `{login}`, shown this once: {password}\n");
    if std::io::stdout().lock().write_all(text.as_bytes()).is_err() {
        tracing::warn!("standard output is closed; the password is lost");
    }
    Ok(())
}

/// Sets a new password for a user, and switches passwords on. Answers it, and whether the user is new.
///
/// # Errors
///
/// When the store fails; then nothing has changed.
pub fn reset_password(app: &App, login: &str) -> Result<(String, bool), Error> {
    let password = passwords::draw()?;
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(Error::internal)?;
    let hash = passwords::hash(&password, &salt)?;
    let is_new = app.edit_blocking(&system(), |tx| {
        sign_on::switch_passwords(tx, false);
        let known = tx.serving().users.with_login(login).map(|user| user.id);
        if let Some(user) = known {
            users::set_password(tx, user, &hash, None)?;
            return Ok(false);
        }
        let login = Some(login.to_owned());
        let is_email = login.as_ref().is_some_and(|login| login.contains('@'));
        let form = UserForm {
            username: login.clone().filter(|_| !is_email),
            email: login.filter(|_| is_email),
            root_role: Some(RoleReference::Id(RoleId::ADMIN.0)),
            ..UserForm::default()
        };
        users::create(tx, &form, Some(&hash))?;
        Ok(true)
    })?;
    Ok((password, is_new))
}
