//! What a handler may want of a request beside path and body: its headers and its query.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderMap;
use actix_web::web::Data;
use actix_web::{Error, FromRequest, HttpRequest};
use vexil_service::App;
use vexil_store::Session;

use super::session;
use crate::sign_in::own_address;

/// What was asked, in a form that can be sent to another thread.
pub(super) struct Asked {
    pub(super) headers: HeaderMap,
    pub(super) query: String,
    /// The session that asks, where it is one.
    pub(super) session: Option<Session>,
    /// The address under which whoever asks has found this server.
    pub(super) own_address: String,
}

impl FromRequest for Asked {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self {
            headers: request.headers().clone(),
            query: request.query_string().to_owned(),
            session: session::of(request),
            own_address: request
                .app_data::<Data<App>>()
                .map(|app| own_address(request, &app.sign_in.options))
                .unwrap_or_default(),
        }))
    }
}
