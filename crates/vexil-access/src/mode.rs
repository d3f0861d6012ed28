//! What a project is to people who have no role in it.

/// What a project is to people who have no role in it. Admins are not concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum ProjectMode {
    /// Their root role says what they may do here.
    #[default]
    Open,
    /// They may look, whatever their root role.
    Protected,
    /// It is not there for them.
    Private,
}

impl ProjectMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Open, Self::Protected, Self::Private];

    /// The name under which it is stored and sent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Protected => "protected",
            Self::Private => "private",
        }
    }

    /// The mode of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
