//! The web pages: the shell for every page, and the files that it names. What pages show they ask of the administration
//! API, like anybody else.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ContentEncoding,
    LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Value, json};
use vexil_ui::{DIGEST, Encoding, POLICY, Shell, Theme, page_of, shell};

use super::Route;
use super::admin::instance;
use crate::app::App;
use crate::auth::Authorized;
use crate::error::ApiError;
use crate::permission::Read;

/// How the pages are served.
#[derive(Debug, Clone)]
pub struct Pages {
    /// The base path of the server: empty, or with a slash before and none behind it.
    pub base: String,
    /// Whether there are pages at all.
    pub enabled: bool,
}

/// The cookie in which the pages keep the colours that somebody chose.
const THEME: &str = "vexil-theme";

/// For a year, and without asking again: another version of a file has another address.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/", front),
        Route::get("/ui", page),
        Route::get("/ui/{digest}/{file}", asset),
        Route::get("/ui/{page}*", page),
    ]
}
