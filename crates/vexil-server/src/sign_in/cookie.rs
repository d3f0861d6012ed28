//! The cookie that a browser keeps its session in.

use actix_web::HttpRequest;
use actix_web::cookie::{Cookie, SameSite, time::Duration};
use vexil_service::sign_in::{Secret, SignInOptions};

/// The name over plain HTTP.
const PLAIN: &str = "vexil";
/// The name over TLS: browsers take it for the whole host alone, and only from that host.
const WHOLE_HOST: &str = "__Host-vexil";
/// The name over TLS below a base path, where the other cannot be: browsers take it over TLS alone.
const BELOW_PATH: &str = "__Secure-vexil";

/// The name of the cookie. Over TLS the plain one does not count: anybody on the network could have set it.
fn name(options: &SignInOptions, is_secure: bool) -> &'static str {
    match (is_secure, options.base_path.is_empty()) {
        (false, _) => PLAIN,
        (true, true) => WHOLE_HOST,
        (true, false) => BELOW_PATH,
    }
}

/// Whether browsers reach the server over TLS: as it was set, or as a trusted proxy says.
pub(crate) fn is_secure(request: &HttpRequest, options: &SignInOptions) -> bool {
    let told = || {
        let header = request.headers().get("x-forwarded-proto")?;
        let first = header.to_str().ok()?.split(',').next()?;
        Some(first.trim().eq_ignore_ascii_case("https"))
    };
    options.is_secure() || (options.proxies.any() && told() == Some(true))
}

/// Of so many cookies of the name it is asked whether they are of a session.
const MOST: usize = 8;

/// The secrets in the cookies of a request, in its order. Browsers send several cookies of one name where these are for
/// several paths or hosts: one that is left over, or that somebody planted, must not hide the one that counts.
pub(crate) fn sent(request: &HttpRequest, options: &SignInOptions) -> Vec<Secret> {
    let name = name(options, is_secure(request, options));
    let Ok(cookies) = request.cookies() else {
        return Vec::new();
    };
    let own = cookies.iter().filter(|cookie| cookie.name() == name);
    own.filter_map(|cookie| Secret::read(cookie.value()))
        .take(MOST)
        .collect()
}

/// The cookie of a new session.
pub(crate) fn set(request: &HttpRequest, options: &SignInOptions, secret: &Secret) -> Cookie<'static> {
    let seconds = options.longest.whole_seconds();
    build(
        request,
        options,
        secret.text().to_owned(),
        Duration::seconds(seconds),
    )
}

/// The cookie that takes the place of an ended session's.
pub(crate) fn cleared(request: &HttpRequest, options: &SignInOptions) -> Cookie<'static> {
    build(request, options, String::new(), Duration::ZERO)
}

/// What a browser keeps while it is at a provider of single sign-on. It goes nowhere but to the routes for that.
pub(crate) fn set_pending(
    request: &HttpRequest,
    options: &SignInOptions,
    value: String,
    seconds: i64,
) -> Cookie<'static> {
    let is_secure = is_secure(request, options);
    Cookie::build(pending_name(is_secure), value)
        .path(format!("{}/auth/oidc", options.base_path))
        .http_only(true)
        .secure(is_secure)
        .same_site(SameSite::Lax)
        .max_age(Duration::seconds(seconds))
        .finish()
}

/// What a browser has kept meanwhile.
pub(crate) fn sent_pending(request: &HttpRequest, options: &SignInOptions) -> Option<String> {
    let cookie = request.cookie(pending_name(is_secure(request, options)))?;
    Some(cookie.value().to_owned())
}

fn pending_name(is_secure: bool) -> &'static str {
    if is_secure {
        "__Secure-vexil-sign-on"
    } else {
        "vexil-sign-on"
    }
}

fn build(
    request: &HttpRequest,
    options: &SignInOptions,
    value: String,
    max_age: Duration,
) -> Cookie<'static> {
    let is_secure = is_secure(request, options);
    let path = match options.base_path.as_str() {
        "" => "/".to_owned(),
        base => base.to_owned(),
    };
    Cookie::build(name(options, is_secure), value)
        .path(path)
        .http_only(true)
        .secure(is_secure)
        .same_site(SameSite::Lax)
        .max_age(max_age)
        .finish()
}
