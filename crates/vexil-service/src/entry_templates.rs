//! The entry templates of one environment, kept for the next question.

use std::sync::{Arc, Mutex, PoisonError};

use vexil_admin_api::playground::EntryWriter;
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, FlagName, Segment};

use crate::bounded::Bounded;

/// How many bytes of templates are kept for one environment; about ten thousand flags.
const MOST: usize = 16 << 20;

/// Templates by flag. They outlive the revision they were made at: one is used again as long as its
/// flag and its segments are the very same values, so current and proposed configurations share
/// those of all flags that a change request leaves alone.
pub(crate) struct Templates {
    kept: Mutex<Bounded<FlagName, Arc<Template>>>,
}

impl Default for Templates {
    fn default() -> Self {
        Self {
            kept: Mutex::new(Bounded::new(MOST)),
        }
    }
}

struct Template {
    flag: Arc<EnvironmentFlag>,
    segments: Box<[Option<Arc<Segment>>]>,
    writer: Arc<EntryWriter>,
}

impl Templates {
    /// The template of `flag`, which `snapshot` holds.
    pub(crate) fn get(
        &self,
        flag: &Arc<EnvironmentFlag>,
        environment: &str,
        snapshot: &EnvironmentSnapshot,
    ) -> Arc<EntryWriter> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(template) = kept().get(&flag.name)
            && template.is_of(flag, snapshot)
        {
            return Arc::clone(&template.writer);
        }
        let writer = Arc::new(EntryWriter::new(flag, environment, snapshot));
        let template = Template {
            flag: Arc::clone(flag),
            segments: segments(flag, snapshot).map(|segment| segment.cloned()).collect(),
            writer: Arc::clone(&writer),
        };
        if writer.size() <= MOST {
            kept().put(flag.name.clone(), Arc::new(template), writer.size());
        }
        writer
    }
}

impl Template {
    fn is_of(&self, flag: &Arc<EnvironmentFlag>, snapshot: &EnvironmentSnapshot) -> bool {
        let same = |(known, now): (&Option<Arc<Segment>>, Option<&Arc<Segment>>)| match (known, now) {
            (Some(known), Some(now)) => Arc::ptr_eq(known, now),
            (None, None) => true,
            _ => false,
        };
        Arc::ptr_eq(&self.flag, flag) && self.segments.iter().zip(segments(flag, snapshot)).all(same)
    }
}

/// The segments that the strategies of a flag refer to.
fn segments<'s>(
    flag: &'s EnvironmentFlag,
    snapshot: &'s EnvironmentSnapshot,
) -> impl Iterator<Item = Option<&'s Arc<Segment>>> {
    let strategies = flag.settings.strategies.iter();
    strategies
        .flat_map(|strategy| &strategy.segments)
        .map(|id| snapshot.segments.get(id))
}

#[cfg(test)]
mod tests;
