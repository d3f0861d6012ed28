//! People as change requests name them.

use serde::Serialize;
use vexil_domain::Actor;

/// A person, or a token that acts by itself.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonDocument {
    /// Identifies who it is.
    pub id: i64,
    /// The name.
    pub username: String,
    /// A picture, where there is one.
    pub image_url: Option<String>,
}

impl From<&Actor> for PersonDocument {
    fn from(actor: &Actor) -> Self {
        Self {
            id: actor.id.0,
            username: actor.name.clone(),
            image_url: None,
        }
    }
}
