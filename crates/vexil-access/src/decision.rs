//! The answer to whether somebody may do something, with the reason.

use std::fmt;
use std::sync::Arc;

use crate::{Grant, Group, Permission, Place, ProjectMode, Role};

/// Whether somebody may do something in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision<'a> {
    /// They may.
    Allowed(Reason<'a>),
    /// They may not.
    Refused(Missing<'a>),
}

/// Why somebody may do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason<'a> {
    /// A role holds the permission.
    Role {
        /// The role.
        role: &'a Arc<Role>,
        /// The group that gives it, where it is not their own.
        group: Option<&'a Arc<Group>>,
        /// Where it was given: [`Place::Instance`] for a root role.
        given_in: Place<'a>,
    },
    /// The permission was given by itself.
    Grant(&'a Grant),
}

/// Why somebody may not do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing<'a> {
    /// The permission that would do.
    pub permission: Permission,
    /// Where they would need it.
    pub place: Place<'a>,
    /// What the project is to people without a role in it, where that is what stands in the way: their root
    /// role would do if it were open.
    pub mode: Option<ProjectMode>,
}

impl Decision<'_> {
    /// Whether they may.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed(_))
    }
}

impl fmt::Display for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allowed(reason) => write!(f, "allowed by {reason}"),
            Self::Refused(missing) => missing.fmt(f),
        }
    }
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Role {
                role,
                group,
                given_in,
            } => {
                match given_in {
                    Place::Instance => write!(f, "the root role {}", role.name)?,
                    place => write!(f, "the role {} in {place}", role.name)?,
                }
                match group {
                    Some(group) => write!(f, " of the group {}", group.name),
                    None => Ok(()),
                }
            }
            Self::Grant(grant) => {
                let place = Place::of(Some(&grant.project), grant.environment.as_ref());
                write!(f, "the permission {} in {place}", grant.permission.name())
            }
        }
    }
}

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "needs {}", self.permission.name())?;
        if self.place != Place::Instance {
            write!(f, " in {}", self.place)?;
        }
        match self.mode {
            Some(mode) => write!(f, ", which is {}: only roles in it count", mode.name()),
            None => Ok(()),
        }
    }
}
