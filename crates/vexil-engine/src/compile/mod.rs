//! From the domain's values to compiled flags.

mod alone;
mod constraint;
mod flag;
mod graph;
mod parameters;
mod variants;

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_domain::{FlagName, SegmentId};

use crate::chunk::Label;
use crate::fields::{FieldId, Fields};
use crate::flag_table::FlagTable;
use crate::program::SegmentIndex;
use crate::segments::Segments;
use crate::{CustomStrategies, Place, Problem, Warning};

pub(crate) use alone::compile_alone;
pub(crate) use flag::compile_flag;
pub(crate) use graph::warn_of_parents;
pub(crate) use parameters::rollout_salt;

/// What compiling a flag or segment adds to, besides the flag or segment itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Linker {
    pub(crate) fields: Arc<Fields>,
    pub(crate) segments: Arc<Segments>,
    pub(crate) custom: CustomStrategies,
    pub(crate) warnings: Vec<Warning>,
    /// The kinds of flags seen so far: there are few, so each is kept once.
    kinds: BTreeSet<Arc<str>>,
}

impl Linker {
    /// A linker that adds to what an engine has.
    pub(crate) fn of(table: &FlagTable) -> Self {
        Self {
            fields: Arc::clone(&table.fields),
            segments: Arc::clone(&table.segments),
            custom: table.custom.clone(),
            ..Self::default()
        }
    }

    fn field(&mut self, name: &str) -> FieldId {
        match self.fields.get(name) {
            Some(known) => known,
            None => Arc::make_mut(&mut self.fields).intern(name),
        }
    }

    fn segment(&mut self, id: SegmentId) -> SegmentIndex {
        match self.segments.find(id) {
            Some(known) => known,
            None => Arc::make_mut(&mut self.segments).reserve(id),
        }
    }

    /// What is said of a flag and decides nothing.
    fn label(&mut self, kind: &str, description: Option<&str>) -> Label {
        let known = self.kinds.get(kind).cloned();
        let kind = known.unwrap_or_else(|| {
            let kind: Arc<str> = kind.into();
            self.kinds.insert(Arc::clone(&kind));
            kind
        });
        let description = description.map(Arc::from);
        Label { kind, description }
    }

    /// Compiles a segment and puts it in its place.
    pub(crate) fn put_segment(&mut self, segment: &vexil_domain::Segment) {
        let constraints = segment
            .constraints
            .iter()
            .enumerate()
            .map(|(index, constraint)| {
                let place = |constraint| Place {
                    segment: Some(segment.id),
                    constraint: Some(constraint),
                    ..Place::default()
                };
                self.constraint(constraint, || place(index))
            })
            .collect();
        let index = self.segment(segment.id);
        Arc::make_mut(&mut self.segments).put(index, segment.id, Some(constraints));
    }

    /// Takes a segment away; strategies that refer to it no longer hold.
    pub(crate) fn remove_segment(&mut self, id: SegmentId) {
        if let Some(index) = self.segments.find(id) {
            Arc::make_mut(&mut self.segments).put(index, id, None);
        }
    }

    fn warn(&mut self, place: Place, problem: Problem) {
        self.warnings.push(Warning { place, problem });
    }
}

fn place(flag: &FlagName, strategy: usize) -> Place {
    Place {
        flag: Some(flag.clone()),
        strategy: Some(strategy),
        ..Place::default()
    }
}
