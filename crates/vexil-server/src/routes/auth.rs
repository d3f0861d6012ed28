//! Who is asking, and whether they may: every route is guarded by what the list of routes says of it.

use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderName};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use time::format_description::well_known::Rfc3339;
use vexil_admin_api::error::{HowToSignIn, SignInWay};
use vexil_domain::{ProjectId, SegmentId};
use vexil_service::operations::Error;
use vexil_service::operations::sign_in::{Holder, find_holder};
use vexil_service::permission::{Access, Place};
use vexil_service::{App, Principal, hash_secret};
use vexil_store::{ApiToken, TokenKind, User};

use super::ApiError;
use super::paths::PathValues;
use super::session;

/// Where OpenFeature may send a token.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// What somebody without any token is told.
const LOG_IN: &str = "You must log in to use Vexil.";

/// What an SDK is told when it sends no token, or one that is not known.
const TOKEN_REQUIRED: &str = "This endpoint requires an API token. Please add an authorization header to your request with a valid token";

/// Lets a request in, or says why not. Who asks is kept for [`Caller`] and [`SdkToken`].
pub(super) fn admit(request: &HttpRequest, access: Access) -> Result<(), ApiError> {
    match access {
        Access::Open => {}
        Access::Client => keep(request, sdk_token(request, &[TokenKind::Client])?),
        Access::Frontend => keep(request, sdk_token(request, &[TokenKind::Frontend])?),
        Access::AnySdk => keep(
            request,
            sdk_token(request, &[TokenKind::Client, TokenKind::Frontend])?,
        ),
        Access::SignedIn => {
            let principal = principal(request)?;
            principal.demand_sight(&place(request)?)?;
            keep(request, principal);
        }
        Access::Holds(permissions) => {
            let (principal, place) = (principal(request)?, place(request)?);
            if place.project.is_some() {
                principal.demand_in(permissions, &place)?;
            } else {
                principal.demand_somewhere(permissions)?;
            }
            keep(request, principal);
        }
    }
    Ok(())
}

/// Whether whoever sent a request that is answered for long is still somebody who may ask it: signed in, with a token or a
/// session that counts.
pub(super) async fn is_still_admitted(request: &HttpRequest) -> bool {
    if let Err(error) = session::find_again(request).await {
        tracing::debug!(%error, "a session could not be looked up again");
    }
    admit(request, Access::SignedIn).is_ok()
}

fn keep(request: &HttpRequest, who: impl Clone + 'static) {
    request.extensions_mut().insert(who);
}

/// Where the path of a request takes effect, as far as it says so.
fn place(request: &HttpRequest) -> Result<Place, Error> {
    let values = PathValues(request);
    let project = values.get("project").map(|text| text.as_ref().into());
    let project = match project.or_else(|| values.get("projectId").map(|text| text.as_ref().into())) {
        Some(project) => Some(project),
        None => project_of_subject(request, &values)?,
    };
    Ok(Place {
        project,
        environment: values.get("environment").map(|text| text.as_ref().into()),
    })
}

/// The project of the flag or the segment that a path names.
fn project_of_subject(request: &HttpRequest, values: &PathValues<'_>) -> Result<Option<ProjectId>, Error> {
    let serving = app(request)?.serving();
    if let Some(flag) = values.get("feature") {
        let flag = serving.snapshot.flags.get(flag.as_ref());
        return Ok(flag.map(|flag| flag.project.clone()));
    }
    let segment = values
        .get("segment")
        .and_then(|id| id.parse::<i64>().ok().map(SegmentId));
    let segment = segment.and_then(|id| serving.snapshot.segments.get(&id));
    Ok(segment.and_then(|segment| segment.project.clone()))
}

fn app(request: &HttpRequest) -> Result<&Data<App>, Error> {
    let app = request.app_data::<Data<App>>();
    app.ok_or_else(|| Error::internal("the application is not set up"))
}

fn principal(request: &HttpRequest) -> Result<Principal, ApiError> {
    let nobody = || ApiError::AuthenticationRequired(Box::new(how_to_sign_in(request)));
    let shown = shown(request, nobody, LOG_IN)?;
    let known = app(request)?.credentials();
    let directory = &known.access().directory;
    match shown {
        Credential::Personal(user) => Ok(Principal::of_user(&user, directory)),
        Credential::Api(token) if token.kind == TokenKind::Admin => {
            Ok(Principal::of_token(&token, directory))
        }
        Credential::Api(_) => Err(wrong_kind().into()),
    }
}

/// What Unleash's pages want to know to show how to sign in.
fn how_to_sign_in(request: &HttpRequest) -> HowToSignIn {
    let app = request.app_data::<Data<App>>();
    let options = app.map(|app| &app.sign_in.options);
    let base = options.map_or("", |options| options.base_path.as_str());
    let sign_on = app
        .and_then(|app| app.sign_on_settings())
        .filter(|settings| settings.enabled);
    HowToSignIn {
        path: format!("{base}/auth/simple/login"),
        kind: "password",
        default_hidden: app.is_some_and(|app| !app.takes_passwords()),
        options: sign_on
            .map(|_| SignInWay {
                kind: "oidc",
                message: "Sign in with OpenID Connect".to_owned(),
                path: format!("{base}/auth/oidc/login"),
            })
            .into_iter()
            .collect(),
    }
}

fn sdk_token(request: &HttpRequest, kinds: &[TokenKind]) -> Result<SdkToken, ApiError> {
    let missing = || ApiError::Unauthorized(TOKEN_REQUIRED.to_owned());
    match shown(request, missing, TOKEN_REQUIRED)? {
        Credential::Api(token) if kinds.contains(&token.kind) => Ok(SdkToken(token)),
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
    let headers = request.headers();
    let Some(header) = headers.get(AUTHORIZATION).or_else(|| headers.get(X_API_KEY)) else {
        return of_session(request).ok_or_else(missing);
    };
    let secret = bare_secret(header.to_str().unwrap_or_default());
    if secret.is_empty() {
        return Err(missing());
    }
    let app = app(request)?;
    let (known, hash, now) = (app.credentials(), hash_secret(secret), app.now());
    if let Some(token) = known.token(&hash, now) {
        app.saw_token(token.id, now);
        return Ok(Credential::Api(Arc::clone(token)));
    }
    match known.user(&hash, now) {
        Some((user, token)) => {
            app.saw_user(user.id, token.id, now);
            Ok(Credential::Personal(Arc::clone(user)))
        }
        None => Err(ApiError::Unauthorized(match known.ended(&hash, now) {
            Some(end) => format!(
                "The token has expired, at {}. Make a new one.",
                end.format(&Rfc3339).unwrap_or_default()
            ),
            None => unknown.to_owned(),
        })),
    }
}

/// Whoever the session of the request acts as, if they are still there.
fn of_session(request: &HttpRequest) -> Option<Credential> {
    let session = session::of(request)?;
    let app = request.app_data::<Data<App>>()?;
    Some(
        match find_holder(&app.credentials(), session.holder, app.now())? {
            Holder::User(user) => Credential::Personal(Arc::clone(user)),
            Holder::Token(token) => Credential::Api(Arc::clone(token)),
        },
    )
}

/// The secret without spaces around it and without the word `Bearer`.
fn bare_secret(header: &str) -> &str {
    let header = header.trim();
    match header.split_once(' ') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("bearer") => rest.trim(),
        _ => header,
    }
}

/// Who asks, as a handler of the administration API finds it: admitted already.
#[derive(Debug, Clone)]
pub(super) struct Caller(Principal);

impl Deref for Caller {
    type Target = Principal;

    fn deref(&self) -> &Principal {
        &self.0
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(kept(request).map(Self))
    }
}

/// Who asks, where a route is open to everybody and answers differently to those it knows.
#[derive(Debug, Clone)]
pub(super) struct Visitor(pub(super) Option<Principal>);

impl FromRequest for Visitor {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(principal(request).ok())))
    }
}

/// The token of an SDK, of the kind that the route demands.
#[derive(Debug, Clone)]
pub(super) struct SdkToken(pub(super) Arc<ApiToken>);

impl FromRequest for SdkToken {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(kept(request))
    }
}

/// What [`admit`] kept. A handler that asks for what its route does not demand is an error of the list.
fn kept<T: Clone + 'static>(request: &HttpRequest) -> Result<T, ApiError> {
    let kept = request.extensions().get::<T>().cloned();
    kept.ok_or_else(|| Error::internal("the route does not demand what its handler takes").into())
}
