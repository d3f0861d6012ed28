//! What a proxy such as Unleash Edge asks.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_client_api::edge::{KnownToken, KnownTokens, read_tokens};

use super::Route;
use crate::app::App;
use crate::auth::known_token;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::routes::ApiError;

pub(super) fn routes() -> Vec<Route> {
    vec![Route::post("/edge/validate", validate)]
}

/// Which of some tokens are known, and what they are for. Whoever knows a token may ask about it.
async fn validate(app: Data<App>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let asked = read_tokens(&body.value).map_err(Error::from)?;
    let (serving, now) = (app.serving(), app.now());
    let mut tokens = Vec::new();
    for text in &asked {
        if let Some(token) = known_token(&serving, text, now) {
            let (kind, environment) = (token.kind.name(), token.environment.as_ref());
            tokens.push(KnownToken::new(text, kind, &token.projects, environment));
        }
    }
    Ok(HttpResponse::Ok().json(KnownTokens { tokens }))
}
