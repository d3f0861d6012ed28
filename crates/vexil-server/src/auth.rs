//! Who is asking. A handler says in its signature what it demands: [`Authorized`] to do something, [`Client`] or [`Frontend`].

use std::fmt;
use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use vexil_domain::{Actor, ActorId};
use vexil_store::{ApiToken, RootRole, TokenKind, User};

use crate::app::App;
use crate::operations::Error;
use crate::operations::sign_in::{Holder, find_holder};
use crate::permission::{RequiredPermission, RunInstance};
use crate::routes::{ApiError, session};
use crate::serving_state::ServingState;
use crate::users::user_actor;

/// Somebody who may use the administration API.
#[derive(Debug, Clone)]
pub struct Principal {
    /// As whom they act.
    pub actor: Actor,
    /// What they may do everywhere.
    pub role: RootRole,
    /// The user; `None` for an admin token.
    pub user: Option<Arc<User>>,
}

/// Somebody who meets the demand `D`.
pub struct Authorized<D> {
    who: Principal,
    demand: PhantomData<D>,
}

/// Somebody who may do everything.
pub type Admin = Authorized<RunInstance>;

impl<D> Deref for Authorized<D> {
    type Target = Principal;

    fn deref(&self) -> &Principal {
        &self.who
    }
}

impl<D> fmt::Debug for Authorized<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.who.fmt(f)
    }
}

/// A token of a backend SDK.
#[derive(Debug, Clone)]
pub struct Client(pub Arc<ApiToken>);

/// A token of a frontend SDK.
#[derive(Debug, Clone)]
pub struct Frontend(pub Arc<ApiToken>);

/// Ids of tokens as actors are negative, so that they never meet those of users.
const FIRST_TOKEN_ACTOR: i64 = -1000;

impl Principal {
    /// Whether every rule about who may do what is waived.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.role == RootRole::Admin
    }

    fn check<D: RequiredPermission>(self) -> Result<Authorized<D>, Error> {
        if self.role <= D::ROLE {
            return Ok(Authorized {
                who: self,
                demand: PhantomData,
            });
        }
        Err(Error::missing_permissions(D::PERMISSIONS))
    }
}

impl From<&ApiToken> for Principal {
    fn from(token: &ApiToken) -> Self {
        Self {
            actor: token_actor(token),
            role: RootRole::Admin,
            user: None,
        }
    }
}

impl From<&Arc<User>> for Principal {
    fn from(user: &Arc<User>) -> Self {
        Self {
            actor: user_actor(user),
            role: user.root_role,
            user: Some(Arc::clone(user)),
        }
    }
}

/// The token as somebody who acts.
pub(crate) fn token_actor(token: &ApiToken) -> Actor {
    Actor {
        id: ActorId(FIRST_TOKEN_ACTOR - token.id.0),
        name: token.name.clone(),
    }
}

impl<D: RequiredPermission> FromRequest for Authorized<D> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = shown(
            request,
            || ApiError::AuthenticationRequired,
            "You must log in to use Vexil.",
        );
        ready(found.and_then(|shown| match shown {
            Credential::Personal(user) => Ok(Principal::from(&user).check()?),
            Credential::Api(token) if token.kind == TokenKind::Admin => Ok(Principal::from(&*token).check()?),
            Credential::Api(_) => Err(wrong_kind().into()),
        }))
    }
}

/// What an SDK is told when it sends no token, or one that is not known.
const TOKEN_REQUIRED: &str = "This endpoint requires an API token. Please add an authorization header to your request with a valid token";

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
    match shown(request, missing, TOKEN_REQUIRED)? {
        Credential::Api(token) if token.kind == kind => Ok(token),
        Credential::Api(_) | Credential::Personal(_) => Err(wrong_kind().into()),
    }
}

fn wrong_kind() -> Error {
    Error::Forbidden {
        message: "invalid token: expected a different token type for this endpoint".to_owned(),
        permissions: Vec::new(),
    }
}

/// What the secret of a request belongs to.
enum Credential {
    /// An API token.
    Api(Arc<ApiToken>),
    /// A user's personal access token.
    Personal(Arc<User>),
}

/// What the request shows, if it is known and has not expired.
fn shown(
    request: &HttpRequest,
    missing: impl Fn() -> ApiError,
    unknown: &str,
) -> Result<Credential, ApiError> {
    let Some(header) = request.headers().get(AUTHORIZATION) else {
        return of_session(request).ok_or_else(missing);
    };
    let secret = bare_secret(header.to_str().unwrap_or_default());
    if secret.is_empty() {
        return Err(missing());
    }
    let Some(app) = request.app_data::<Data<App>>() else {
        return Err(Error::internal("the application is not set up").into());
    };
    let (serving, now) = (app.serving(), app.now());
    if let Some(token) = known_token(&serving, secret, now) {
        return Ok(Credential::Api(Arc::clone(token)));
    }
    match serving.users.with_secret(&hash_secret(secret), now) {
        Some((user, _)) => Ok(Credential::Personal(Arc::clone(user))),
        None => Err(ApiError::Unauthorized(unknown.to_owned())),
    }
}

/// Whoever the session of the request acts as, if they are still there.
fn of_session(request: &HttpRequest) -> Option<Credential> {
    let session = session::of(request)?;
    let app = request.app_data::<Data<App>>()?;
    Some(match find_holder(&app.serving(), session.holder, app.now())? {
        Holder::User(user) => Credential::Personal(Arc::clone(user)),
        Holder::Token(token) => Credential::Api(Arc::clone(token)),
    })
}

/// The token with this secret, if it is known and has not expired.
pub(crate) fn known_token<'a>(
    serving: &'a ServingState,
    secret: &str,
    now: OffsetDateTime,
) -> Option<&'a Arc<ApiToken>> {
    let token = serving.tokens.get(&hash_secret(secret));
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
