//! What changed lately in one environment: names and ids, not what they became.

use std::collections::VecDeque;
use std::sync::Arc;

use vexil_domain::{EnvironmentRevision, EnvironmentSnapshot, FlagName, ProjectId, SegmentId, Write};
use vexil_engine::Update;

use crate::client_features::segments_used;

/// So many steps are kept.
const STEPS: usize = 512;
/// So many flags and segments are kept track of, over all steps.
const THINGS: usize = 16 << 10;

/// What changed lately in one environment, from revision to revision. Bounded: old steps are forgotten. Cloning
/// shares the steps.
#[derive(Debug, Clone)]
pub struct History {
    /// The revision from which on every change is known.
    from: EnvironmentRevision,
    steps: VecDeque<Arc<Step>>,
    things: usize,
}

/// What changed from one revision to the next.
#[derive(Debug)]
pub(super) struct Step {
    to: EnvironmentRevision,
    pub(super) flags: Vec<TouchedFlag>,
    pub(super) segments: Vec<SegmentId>,
}

/// A flag that was put or taken away.
#[derive(Debug)]
pub(super) struct TouchedFlag {
    pub(super) name: FlagName,
    pub(super) before: Option<Before>,
}

/// What a flag was before.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) project: ProjectId,
    pub(super) segments: Vec<SegmentId>,
}

/// The steps from one revision to the last.
#[derive(Debug, Clone, Copy)]
pub struct Changes<'a> {
    history: &'a History,
    first: usize,
}

impl History {
    /// Nothing is known of what was before this revision.
    #[must_use]
    pub fn new(revision: impl Into<EnvironmentRevision>) -> Self {
        Self {
            from: revision.into(),
            steps: VecDeque::new(),
            things: 0,
        }
    }

    /// The last revision.
    #[must_use]
    pub fn revision(&self) -> EnvironmentRevision {
        self.steps.back().map_or(self.from, |step| step.to)
    }

    /// The history after an update of `before` that led to a later revision.
    #[must_use]
    pub fn after(
        &self,
        before: &EnvironmentSnapshot,
        update: &Update,
        revision: impl Into<EnvironmentRevision>,
    ) -> Self {
        let revision = revision.into();
        let step = Step::new(before, update, revision);
        if step.things() > THINGS || revision.number <= self.revision().number {
            return Self::new(revision);
        }
        let mut next = self.clone();
        next.things += step.things();
        next.steps.push_back(Arc::new(step));
        while next.steps.len() > STEPS || next.things > THINGS {
            let Some(oldest) = next.steps.pop_front() else {
                break;
            };
            next.things -= oldest.things();
            next.from = oldest.to;
        }
        next
    }

    /// What changed since a revision; `None` where that is not known.
    ///
    /// Nor is it for a revision that was passed over here, since another server made it: what came and went in between is
    /// not known. And nothing is known of one with another mark, whose state was another.
    #[must_use]
    pub fn since(&self, revision: impl Into<EnvironmentRevision>) -> Option<Changes<'_>> {
        let revision = revision.into();
        let first = self.steps.partition_point(|step| step.to <= revision);
        let before = first.checked_sub(1).and_then(|place| self.steps.get(place));
        let known = before.map_or(self.from, |step| step.to) == revision;
        known.then_some(Changes { history: self, first })
    }
}

impl<'a> Changes<'a> {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps().next().is_none()
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = &'a Step> + use<'a> {
        self.history.steps.iter().skip(self.first).map(|step| &**step)
    }
}

impl Step {
    fn new(before: &EnvironmentSnapshot, update: &Update, to: EnvironmentRevision) -> Self {
        let flags = update.flags.iter().map(|write| {
            let name = match write {
                Write::Upsert(flag) => &flag.name,
                Write::Delete(name) => name,
            };
            let before = before.flags.get(name);
            TouchedFlag {
                name: name.clone(),
                before: before.map(|flag| Before {
                    project: flag.project.clone(),
                    segments: segments_used(flag).collect(),
                }),
            }
        });
        let segments = update.segments.iter().map(|write| match write {
            Write::Upsert(segment) => segment.id,
            Write::Delete(id) => *id,
        });
        Self {
            to,
            flags: flags.collect(),
            segments: segments.collect(),
        }
    }

    fn things(&self) -> usize {
        let segments = self.flags.iter().filter_map(|flag| flag.before.as_ref());
        let segments: usize = segments.map(|before| before.segments.len()).sum();
        1 + self.flags.len() + segments + self.segments.len()
    }
}
