//! Somebody who asks about flags, as requests of front ends and of OpenFeature name them.

use actix_web::HttpRequest;
use vexil_domain::Context;
use vexil_service::App;
use vexil_service::operations::frontend::{Counting, Visit};
use vexil_service::operations::{Error, reports};
use vexil_store::{ApiToken, TokenKind};

use crate::client_address;

/// Asks about the flags that a token may see, for a context. A front end asks from where its user is; a server asks
/// for somebody else.
///
/// # Errors
///
/// When the environment of the token is gone.
pub(super) fn visit<T>(
    token: &ApiToken,
    app: &App,
    request: &HttpRequest,
    mut context: Context,
    ask: impl FnOnce(&Visit<'_>) -> T,
) -> Result<T, Error> {
    let environment = reports::environment(token, &app.serving())?;
    if token.kind == TokenKind::Frontend && context.remote_address.is_none() {
        let address = client_address::of_front_end(&app.sign_in.options.proxies, request);
        context.remote_address = address.map(|address| address.to_string());
    }
    app.recent_contexts.note(&environment.name, &context, app.now());
    let visit = Visit::new(
        &environment,
        &token.projects,
        context,
        app.now(),
        || app.seed(),
        Counting::of(app, token),
    );
    Ok(ask(&visit))
}
