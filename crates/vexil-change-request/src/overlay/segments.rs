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
        self.updated_segments.insert(update.id, self.at);
        Ok(())
    }

    /// Takes note of a segment to remove. One that this request removes already may be named again.
    pub(super) fn remove_segment(&mut self, id: SegmentId) -> Made {
        if !self.removing.iter().any(|(_, removed)| *removed == id) {
            self.check_owned(id)?;
            self.removing.push((self.at, id));
        }
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
                _ => drop(self.proposed.segments.remove(&id)),
            }
        }
        self.check_narrowed(changes);
        self.check_names(changes);
        self.note_widened(changes);
    }

    fn check_narrowed(&mut self, changes: &[PlannedChange]) {
        for (id, at) in self.updated_segments.clone() {
            let Some(segment) = self.proposed.segments.get(&id) else {
                continue;
            };
            let Some(project) = segment.project.clone() else {
                continue;
            };
            let outside: BTreeSet<String> = users(&self.proposed.flags, id)
                .filter(|flag| flag.project != project)
                .map(|flag| flag.project.to_string())
                .collect();
            if let (false, Some(planned)) = (outside.is_empty(), changes.get(at)) {
                let projects: Vec<String> = outside.into_iter().collect();
                let message = format!(
                    "strategies in other projects use the segment: {}",
                    projects.join(", ")
                );
                let why = Refused::at("/project", IssueCode::SegmentProjectInvalid, message);
                self.raise(at, planned, why);
                self.take_back(id);
            }
        }
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
        let clashes = self.updated_segments.iter().filter_map(|(id, at)| {
            let name = &self.proposed.segments.get(id)?.name;
            (names.get(name.as_str()) > Some(&1)).then(|| (*id, *at, name.clone()))
        });
        clashes.max_by_key(|(_, at, _)| *at)
    }

    fn take_back(&mut self, id: SegmentId) {
        self.updated_segments.remove(&id);
        if let Some(old) = self.base.segments.get(&id) {
            self.proposed.segments.insert(id, Arc::clone(old));
        }
    }

    fn note_widened(&mut self, changes: &[PlannedChange]) {
        for (id, at) in self.updated_segments.clone() {
            let (Some(old), Some(new)) = (self.base.segments.get(&id), self.proposed.segments.get(&id))
            else {
                continue;
            };
            if let (true, Some(planned)) = (widens(old, new), changes.get(at)) {
                let message = format!(
                    "the segment `{}` loses its last constraint and holds for everybody",
                    new.name
                );
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
