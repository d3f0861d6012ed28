//! What a handler answers, in a form that can be sent from the thread that made it to the one that answers.

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_ENCODING, ContentType, HeaderMap, HeaderValue, VARY};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, ResponseError};
use vexil_service::operations::Error;
use vexil_service::pipe::Reader;

use super::ApiError;

/// An answer that can be sent between threads.
pub(crate) struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Body,
}

enum Body {
    Whole(Bytes),
    /// Written while it is sent.
    Streamed(Reader),
}

/// JSON text that is written while it is sent.
pub(crate) struct Streamed {
    pub(crate) reader: Reader,
    /// Whether it is compressed with gzip.
    pub(crate) is_packed: bool,
}

/// What handlers of the administration API come to.
pub(super) trait Outcome {
    fn reply(self) -> Reply;
}

impl Reply {
    pub(super) fn of(outcome: impl Outcome) -> Self {
        outcome.reply()
    }

    pub(super) fn into_response(self) -> HttpResponse {
        let mut response = HttpResponse::new(self.status);
        *response.headers_mut() = self.headers;
        match self.body {
            Body::Whole(bytes) => response.map_body(|_, _| bytes.boxed()),
            Body::Streamed(reader) => {
                let mut streamed = HttpResponse::build(self.status);
                let mut streamed = streamed.streaming(reader);
                *streamed.headers_mut() = std::mem::take(response.headers_mut());
                streamed
            }
        }
    }
}

impl Outcome for Reply {
    fn reply(self) -> Reply {
        self
    }
}

impl Outcome for HttpResponse {
    fn reply(self) -> Reply {
        let (response, body) = self.into_parts();
        let (status, headers) = (response.status(), response.headers().clone());
        match (body.size(), body.try_into_bytes()) {
            (BodySize::None, _) => Reply {
                status,
                headers,
                body: Body::Whole(Bytes::new()),
            },
            (_, Ok(bytes)) => Reply {
                status,
                headers,
                body: Body::Whole(bytes),
            },
            (_, Err(_)) => {
                ApiError::from(Error::internal("an answer is streamed on a thread of its own")).reply()
            }
        }
    }
}

impl Outcome for ApiError {
    fn reply(self) -> Reply {
        self.error_response().reply()
    }
}

impl Outcome for Streamed {
    fn reply(self) -> Reply {
        let mut response = HttpResponse::Ok();
        let mut response = response.content_type(ContentType::json()).finish();
        let headers = response.headers_mut();
        headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        if self.is_packed {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        Reply {
            status: response.status(),
            headers: response.headers().clone(),
            body: Body::Streamed(self.reader),
        }
    }
}

impl<T: Outcome> Outcome for Result<T, ApiError> {
    fn reply(self) -> Reply {
        match self {
            Ok(answer) => answer.reply(),
            Err(error) => error.reply(),
        }
    }
}
