//! Reading one's own writes on every server.
//!
//! The answer to a write names the revision that this server serves from then on, in the header
//! `Vexil-Revision`. A request that names a revision is answered from that one or a later one, whichever
//! server it reaches.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use vexil_service::App;

const REVISION: HeaderName = HeaderName::from_static("vexil-revision");

/// Waits for the revision that the request names, and names the one that a write has led to.
pub(super) async fn keep_up(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let app = request.app_data::<Data<App>>().cloned();
    let writes = !request.method().is_safe();
    if let (Some(app), Some(sequence)) = (&app, named(&request)) {
        // a database that does not answer does not keep anybody from what is in memory
        if let Err(error) = app.catch_up_to(sequence).await {
            tracing::warn!(cause = error.cause(), "a named revision could not be waited for");
        }
    }
    let mut response = next.call(request).await?;
    if let Some(app) = app
        && writes
        && response.status().is_success()
    {
        let sequence = app.serving().revision.sequence;
        response
            .headers_mut()
            .insert(REVISION, HeaderValue::from(sequence));
    }
    Ok(response)
}

/// The revision that a request names. What is no number names none.
fn named(request: &ServiceRequest) -> Option<u64> {
    request
        .headers()
        .get(REVISION)?
        .to_str()
        .ok()?
        .trim()
        .parse::<u64>()
        .ok()
}
