//! The web pages: one shell for every page, and the files that it names. What pages show they ask of the administration
//! API, like anybody else.

mod given;

use actix_web::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ContentEncoding, HeaderName,
    LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;
use vexil_service::operations::Error;
use vexil_service::{App, Principal};
use vexil_ui::{DIGEST, Encoding, POLICY, Shell, Theme, page_of, shell};

use super::ApiError;
use super::admin::instance::{limits, permissions};
use super::auth::Visitor;
use super::not_found::no_route;
use super::paths::PageFilePath;

/// The base path of the server: empty, or with a slash before and none behind it.
#[derive(Debug, Clone)]
pub(super) struct BasePath(pub(super) String);

/// The cookie in which the pages keep the colours that somebody chose.
const THEME: &str = "vexil-theme";

/// For a year, and without asking again: another version of a file has another address.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Whoever opens the address of the server wants the pages, and so does a browser that was signed out.
pub(crate) async fn front(
    request: HttpRequest,
    app: Data<App>,
    base: Data<BasePath>,
) -> Result<HttpResponse, ApiError> {
    switched_on(&app, request.path())?;
    let mut answer = HttpResponse::Found();
    answer.insert_header((LOCATION, format!("{}/ui", base.0)));
    Ok(answer.finish())
}

/// The shell, whatever the page: it knows who asks, and leaves the rest to the scripts.
pub(crate) async fn page(
    request: HttpRequest,
    app: Data<App>,
    base: Data<BasePath>,
    Visitor(who): Visitor,
) -> Result<HttpResponse, ApiError> {
    switched_on(&app, request.path())?;
    let session = match &who {
        Some(who) => session(who, &app),
        None => "null".to_owned(),
    };
    let theme = request
        .cookie(THEME)
        .and_then(|cookie| Theme::from_name(cookie.value()));
    let below = request.path().strip_prefix(base.0.as_str());
    let path = below
        .and_then(|path| path.strip_prefix("/ui/"))
        .unwrap_or_default();
    let given = match &who {
        Some(who) => given::given(&who.actor, &app, path).await,
        None => ways_in(&app),
    };
    let text = shell(&Shell {
        base: &base.0,
        page: if who.is_some() {
            page_of(path)
        } else {
            Some("sign-in")
        },
        session: &session,
        given: &given,
        theme,
    });
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((REFERRER_POLICY, "no-referrer"))
        .insert_header((OPENER_POLICY, "same-origin"))
        .insert_header((X_FRAME_OPTIONS, "DENY"))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
    Ok(answer.body(text))
}

/// A file of this version.
pub(crate) async fn file(
    request: HttpRequest,
    app: Data<App>,
    PageFilePath { digest, file: name }: PageFilePath,
) -> Result<HttpResponse, ApiError> {
    switched_on(&app, request.path())?;
    let accepted = request
        .headers()
        .get(ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok());
    let found = vexil_ui::file(&name, accepted.unwrap_or_default()).filter(|_| digest == DIGEST);
    let Some(asset) = found else {
        return Err(Error::NotFound(format!("There is no file {name} of this version of the pages.")).into());
    };
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((CONTENT_TYPE, asset.content_type))
        .insert_header((CACHE_CONTROL, FOR_EVER))
        .insert_header((VARY, "accept-encoding"))
        .insert_header((RESOURCE_POLICY, "same-origin"))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
    match asset.encoding {
        Encoding::Brotli => answer.insert_header(ContentEncoding::Brotli),
        Encoding::Gzip => answer.insert_header(ContentEncoding::Gzip),
        Encoding::Identity => &mut answer,
    };
    Ok(answer.body(asset.bytes))
}

fn switched_on(app: &App, path: &str) -> Result<(), ApiError> {
    if app.has_pages() {
        Ok(())
    } else {
        Err(no_route(path))
    }
}

/// How somebody who is not signed in may sign in.
fn ways_in(app: &App) -> String {
    let provider = app.sign_on_settings().is_some_and(|settings| settings.enabled);
    let ways = json!({
        "password": app.takes_passwords(),
        "provider": provider,
        "mail": app.sign_in.mailer.is_some(),
    });
    json!({ "sign-in": ways }).to_string()
}

/// Who is signed in and what the server allows, as the pages read it.
fn session(who: &Principal, app: &App) -> String {
    let user = who.user.as_ref();
    let name = user.and_then(|user| user.name.clone().or(user.username.clone()).or(user.email.clone()));
    json!({
        "id": who.actor.id.0,
        "name": name.unwrap_or_else(|| who.actor.name.clone()),
        "isUser": user.is_some(),
        "permissions": permissions(who, &app.serving().snapshot),
        "limits": limits(app),
    })
    .to_string()
}
