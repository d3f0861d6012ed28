//! One route: where it is, who may call it, and what answers.

use actix_web::http::Method;
use actix_web::web::{self, Payload};
use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Responder, guard};

use super::auth::admit;
use crate::permission::Access;

/// One route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path below the base path; parameters in braces.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// What it is about, such as `Flags`.
    pub group: &'static str,
    /// The handler, such as `flags::create`.
    pub handler: &'static str,
    /// What it does, for people.
    pub summary: &'static str,
    pub(super) route: actix_web::Route,
}

impl Route {
    /// A route whose handler runs once whoever asks is let in.
    pub(super) fn new<F, Args>(method: Method, path: &'static str, access: Access, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let route = match method {
            Method::GET => web::route().guard(guard::Any(guard::Get()).or(guard::Head())),
            _ => web::method(method.clone()),
        };
        let guarded = move |request: HttpRequest, payload: Payload| {
            let handler = handler.clone();
            async move { answer(&request, payload, access, handler).await }
        };
        Self {
            method,
            path,
            access,
            group: "",
            handler: "",
            summary: "",
            route: route.to(guarded),
        }
    }

    /// The parameters of the path, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let pieces = self.path.split('{').skip(1);
        // what stands behind a colon says what the parameter fits
        pieces.filter_map(|piece| piece.split([':', '}']).next())
    }
}

/// Nothing of a request is read before whoever sent it is let in.
async fn answer<F, Args>(
    request: &HttpRequest,
    payload: Payload,
    access: Access,
    handler: F,
) -> Result<HttpResponse, actix_web::Error>
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    admit(request, access)?;
    let arguments = Args::from_request(request, &mut payload.into_inner());
    let arguments = arguments.await.map_err(Into::into)?;
    let answer = handler.call(arguments).await;
    Ok(answer.respond_to(request).map_into_boxed_body())
}
