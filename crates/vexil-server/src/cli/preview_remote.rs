//! Previews that a server makes.

use serde_json::Value;
use ureq::Agent;
use ureq::http::StatusCode;
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};

use super::error::{CommandError, MOST_BYTES, error_text, parse};

/// What to do where the token is not the right one.
const WHICH_TOKEN: &str = "\n  --token or VEXIL_TOKEN must be an admin token of that server, or a personal one of somebody who sees the project";

/// A change request on a server.
pub(super) struct Remote {
    agent: Agent,
    token: String,
    path: String,
}

impl Remote {
    pub(super) fn new(server: &str, token: &str, change_request: i64) -> Self {
        let tls = TlsConfig::builder()
            .provider(TlsProvider::NativeTls)
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .build();
        Self {
            agent: config.into(),
            token: token.to_owned(),
            path: format!("{server}/api/admin/playground/change-request/{change_request}"),
        }
    }

    /// Asks an operation of the change request; answers the body of a success.
    pub(super) fn ask(&self, operation: &str, body: &Value) -> Result<String, CommandError> {
        let url = format!("{}/{operation}", self.path);
        let failed = |error: ureq::Error| {
            let why = match error {
                ureq::Error::Io(error) => error.to_string(),
                error => error.to_string(),
            };
            CommandError(format!("cannot ask {url}: {why}"))
        };
        let request = self.agent.post(&url).header("Authorization", &self.token);
        let request = request.header("Content-Type", "application/json");
        let mut response = request.send(body.to_string()).map_err(failed)?;
        let status = response.status();
        let text = response
            .body_mut()
            .with_config()
            .limit(MOST_BYTES)
            .read_to_string()
            .map_err(failed)?;
        if status.is_success() {
            return Ok(text);
        }
        let reason = parse(text.as_bytes(), "the answer").map(|body| reason(&body));
        let reason = reason.unwrap_or(text);
        let way_out = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => WHICH_TOKEN,
            _ => "",
        };
        Err(CommandError(format!(
            "{url} answered {status}: {reason}{way_out}"
        )))
    }
}

/// Reads the answer to a question for a proof, which says whether everything is decided.
pub(super) fn proof(answer: &str) -> Result<Value, CommandError> {
    answer_with("complete", answer)
}

/// Reads the answer to a question for a difference.
pub(super) fn difference(answer: &str) -> Result<Value, CommandError> {
    answer_with("counts", answer)
}

fn answer_with(member: &str, answer: &str) -> Result<Value, CommandError> {
    let document = parse(answer.as_bytes(), "the answer")?;
    if document.get(member).is_some() {
        return Ok(document);
    }
    Err(CommandError(format!(
        "the answer says nothing of `{member}`: is it Vexil that answers there, of this version?"
    )))
}

/// What an error answer says.
fn reason(body: &Value) -> String {
    let text = |value: &Value| value.get("message").and_then(Value::as_str).map(str::to_owned);
    let details = body.get("details").and_then(Value::as_array);
    let details: Vec<String> = details.into_iter().flatten().filter_map(text).collect();
    let message = text(body).unwrap_or_else(|| "the request was refused".to_owned());
    error_text(&message, details.iter().map(String::as_str))
}
