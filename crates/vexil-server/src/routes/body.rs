//! Request bodies: size, content type and JSON are checked before anything reads them.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::{Bytes, Data, Query};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use serde::de::DeserializeOwned;
use serde_json::Value;
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::json_text::{parse, parse_lenient};

use crate::content_coding::Coding;
use crate::incoming::{Bounds, collect, room_to_read};
use crate::routes::ApiError;
use crate::routes::auth::SdkToken;

/// A JSON body. An empty one is read as an empty object, as Unleash does.
pub(crate) struct JsonBody {
    /// The parsed body.
    pub(crate) value: Value,
    /// The text it was parsed from.
    pub(crate) text: Bytes,
}

impl FromRequest for JsonBody {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move { Self::collect(&request, payload, 0).await })
    }
}

impl JsonBody {
    /// Reads a body, of which so many bytes are taken however low the limit is.
    pub(super) async fn collect(
        request: &HttpRequest,
        payload: Payload,
        room: usize,
    ) -> Result<Self, ApiError> {
        let text = RawBody::collect(request, payload, room).await?;
        if text.is_empty() {
            return Ok(Self {
                value: Value::Object(serde_json::Map::new()),
                text: Bytes::from_static(b"{}"),
            });
        }
        let read = text.clone();
        let is_from_sdk = request.extensions().contains::<SdkToken>();
        let parse = if is_from_sdk { parse_lenient } else { parse };
        let value = app(request)?.parse(text.len(), move |_| parse(&read)).await??;
        Ok(Self { value, text })
    }
}

/// A body that is said to be JSON, not parsed yet.
pub(crate) struct RawBody(pub(crate) Bytes);

impl FromRequest for RawBody {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move { Self::collect(&request, payload, 0).await.map(Self) })
    }
}

impl RawBody {
    async fn collect(request: &HttpRequest, payload: Payload, room: usize) -> Result<Bytes, ApiError> {
        check_content_type(request)?;
        Self::collect_any(request, payload, room).await
    }

    /// Whatever it is.
    async fn collect_any(request: &HttpRequest, payload: Payload, room: usize) -> Result<Bytes, ApiError> {
        let app = app(request)?;
        let bounds = Bounds {
            limit: app.limits.body_bytes.max(room),
            deadlines: app.limits.deadlines,
            space: &app.memory.bodies,
        };
        let coding = Coding::of(request.headers())?;
        let (mut body, mut held) = collect(request, payload, &bounds).await?;
        if let Some(coding) = coding.filter(|_| !body.is_empty()) {
            let limit = bounds.limit;
            // however short it is, it may become long
            body = app
                .parse(limit.max(body.len()), move |_| coding.decode(&body, limit))
                .await??;
        }
        held.join(room_to_read(&app.memory.documents, body.len()).await?);
        // until the request is answered
        request.extensions_mut().insert(held);
        Ok(body)
    }
}

/// The fields of a form that a page without scripts has sent.
pub(crate) struct FormBody<T>(pub(crate) T);

impl<T: DeserializeOwned + 'static> FromRequest for FormBody<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            if !request
                .content_type()
                .eq_ignore_ascii_case("application/x-www-form-urlencoded")
            {
                return Err(ApiError::ContentType(request.content_type().to_owned()));
            }
            let text = RawBody::collect_any(&request, payload, 0).await?;
            let unreadable = |error| Error::invalid(format!("The form cannot be read: {error}."));
            let fields = Query::<T>::from_query(&String::from_utf8_lossy(&text)).map_err(unreadable)?;
            Ok(Self(fields.into_inner()))
        })
    }
}

pub(super) fn app(request: &HttpRequest) -> Result<&Data<App>, Error> {
    let app = request.app_data::<Data<App>>();
    app.ok_or_else(|| Error::internal("the application is not set up"))
}

fn check_content_type(request: &HttpRequest) -> Result<(), ApiError> {
    let Some(header) = request.headers().get(CONTENT_TYPE) else {
        return Err(ApiError::ContentType("you didn't provide one".to_owned()));
    };
    let text = String::from_utf8_lossy(header.as_bytes());
    let mut parts = text.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    let utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
            matches!(
                value.trim().trim_matches('"').to_ascii_lowercase().as_str(),
                "utf-8" | "utf8" | "us-ascii"
            )
        }
        _ => true,
    });
    if kind.eq_ignore_ascii_case("application/json") && utf8 {
        return Ok(());
    }
    Err(ApiError::ContentType(text.into_owned()))
}
