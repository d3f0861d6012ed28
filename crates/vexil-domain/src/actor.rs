//! Who did something.

/// Identifies an actor. Users have positive ids; tokens that act by themselves have negative ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct ActorId(pub i64);

/// A user or an API token, as recorded with what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Actor {
    /// Identifies the actor.
    pub id: ActorId,
    /// The user name, or the name of the token.
    #[cfg_attr(feature = "serde", serde(rename = "username"))]
    pub name: String,
}
