//! What a proxy such as Unleash Edge asks.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_client_api::edge::{KnownToken, KnownTokens};

use crate::app::App;
use crate::principal::hash_secret;
use crate::routes::ApiError;
use crate::routes::bodies::{Body, TokenTexts};

/// Which of some tokens are known, and what they are for. Whoever knows a token may ask about it.
pub(crate) async fn validate(
    app: Data<App>,
    Body(TokenTexts(asked)): Body<TokenTexts>,
) -> Result<HttpResponse, ApiError> {
    let (known, now) = (app.credentials(), app.now());
    let mut tokens = Vec::new();
    for text in &asked {
        if let Some(token) = known.token(&hash_secret(text), now) {
            let (kind, environment) = (token.kind.name(), token.environment.as_ref());
            tokens.push(KnownToken::new(text, kind, &token.projects, environment));
        }
    }
    Ok(HttpResponse::Ok().json(KnownTokens { tokens }))
}
