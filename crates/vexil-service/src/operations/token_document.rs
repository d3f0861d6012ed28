//! API tokens as they are shown.

use vexil_admin_api::token::{TokenDocument, TokenParts};
use vexil_store::ApiToken;

/// What is shown in place of a secret, of which only the hash is kept.
pub const HIDDEN: &str = "***";

/// Shows a token with its secret, or with what is shown in its place.
#[must_use]
pub fn document<'a>(token: &'a ApiToken, secret: &'a str) -> TokenDocument<'a> {
    TokenDocument::of(&TokenParts {
        id: token.id.0,
        secret,
        name: &token.name,
        kind: if token.is_called_backend {
            "backend"
        } else {
            token.kind.name()
        },
        projects: &token.projects,
        environment: token.environment.as_ref(),
        expires_at: token.expires_at,
        created_at: token.created_at,
        seen_at: token.seen_at,
    })
}
