//! Which change a command is about: one of files, or a change request of a server.

use std::path::PathBuf;

use clap::Args;
use time::OffsetDateTime;
use ureq::http::Uri;
use vexil_service::operations::{diff::BeforeAfter, given_state};

use super::error::{CommandError, read_json};
use super::preview_remote::Remote;
use super::preview_state;
use crate::whole_numbers::whole;

/// Which change it is.
#[derive(Debug, Clone, Args)]
pub(super) struct ChangeArguments {
    /// The flags as they are: an export or the client features of one environment, as JSON.
    #[arg(
        long,
        value_name = "FILE",
        requires = "changes",
        required_unless_present = "server"
    )]
    state: Option<PathBuf>,
    /// The changes: a JSON list of `{feature, action, payload}`.
    #[arg(long, value_name = "FILE", requires = "state")]
    changes: Option<PathBuf>,
    /// The environment that changes are for; by default the one that the state names, else `development`.
    #[arg(long, conflicts_with = "server")]
    environment: Option<String>,
    /// A server to ask instead.
    #[arg(
        long,
        value_name = "URL",
        value_parser = server_address,
        conflicts_with = "state",
        requires = "change_request"
    )]
    server: Option<String>,
    /// An admin token of that server.
    #[arg(long, env = "VEXIL_TOKEN", hide_env_values = true, default_value = "")]
    token: String,
    /// The change request.
    #[arg(long, value_name = "ID", value_parser = whole(0..=i64::MAX), allow_negative_numbers = true, requires = "server")]
    change_request: Option<i64>,
}

/// Reads the address of a server: what it answers below.
fn server_address(text: &str) -> Result<String, String> {
    let address = text.trim().parse::<Uri>().ok();
    let is_web = |address: &Uri| {
        let scheme = address.scheme_str();
        matches!(scheme, Some("http" | "https")) && address.query().is_none() && !text.contains('#')
    };
    if address.as_ref().is_some_and(is_web) {
        return Ok(text.trim().trim_end_matches('/').to_owned());
    }
    Err("it must be the address of a server, such as `https://flags.example.com`".to_owned())
}

impl ChangeArguments {
    /// The server to ask, if one is to be asked.
    pub(super) fn remote(&self) -> Result<Option<Remote>, CommandError> {
        let Some((server, id)) = self.server.as_ref().zip(self.change_request) else {
            return Ok(None);
        };
        // said here and not where arguments are read, which prints what is refused
        let address = server.parse::<Uri>().ok();
        if address.is_some_and(|it| it.authority().is_some_and(|it| it.as_str().contains('@'))) {
            return Err(CommandError("--server must not hold a name or a password, which would be printed; say who asks with --token".to_owned()));
        }
        let token = self.token.trim();
        if token
            .bytes()
            .any(|byte| !(byte.is_ascii_graphic() || byte == b' '))
        {
            return Err(CommandError(
                "--token or VEXIL_TOKEN has letters that no token has; give the token alone, on one line"
                    .to_owned(),
            ));
        }
        Ok(Some(Remote::new(server, token, id)))
    }

    /// What the files say, before the change and after it.
    pub(super) fn sides(&self, now: OffsetDateTime) -> Result<BeforeAfter, CommandError> {
        let (Some(state), Some(changes)) = (&self.state, &self.changes) else {
            return Err(CommandError(
                "give --state and --changes, or --server and --change-request".to_owned(),
            ));
        };
        let state = given_state::read(&read_json(state)?, self.environment.as_deref(), now)?;
        preview_state::with_changes(state, &read_json(changes)?, now)
    }
}
