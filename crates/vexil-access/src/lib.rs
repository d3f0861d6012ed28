//! Who may do what where, and why: permissions, roles, groups and grants.
//!
//! [`Rights::decide`] is the one question: may this person do this in this place? Everything else says what the
//! answer is made of. Rights add up: whatever one role gives, no other takes away. The exceptions are projects
//! whose [`ProjectMode`] is not `Open`: there, root roles give less.
//!
//! ```
//! use vexil_access::{Directory, Permission, Place, RoleId, UserId};
//!
//! let directory = Directory::default();
//! let mut ada = directory.nobody();
//! ada.add_root_role(RoleId::VIEWER);
//! ada.add_project_role(&"shop".into(), RoleId::MEMBER);
//!
//! let (shop, bank) = ("shop".into(), "bank".into());
//! assert!(ada.decide(Permission::CreateFeature, Place::Project(&shop)).is_allowed());
//! assert_eq!(
//!     ada.decide(Permission::CreateFeature, Place::Project(&shop)).to_string(),
//!     "allowed by the role Member in the project shop"
//! );
//! assert_eq!(
//!     ada.decide(Permission::CreateFeature, Place::Project(&bank)).to_string(),
//!     "needs CREATE_FEATURE in the project bank"
//! );
//! # let _ = UserId(1);
//! ```
//!
//! Nothing here knows HTTP, reads a clock or stores anything.

mod assign;
mod built_in;
mod decision;
mod directory;
mod grant;
mod group;
mod mode;
mod permission;
mod permission_set;
mod place;
mod rights;
mod role;

pub use assign::{Assignment, Unassignable};
pub use decision::{Decision, Missing, Reason};
pub use directory::{Directory, Holder};
pub use grant::Grant;
pub use group::{Group, GroupId};
pub use mode::ProjectMode;
pub use permission::{Permission, Scope};
pub use permission_set::PermissionSet;
pub use place::Place;
pub use rights::Rights;
pub use role::{Role, RoleId, RoleKind, RolePermission};

/// Identifies a user. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserId(pub i64);
