//! Changes of what a flag depends on.

use vexil_domain::{Dependency, FlagName};

use super::{Made, Overlay, refuse};
use crate::IssueCode;

impl Overlay<'_> {
    /// A flag has one parent: another takes the place of the earlier one.
    pub(super) fn add_dependency(&mut self, flag: &FlagName, dependency: &Dependency) -> Made {
        self.check_parent(flag, &dependency.parent)?;
        let mut dependency = dependency.clone();
        if !dependency.enabled {
            dependency.variants.clear();
        }
        if let Some(flag) = self.flag_mut(flag) {
            flag.dependencies = vec![dependency];
        }
        Ok(())
    }

    pub(super) fn remove_dependencies(&mut self, flag: &FlagName, parent: Option<&FlagName>) -> Made {
        let goes = |dependency: &Dependency| parent.is_none_or(|parent| dependency.parent == *parent);
        let Some(settings) = self.flag_mut(flag) else {
            return Ok(());
        };
        if !settings.dependencies.iter().any(goes) {
            let message = match parent {
                Some(parent) => format!("the flag `{flag}` does not depend on `{parent}`"),
                None => format!("the flag `{flag}` depends on no other"),
            };
            return refuse(IssueCode::DependencyMissing, message);
        }
        settings.dependencies.retain(|dependency| !goes(dependency));
        Ok(())
    }

    fn check_parent(&self, name: &FlagName, parent: &FlagName) -> Made {
        if name == parent {
            let message = format!("the flag `{name}` cannot depend on itself");
            return refuse(IssueCode::DependencySelf, message);
        }
        let Some(found) = self.proposed.flags.get(parent) else {
            let message = format!("there is no flag `{parent}` to depend on");
            return refuse(IssueCode::DependencyParentMissing, message);
        };
        if found.project != self.scope.project {
            let message = format!(
                "the flag `{parent}` is in project `{}`; a flag can only depend on one of its own project",
                found.project
            );
            return refuse(IssueCode::DependencyOtherProject, message);
        }
        if found.is_archived() || self.archiving.iter().any(|(_, archived)| archived == parent) {
            let message = format!("the flag `{parent}` is archived; nothing can depend on it");
            return refuse(IssueCode::DependencyParentArchived, message);
        }
        if !found.dependencies.is_empty() {
            let message =
                format!("the flag `{parent}` depends on another itself, so nothing can depend on it");
            return refuse(IssueCode::DependencyTransitive, message);
        }
        if let Some(child) = self.children(name).next() {
            let message = format!("`{child}` depends on the flag `{name}`, so it cannot depend on another");
            return refuse(IssueCode::DependencyTransitive, message);
        }
        Ok(())
    }

    /// The live flags that depend on a flag, as things stand now.
    pub(super) fn children<'s>(&'s self, parent: &'s FlagName) -> impl Iterator<Item = &'s FlagName> {
        self.proposed
            .flags
            .values()
            .filter(|flag| !flag.is_archived())
            .filter(move |flag| flag.dependencies.iter().any(|one| one.parent == *parent))
            .map(|flag| &flag.name)
    }
}
