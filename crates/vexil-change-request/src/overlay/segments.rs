//! Changes of segments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vexil_domain::{FeatureFlag, Segment, SegmentId};

use super::{Made, Overlay, Refused, refuse};
use crate::{IssueCode, PlannedChange, SegmentUpdate, validate};

impl Overlay<'_> {
    pub(super) fn update_segment(&mut self, update: &SegmentUpdate) -> Made {
        self.check_owned(update.id)?;
        let mut refused: Vec<Refused> = validate::segment(&update.name, &update.constraints)
            .into_iter()
            .map(Into::into)
            .collect();
        if let Some(project) = &update.project
            && !self.proposed.projects.contains_key(project)
        {
            let message = format!("there is no project `{project}`");
            refused.push(Refused::at("/project", IssueCode::SegmentProjectInvalid, message));
        }
        if !refused.is_empty() {
            return Err(refused);
        }
        if let Some(segment) = self.proposed.segments.get_mut(&update.id).map(Arc::make_mut) {
            segment.name.clone_from(&update.name);
            segment.description.clone_from(&update.description);
            segment.project.clone_from(&update.project);
            segment.constraints.clone_from(&update.constraints);
        }
        if let Some(segment) = self.proposed.segments.get(&update.id) {
            let versions = self.updated_segments.entry(update.id).or_default();
            versions.push((self.at, Arc::clone(segment)));
        }
        Ok(())
    }

    /// Takes note of a segment to remove. One that this request removes already may be named again.
    pub(super) fn remove_segment(&mut self, id: SegmentId) -> Made {
        if !self.removing.iter().any(|(_, removed)| *removed == id) {
            self.check_owned(id)?;
        }
        self.removing.push((self.at, id));
        Ok(())
    }

    fn check_owned(&self, id: SegmentId) -> Made {
        let removed = self.removing.iter().any(|(_, removed)| *removed == id);
        let Some(segment) = self.proposed.segments.get(&id).filter(|_| !removed) else {
            return refuse(
                IssueCode::SegmentMissing,
                format!("there is no segment {id} (any more)"),
            );
        };
        match &segment.project {
            Some(owner) if *owner != self.scope.project => {
                let message = format!("the segment `{}` ({id}) is in project `{owner}`", segment.name);
                refuse(IssueCode::SegmentForeign, message)
            }
            _ => Ok(()),
        }
    }

    /// Removes the segments that were to be removed and that nothing uses, and takes back updates
    /// that clash with other segments or with where the segment is used.
    pub(super) fn settle_segments(&mut self, changes: &[PlannedChange]) {
        for (at, id) in std::mem::take(&mut self.removing) {
            let user = users(&self.proposed.flags, id)
                .next()
                .map(|flag| flag.name.clone());
            match (user, changes.get(at)) {
                (Some(user), Some(planned)) => {
                    let message = format!(
                        "the flag `{user}` uses the segment {id}; take it out of its strategies first"
                    );
                    self.raise(at, planned, Refused::new(IssueCode::SegmentInUse, message));
                }
                _ => {
                    self.proposed.segments.remove(&id);
                    self.updated_segments.remove(&id);
                }
            }
        }
        self.check_narrowed(changes);
        self.check_names(changes);
        self.note_widened(changes);
    }

    fn check_narrowed(&mut self, changes: &[PlannedChange]) {
        while let Some((id, at, outside)) = self.narrowed() {
            if let Some(planned) = changes.get(at) {
                let message = format!("strategies in other projects use the segment: {outside}");
                let why = Refused::at("/project", IssueCode::SegmentProjectInvalid, message);
                self.raise(at, planned, why);
            }
            self.take_back(id);
        }
    }

    /// An updated segment that was given to a project while others use it, and those others.
    fn narrowed(&self) -> Option<(SegmentId, usize, String)> {
        self.updates().find_map(|(id, at, segment)| {
            let project = segment.project.as_ref()?;
            let outside: BTreeSet<&str> = users(&self.proposed.flags, id)
                .filter(|flag| flag.project != *project)
                .map(|flag| flag.project.as_str())
                .collect();
            let projects: Vec<&str> = outside.into_iter().collect();
            (!projects.is_empty()).then(|| (id, at, projects.join(", ")))
        })
    }

    /// The updates that stand: segment, place of the last change, and what it made of the segment.
    fn updates(&self) -> impl Iterator<Item = (SegmentId, usize, &Segment)> {
        self.updated_segments.iter().filter_map(|(id, versions)| {
            let (at, segment) = versions.last()?;
            Some((*id, *at, segment.as_ref()))
        })
    }

    fn check_names(&mut self, changes: &[PlannedChange]) {
        while let Some((id, at, name)) = self.clash() {
            if let Some(planned) = changes.get(at) {
                let message = format!("another segment is called `{name}`");
                let why = Refused::at("/name", IssueCode::SegmentNameTaken, message);
                self.raise(at, planned, why);
            }
            self.take_back(id);
        }
    }

    /// The last updated segment that has the name of another one.
    fn clash(&self) -> Option<(SegmentId, usize, String)> {
        let mut names: BTreeMap<&str, u32> = BTreeMap::new();
        for segment in self.proposed.segments.values() {
            *names.entry(&segment.name).or_default() += 1;
        }
        self.updates()
            .filter(|(_, _, segment)| names.get(segment.name.as_str()) > Some(&1))
            .map(|(id, at, segment)| (id, at, segment.name.clone()))
            .max_by_key(|(_, at, _)| *at)
    }

    /// Undoes the last update of a segment.
    fn take_back(&mut self, id: SegmentId) {
        let versions = self.updated_segments.entry(id).or_default();
        versions.pop();
        let earlier = versions.last().map(|(_, segment)| segment);
        if let Some(segment) = earlier.or_else(|| self.base.segments.get(&id)) {
            self.proposed.segments.insert(id, Arc::clone(segment));
        }
    }

    fn note_widened(&mut self, changes: &[PlannedChange]) {
        let widened: Vec<(usize, String)> = self
            .updates()
            .filter(|(id, _, new)| self.base.segments.get(id).is_some_and(|old| widens(old, new)))
            .map(|(_, at, segment)| (at, segment.name.clone()))
            .collect();
        for (at, name) in widened {
            if let Some(planned) = changes.get(at) {
                let message =
                    format!("the segment `{name}` loses its last constraint and holds for everybody");
                self.raise(at, planned, Refused::new(IssueCode::WidensExposure, message));
            }
        }
    }
}

fn widens(old: &Segment, new: &Segment) -> bool {
    !old.constraints.is_empty() && new.constraints.is_empty()
}

/// The live flags with a strategy that uses a segment, in any environment.
fn users<K>(flags: &BTreeMap<K, Arc<FeatureFlag>>, id: SegmentId) -> impl Iterator<Item = &FeatureFlag> {
    let uses = move |flag: &&FeatureFlag| {
        let strategies = flag
            .environments
            .values()
            .flat_map(|settings| &settings.strategies);
        !flag.is_archived()
            && strategies
                .into_iter()
                .any(|strategy| strategy.segments.contains(&id))
    };
    flags.values().map(Arc::as_ref).filter(uses)
}
