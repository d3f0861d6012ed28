//! Who is asking. A handler says in its signature what it demands: [`Admin`], [`Client`] or [`Frontend`].

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use vexil_domain::{Actor, ActorId};
use vexil_store::{ApiToken, TokenKind};

use crate::app::App;
use crate::error::ApiError;
use crate::world::World;

/// An identity that may use the admin API.
#[derive(Debug, Clone)]
pub struct Admin {
    /// Who it is.
    pub actor: Actor,
}

/// A token of a backend SDK.
#[derive(Debug, Clone)]
pub struct Client(pub Arc<ApiToken>);

/// A token of a frontend SDK.
#[derive(Debug, Clone)]
pub struct Frontend(pub Arc<ApiToken>);

/// Ids of tokens as actors are negative, so that they never meet those of users.
const FIRST_TOKEN_ACTOR: i64 = -1000;

impl Admin {
    fn of(token: &ApiToken) -> Self {
        Self { actor: token_actor(token) }
    }
}

/// The token as somebody who acts.
pub(crate) fn token_actor(token: &ApiToken) -> Actor {
    Actor { id: ActorId(FIRST_TOKEN_ACTOR - token.id.0), name: token.name.clone() }
}

impl FromRequest for Admin {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = token(request, || ApiError::AuthenticationRequired, "You must log in to use Vexil.");
        ready(found.and_then(|token| match token.kind {
            TokenKind::Admin => Ok(Self::of(&token)),
            TokenKind::Client | TokenKind::Frontend => Err(wrong_kind()),
        }))
    }
}

/// What an SDK is told when it sends no token, or one that is not known.
const TOKEN_REQUIRED: &str =
    "This endpoint requires an API token. Please add an authorization header to your request with a valid token";

impl FromRequest for Client {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(sdk_token(request, TokenKind::Client).map(Self))
    }
}

impl FromRequest for Frontend {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(sdk_token(request, TokenKind::Frontend).map(Self))
    }
}

fn sdk_token(request: &HttpRequest, kind: TokenKind) -> Result<Arc<ApiToken>, ApiError> {
    let missing = || ApiError::Unauthorized(TOKEN_REQUIRED.to_owned());
    let token = token(request, missing, TOKEN_REQUIRED)?;
    if token.kind == kind { Ok(token) } else { Err(wrong_kind()) }
}

fn wrong_kind() -> ApiError {
    ApiError::Forbidden {
        message: "invalid token: expected a different token type for this endpoint".to_owned(),
        permissions: Vec::new(),
    }
}

/// The token that the request shows, if it is known and has not expired.
fn token(request: &HttpRequest, missing: impl Fn() -> ApiError, unknown: &str) -> Result<Arc<ApiToken>, ApiError> {
    let header = request.headers().get(AUTHORIZATION).ok_or_else(&missing)?;
    let secret = bare_secret(header.to_str().unwrap_or_default());
    if secret.is_empty() {
        return Err(missing());
    }
    let Some(app) = request.app_data::<Data<App>>() else {
        return Err(ApiError::Internal { log: "the application is not set up".to_owned() });
    };
    let token = known_token(&app.world(), secret, app.now()).map(Arc::clone);
    token.ok_or_else(|| ApiError::Unauthorized(unknown.to_owned()))
}

/// The token with this secret, if it is known and has not expired.
pub(crate) fn known_token<'a>(world: &'a World, secret: &str, now: OffsetDateTime) -> Option<&'a Arc<ApiToken>> {
    let token = world.tokens.get(&hash_secret(secret));
    token.filter(|token| token.expires_at.is_none_or(|end| now < end))
}

/// The secret without spaces around it and without the word `Bearer`.
fn bare_secret(header: &str) -> &str {
    let header = header.trim();
    match header.split_once(' ') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("bearer") => rest.trim(),
        _ => header,
    }
}

/// The form in which secrets are kept. They have enough entropy of their own for a fast hash.
pub(crate) fn hash_secret(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
