//! Which flags depend on which, the other way round than flags say it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Dependency, FlagName, Snapshot};

/// The live flags that depend on each flag. It is gathered in one pass over the flags, and then asked
/// without looking at them again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dependents(BTreeMap<FlagName, BTreeSet<FlagName>>);

impl Dependents {
    /// Those of a snapshot.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut dependents = Self::default();
        for flag in snapshot.flags.values().filter(|flag| !flag.is_archived()) {
            dependents.replace(&flag.name, &[], &flag.dependencies);
        }
        dependents
    }

    /// The flags that depend on `parent`, by name.
    pub fn on<'a>(&'a self, parent: &FlagName) -> impl Iterator<Item = &'a FlagName> + use<'a> {
        self.0.get(parent).into_iter().flatten()
    }

    /// Takes note that what `child` depends on has changed.
    pub fn replace(&mut self, child: &FlagName, before: &[Dependency], after: &[Dependency]) {
        for Dependency { parent, .. } in before {
            if let Some(children) = self.0.get_mut(parent) {
                children.remove(child);
            }
        }
        for Dependency { parent, .. } in after {
            self.0.entry(parent.clone()).or_default().insert(child.clone());
        }
    }
}
