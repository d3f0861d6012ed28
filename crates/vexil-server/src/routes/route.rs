//! One route: where it is, who may call it, and what answers.

use std::cell::OnceCell;
use std::fmt;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::{CACHE_CONTROL, ETAG, HeaderValue};
use actix_web::http::{ConnectionType, Method, Version};
use actix_web::web::{self, Payload};
use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Responder, guard};
use vexil_budget::{Exhausted, Stop};
use vexil_service::numbers::RouteNumbers;
use vexil_service::operations::Error;
use vexil_service::operations::maintenance::is_on;
use vexil_service::permission::Access;
use vexil_service::{Lane, wait_for};

use super::ApiError;
use super::auth::admit;
use super::body::app;
use super::query_names;
use super::reply::{Outcome, Reply};
use super::request_id;

/// One route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path below the base path; parameters in braces.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// The parameters that its query may have; `*` stands for any other.
    pub queries: &'static [&'static str],
    /// What it is about, such as `Flags`.
    pub group: &'static str,
    /// The handler, such as `flags::create`.
    pub handler: &'static str,
    /// What it does, for people.
    pub summary: &'static str,
    pub(super) route: actix_web::Route,
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Route")
            .field("method", &self.method)
            .field("path", &self.path)
            .field("handler", &self.handler)
            .finish_non_exhaustive()
    }
}

/// Where maintenance is switched off again.
const MAINTENANCE: &str = "/api/admin/maintenance";

/// What a request must be to get to a handler.
#[derive(Clone, Copy)]
pub(super) struct Admission {
    /// Who may call it.
    pub(super) access: Access,
    /// The parameters that its query may have.
    pub(super) queries: &'static [&'static str],
}

impl Admission {
    /// Lets a request in, or says why not.
    fn admit(self, request: &HttpRequest) -> Result<(), ApiError> {
        admit(request, self.access)?;
        match self.access {
            Access::SignedIn | Access::Holds(_) => query_names::check(request.query_string(), self.queries),
            // what SDKs and browsers add to their questions does no harm
            Access::Open | Access::Client | Access::Frontend | Access::AnySdk => Ok(()),
        }
    }
}

/// What answers a request.
trait Answering: Handler<(HttpRequest, Payload), Output = Result<HttpResponse, actix_web::Error>> {}

impl<F> Answering for F where
    F: Handler<(HttpRequest, Payload), Output = Result<HttpResponse, actix_web::Error>>
{
}

type Boxed<T> = Pin<Box<dyn Future<Output = Result<T, actix_web::Error>>>>;

/// A handler with its arguments.
type Bound = Box<dyn FnOnce(&Stop) -> Reply + Send>;

/// Reads the arguments of a handler.
type Bind = Rc<dyn Fn(HttpRequest, Payload) -> Boxed<Bound>>;

impl Route {
    /// A route whose handler runs once whoever asks is let in.
    ///
    /// A handler of the administration API runs on the threads of its lane, and cannot run elsewhere: its
    /// arguments are sent there. Only what SDKs and strangers ask is answered on the threads that answer
    /// requests, and must be quick.
    pub(super) fn new<F, Args>(method: Method, path: &'static str, admission: Admission, handler: F) -> Self
    where
        F: Handler<Args> + Send,
        Args: FromRequest + Send + 'static,
        F::Output: Outcome,
    {
        let bind = move |request: HttpRequest, payload: Payload| {
            let handler = handler.clone();
            boxed(async move {
                let arguments = arguments(&request, payload).await?;
                let bound: Bound = Box::new(move |stop| {
                    let reply = wait_for(stop, async { Reply::of(handler.call(arguments).await) });
                    reply.unwrap_or_else(|| Reply::of(Err::<HttpResponse, _>(ApiError::from(given_up()))))
                });
                Ok(bound)
            })
        };
        let lane = lane(&method, path);
        let rests = lane == Lane::Writing && path != MAINTENANCE;
        let answer = in_lane(lane, rests, admission, Rc::new(bind));
        Self::answered(method, path, admission, answer)
    }

    /// A route whose handler runs on a thread that answers requests.
    pub(super) fn quick<F, Args>(method: Method, path: &'static str, admission: Admission, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let answer = move |request: HttpRequest, payload: Payload| {
            let handler = handler.clone();
            async move {
                admission.admit(&request)?;
                let answer = handler.call(arguments(&request, payload).await?).await;
                let answer = answer.respond_to(&request).map_into_boxed_body();
                Ok(match admission.access {
                    Access::Client | Access::Frontend | Access::AnySdk => answer,
                    _ => kept_by_nobody(answer),
                })
            }
        };
        Self::answered(method, path, admission, answer)
    }

    fn answered(method: Method, path: &'static str, admission: Admission, answer: impl Answering) -> Self {
        let answer = counted(method.clone(), path, answer);
        let route = match method {
            Method::GET => web::route().guard(guard::Any(guard::Get()).or(guard::Head())),
            _ => web::method(method.clone()),
        };
        Self {
            method,
            path,
            access: admission.access,
            queries: admission.queries,
            group: "",
            handler: "",
            summary: "",
            route: route.to(answer),
        }
    }

    /// The parameters of the path, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let pieces = self.path.split('{').skip(1);
        // what stands behind a colon says what the parameter fits
        pieces.filter_map(|piece| piece.split([':', '}']).next())
    }
}

/// Answers on the threads of a lane. Nothing of a request is read before whoever sent it is let in. This is the
/// same for every type of handler, and so is compiled once. What `rests` is refused in maintenance.
fn in_lane(lane: Lane, rests: bool, admission: Admission, bind: Bind) -> impl Answering {
    move |request: HttpRequest, payload: Payload| {
        let bind = Rc::clone(&bind);
        async move {
            admission.admit(&request)?;
            let app = app(&request).map_err(ApiError::from)?;
            if rests && is_on(&app.serving().access.tables.settings) {
                return Err(ApiError::from(Error::Maintenance).into());
            }
            let bound = bind(request.clone(), payload).await?;
            let reply = app.handle(lane, bound).await.map_err(ApiError::from)?;
            Ok(kept_by_nobody(reply.into_response()))
        }
    }
}

/// Counts what a route answers. Failures are logged with what the client calls its request.
fn counted(method: Method, path: &'static str, answer: impl Answering) -> impl Answering {
    let numbers = Rc::new(OnceCell::<Arc<RouteNumbers>>::new());
    move |request: HttpRequest, payload: Payload| {
        let (answer, numbers, method) = (answer.clone(), Rc::clone(&numbers), method.clone());
        async move {
            let begun = Instant::now();
            let outcome = answer.call((request.clone(), payload)).await;
            let id = request_id::of(&request);
            let mut answer = outcome.unwrap_or_else(|error| {
                let _span = tracing::error_span!("request", id, %method, path).entered();
                error.error_response()
            });
            request_id::send_back(&request, answer.headers_mut());
            if request.version() < Version::HTTP_11 {
                ended_by_closing(&mut answer);
            }
            if let Ok(app) = app(&request) {
                let numbers = numbers.get_or_init(|| app.numbers().of_route(method.as_str(), path));
                numbers.count(answer.status().as_u16(), begun.elapsed());
            }
            tracing::debug!(id, %method, path, status = answer.status().as_u16(), "answered");
            Ok(answer)
        }
    }
}

/// Lets an answer whose length is not known end with the connection: chunks are for HTTP/1.1 (RFC 9112, section 6.1).
fn ended_by_closing(answer: &mut HttpResponse) {
    if answer.body().size() == BodySize::Stream {
        let head = answer.head_mut();
        head.no_chunking(true);
        head.set_connection_type(ConnectionType::Close);
    }
}

fn boxed<T>(future: impl Future<Output = Result<T, actix_web::Error>> + 'static) -> Boxed<T> {
    Box::pin(future)
}

/// The arguments of a handler.
async fn arguments<Args: FromRequest>(
    request: &HttpRequest,
    payload: Payload,
) -> Result<Args, actix_web::Error> {
    let arguments = Args::from_request(request, &mut payload.into_inner());
    arguments.await.map_err(Into::into)
}

/// Tells browsers and proxies to keep nothing of an answer, which may tell a secret, unless it says what may
/// be kept of it.
fn kept_by_nobody(mut answer: HttpResponse) -> HttpResponse {
    let headers = answer.headers_mut();
    if !headers.contains_key(CACHE_CONTROL) && !headers.contains_key(ETAG) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    answer
}

/// Which threads a handler of the administration API runs on.
fn lane(method: &Method, path: &str) -> Lane {
    let computes = path.starts_with("/api/admin/playground") || path.contains("/change-requests/{id}");
    match *method {
        Method::POST if path.starts_with("/api/admin/playground") => Lane::Questions,
        Method::GET if computes => Lane::Questions,
        Method::GET => Lane::Reading,
        _ => Lane::Writing,
    }
}

fn given_up() -> Error {
    Error::from(Exhausted::Late)
}
