//! The servers that are measured in one run.

use super::process::listener;
use crate::http::Api;
use crate::outcome::Outcome;
use crate::parity::Peer;
use crate::server::{CLIENT_TOKEN, FRONTEND_TOKEN, Server};

/// The server beside ours. It answers an SDK 20,000 times a minute at most, and refuses the rest.
pub(super) const PEER: &str = "Unleash";

/// A server that is measured.
pub(super) struct Measured {
    pub(super) name: &'static str,
    pub(super) process: u32,
    pub(super) admin: Api,
    pub(super) client: Api,
    pub(super) frontend: Api,
}

impl Measured {
    pub(super) fn ours(server: &Server) -> Self {
        let with = |token: &str| Api {
            url: server.url.clone(),
            token: token.to_owned(),
        };
        Self {
            name: "Vexil",
            process: server.id(),
            admin: server.admin(),
            client: with(CLIENT_TOKEN),
            frontend: with(FRONTEND_TOKEN),
        }
    }

    pub(super) fn peer(peer: &Peer) -> Outcome<Self> {
        let admin = peer.admin();
        let port = admin.url.rsplit(':').next().unwrap_or_default();
        Ok(Self {
            name: PEER,
            process: listener(port)?,
            client: peer.client(),
            frontend: peer.frontend(),
            admin,
        })
    }
}
