//! Single sign-on with OpenID Connect: the code flow with PKCE, discovery, and what the provider says of people.
//!
//! What is asked of the provider blocks: it runs off the threads that answer requests.

mod claims;
mod http;
mod issuer;
mod pending;
mod settings;
mod state;
mod used;

pub use claims::Identity;
pub use issuer::SignOnError;
pub use pending::{PATIENCE, Pending};
pub use settings::{IssuerError, OidcSettings};
pub(crate) use state::SignOnState;
