//! Who acts where nobody asked.

use vexil_domain::{Actor, ActorId};

/// The actor of what the server does by itself.
#[must_use]
pub fn system() -> Actor {
    Actor {
        id: ActorId(-1),
        name: "system".to_owned(),
    }
}
