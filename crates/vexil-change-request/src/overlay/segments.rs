//! Changes of segments.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use vexil_domain::{FlagName, ProjectId, Segment, SegmentId, Snapshot};

use super::{Made, Overlay, Problem, content, refuse};
use crate::{PlannedChange, ProblemCode, SegmentUpdate};

impl Overlay<'_> {
    pub(super) fn update_segment(&mut self, update: &SegmentUpdate, planned: &PlannedChange) -> Made {
        self.check_owned(update.id)?;
        let mut refused = content(planned);
        if let Some(project) = &update.project
            && !self.proposed.projects.contains_key(project)
        {
            let message = format!("there is no project `{project}`");
            refused.push(Problem::at(
                "/project",
                ProblemCode::SegmentProjectInvalid,
                message,
            ));
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
        if !self.removing.contains_key(&id) {
            self.check_owned(id)?;
        }
        self.removing.entry(id).or_default().push(self.at);
        Ok(())
    }

    fn check_owned(&self, id: SegmentId) -> Made {
        let there = self.proposed.segments.get(&id);
        let Some(segment) = there.filter(|_| !self.removing.contains_key(&id)) else {
            return refuse(
                ProblemCode::SegmentMissing,
                format!("there is no segment {id} (any more)"),
            );
        };
        match &segment.project {
            Some(owner) if *owner != self.scope.project => {
                let message = format!("the segment `{}` ({id}) is in project `{owner}`", segment.name);
                refuse(ProblemCode::SegmentForeign, message)
            }
            _ => Ok(()),
        }
    }

    /// Removes the segments that were to be removed and that nothing uses, and takes back updates
    /// that clash with other segments or with where the segment is used.
    pub(super) fn settle_segments(&mut self, changes: &[PlannedChange]) {
        if self.removing.is_empty() && self.updated_segments.is_empty() {
            return;
        }
        let users = self.users();
        for (id, places) in std::mem::take(&mut self.removing) {
            let Some(user) = users.get(&id) else {
                self.proposed.segments.remove(&id);
                self.updated_segments.remove(&id);
                continue;
            };
            for at in places {
                let Some(planned) = changes.get(at) else { continue };
                let message = format!(
                    "the flag `{}` uses the segment {id}; take it out of its strategies first",
                    user.first
                );
                self.raise(at, planned, Problem::new(ProblemCode::SegmentInUse, message));
            }
        }
        self.check_narrowed(&users, changes);
        self.check_names(changes);
        self.note_widened(changes);
    }

    /// Who uses the segments that are removed or updated: one pass over all flags.
    fn users(&self) -> BTreeMap<SegmentId, Users> {
        let mut users: BTreeMap<SegmentId, Users> = BTreeMap::new();
        for flag in self.proposed.flags.values().filter(|flag| !flag.is_archived()) {
            let settings = flag.environments.values();
            let used = settings.flat_map(|settings| &settings.strategies);
            for id in used.flat_map(|strategy| &strategy.segments) {
                if !self.removing.contains_key(id) && !self.updated_segments.contains_key(id) {
                    continue;
                }
                let of_segment = users.entry(*id).or_insert_with(|| Users {
                    first: flag.name.clone(),
                    projects: BTreeSet::new(),
                });
                of_segment.projects.insert(flag.project.clone());
            }
        }
        users
    }

    /// Takes back updates that give a segment to a project while others use it.
    fn check_narrowed(&mut self, users: &BTreeMap<SegmentId, Users>, changes: &[PlannedChange]) {
        for (id, users) in users {
            while let Some((at, outside)) = self.narrowed(*id, users) {
                if let Some(planned) = changes.get(at) {
                    let message = format!("strategies in other projects use the segment: {outside}");
                    let why = Problem::at("/project", ProblemCode::SegmentProjectInvalid, message);
                    self.raise(at, planned, why);
                }
                self.take_back(*id);
            }
        }
    }

    /// The change that gives the segment to a project while others use it, and those others.
    fn narrowed(&self, id: SegmentId, users: &Users) -> Option<(usize, String)> {
        let (at, segment) = self.updated_segments.get(&id)?.last()?;
        let owner = segment.project.as_ref()?;
        let others = users.projects.iter().filter(|project| *project != owner);
        let others: Vec<&str> = others.map(ProjectId::as_str).collect();
        (!others.is_empty()).then(|| (*at, others.join(", ")))
    }

    /// The updates that stand: segment, place of the last change, and what it made of the segment.
    fn updates(&self) -> impl Iterator<Item = (SegmentId, usize, &Segment)> {
        self.updated_segments.iter().filter_map(|(id, versions)| {
            let (at, segment) = versions.last()?;
            Some((*id, *at, segment.as_ref()))
        })
    }

    /// Takes back updates that give a segment the name of another: the last change first, until every
    /// name is there once or no update is to blame.
    fn check_names(&mut self, changes: &[PlannedChange]) {
        if self.updated_segments.is_empty() {
            return;
        }
        let mut names = Names::of(&self.proposed);
        let mut waiting: BinaryHeap<(usize, SegmentId)> = BinaryHeap::new();
        waiting.extend(self.updates().map(|(id, at, _)| (at, id)));
        while let Some((at, id)) = waiting.pop() {
            let stands = self
                .updated_segments
                .get(&id)
                .and_then(|versions| versions.last());
            let Some((_, segment)) = stands.filter(|(last, _)| *last == at) else {
                continue;
            };
            let name = segment.name.clone();
            if !names.clash(&name) {
                continue;
            }
            if let Some(planned) = changes.get(at) {
                let message = format!("another segment is called `{name}`");
                let why = Problem::at("/name", ProblemCode::SegmentNameTaken, message);
                self.raise(at, planned, why);
            }
            self.take_back(id);
            let restored = self
                .proposed
                .segments
                .get(&id)
                .map(|segment| segment.name.clone());
            names.rename(id, &name, restored.as_deref());
            for other in names.newly_clashing(id, restored.as_deref()) {
                if let Some((at, _)) = self.updated_segments.get(&other).and_then(|all| all.last()) {
                    waiting.push((*at, other));
                }
            }
        }
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
                self.raise(at, planned, Problem::new(ProblemCode::WidensExposure, message));
            }
        }
    }
}

fn widens(old: &Segment, new: &Segment) -> bool {
    !old.constraints.is_empty() && new.constraints.is_empty()
}

/// Who uses a segment.
struct Users {
    /// The first flag by name.
    first: FlagName,
    projects: BTreeSet<ProjectId>,
}

/// Which segments have which name.
struct Names(BTreeMap<String, BTreeSet<SegmentId>>);

impl Names {
    fn of(snapshot: &Snapshot) -> Self {
        let mut names: BTreeMap<String, BTreeSet<SegmentId>> = BTreeMap::new();
        for segment in snapshot.segments.values() {
            names.entry(segment.name.clone()).or_default().insert(segment.id);
        }
        Self(names)
    }

    fn clash(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|holders| holders.len() > 1)
    }

    fn rename(&mut self, id: SegmentId, from: &str, to: Option<&str>) {
        if let Some(holders) = self.0.get_mut(from) {
            holders.remove(&id);
        }
        if let Some(to) = to {
            self.0.entry(to.to_owned()).or_default().insert(id);
        }
    }

    /// Who is to be looked at again after `id` got a name: with two of that name both, with more of them
    /// it alone, since the others clashed before.
    fn newly_clashing(&self, id: SegmentId, name: Option<&str>) -> Vec<SegmentId> {
        let holders = name.and_then(|name| self.0.get(name));
        match holders {
            Some(two) if two.len() == 2 => two.iter().copied().collect(),
            _ => vec![id],
        }
    }
}
