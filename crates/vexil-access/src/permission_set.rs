//! Sets of permissions.

use std::fmt;

use crate::Permission;

/// A set of permissions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PermissionSet(u128);

const _: () = assert!(Permission::ALL.len() <= 128, "one bit for each");

impl PermissionSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set of these.
    #[must_use]
    pub const fn of(permissions: &[Permission]) -> Self {
        let (mut bits, mut rest) = (0, permissions);
        while let [first, others @ ..] = rest {
            bits |= bit(*first);
            rest = others;
        }
        Self(bits)
    }

    /// Every permission.
    #[must_use]
    pub const fn all() -> Self {
        Self::of(Permission::ALL)
    }

    /// Whether a permission is in it.
    #[must_use]
    pub const fn contains(self, permission: Permission) -> bool {
        self.0 & bit(permission) != 0
    }

    /// Whether nothing is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in this one or in another.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this one and not in another.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of this is in another.
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// What is in it, in the order of [`Permission::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        let all = Permission::ALL.iter().copied();
        all.filter(move |permission| self.contains(*permission))
    }
}

const fn bit(permission: Permission) -> u128 {
    1 << (permission as u32)
}

impl FromIterator<Permission> for PermissionSet {
    fn from_iter<T: IntoIterator<Item = Permission>>(permissions: T) -> Self {
        permissions
            .into_iter()
            .fold(Self::EMPTY, |set, permission| set.with(Self::of(&[permission])))
    }
}

impl fmt::Debug for PermissionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
