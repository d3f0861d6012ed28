//! Changes of what a flag depends on.

use vexil_domain::{Dependency, Dependents, FlagName};

use super::{Made, Overlay, refuse};
use crate::ProblemCode;

impl Overlay<'_> {
    /// A flag has one parent: another takes the place of the earlier one.
    pub(super) fn add_dependency(&mut self, flag: &FlagName, dependency: &Dependency) -> Made {
        self.check_parent(flag, &dependency.parent)?;
        let mut dependency = dependency.clone();
        if !dependency.enabled {
            dependency.variants.clear();
        }
        self.set_dependencies(flag, vec![dependency]);
        Ok(())
    }

    pub(super) fn remove_dependencies(&mut self, flag: &FlagName, parent: Option<&FlagName>) -> Made {
        let goes = |dependency: &Dependency| parent.is_none_or(|parent| dependency.parent == *parent);
        let found = self.proposed.flags.get(flag);
        let dependencies = found.map(|flag| flag.dependencies.as_slice()).unwrap_or_default();
        if !dependencies.iter().any(goes) {
            let message = match parent {
                Some(parent) => format!("the flag `{flag}` does not depend on `{parent}`"),
                None => format!("the flag `{flag}` depends on no other"),
            };
            return refuse(ProblemCode::DependencyMissing, message);
        }
        let kept = dependencies.iter().filter(|dependency| !goes(dependency));
        let kept = kept.cloned().collect();
        self.set_dependencies(flag, kept);
        Ok(())
    }

    fn set_dependencies(&mut self, name: &FlagName, dependencies: Vec<Dependency>) {
        let Some(flag) = self.flag_mut(name) else {
            return;
        };
        let before = std::mem::replace(&mut flag.dependencies, dependencies.clone());
        self.dependents().replace(name, &before, &dependencies);
    }

    fn check_parent(&mut self, name: &FlagName, parent: &FlagName) -> Made {
        if name == parent {
            let message = format!("the flag `{name}` cannot depend on itself");
            return refuse(ProblemCode::DependencySelf, message);
        }
        let Some(found) = self.proposed.flags.get(parent) else {
            let message = format!("there is no flag `{parent}` to depend on");
            return refuse(ProblemCode::DependencyParentMissing, message);
        };
        if found.project != self.scope.project {
            let message = format!(
                "the flag `{parent}` is in project `{}`; a flag can only depend on one of its own project",
                found.project
            );
            return refuse(ProblemCode::DependencyOtherProject, message);
        }
        if found.is_archived() || self.archiving.contains_key(parent) {
            let message = format!("the flag `{parent}` is archived; nothing can depend on it");
            return refuse(ProblemCode::DependencyParentArchived, message);
        }
        if !found.dependencies.is_empty() {
            let message =
                format!("the flag `{parent}` depends on another itself, so nothing can depend on it");
            return refuse(ProblemCode::DependencyTransitive, message);
        }
        if let Some(child) = self.dependents().on(name).next() {
            let message = format!("`{child}` depends on the flag `{name}`, so it cannot depend on another");
            return refuse(ProblemCode::DependencyTransitive, message);
        }
        Ok(())
    }

    /// The flags that depend on each, as things stand now. Gathered when it is first asked for, and kept
    /// up to date from then on.
    pub(super) fn dependents(&mut self) -> &mut Dependents {
        let Self {
            proposed, dependents, ..
        } = self;
        dependents.get_or_insert_with(|| Dependents::of(proposed))
    }
}
