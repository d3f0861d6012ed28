//! Asking the provider: over TLS, with a deadline, following nobody elsewhere.

use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};

/// How long the provider may take for one answer.
const DEADLINE: Duration = Duration::from_secs(10);
/// How much it may answer.
const LONGEST_ANSWER: u64 = 1 << 20;

/// An agent that asks providers.
pub(super) fn agent() -> Agent {
    let tls = TlsConfig::builder()
        .provider(TlsProvider::NativeTls)
        .root_certs(RootCerts::PlatformVerifier)
        .build();
    Agent::config_builder()
        .tls_config(tls)
        .timeout_global(Some(DEADLINE))
        .max_redirects(0)
        .http_status_as_error(false)
        .build()
        .into()
}

/// Asks once.
pub(super) fn ask(agent: &Agent, request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
    let (parts, mut body) = agent.run(request)?.into_parts();
    let bytes = body.with_config().limit(LONGEST_ANSWER).read_to_vec()?;
    Ok(HttpResponse::from_parts(parts, bytes))
}
