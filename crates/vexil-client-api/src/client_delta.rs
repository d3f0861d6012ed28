//! `GET /api/client/delta`: what has changed since an SDK last asked. [`read_delta`](crate::read_delta) reads it.
//!
//! ```json
//! {"events":[{"eventId":7,"type":"feature-updated","feature":{…}},{"eventId":7,"type":"feature-removed","featureName":"old","project":"default"}]}
//! ```
//!
//! Events say what is now, not what was done: each thing that changed comes once, as it is. So whoever missed
//! some, or heard some twice, ends in the same state as the whole document.

mod history;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use vexil_domain::{EnvironmentSnapshot, FlagName, ProjectId, SegmentId};

use crate::client_features::{ListedSegment, Query, Segments, json, segments_used, write_feature};

pub use history::{Changes, History};

/// Writes everything as one event: `{"events":[{"type":"hydration", …}]}`.
pub fn write_hydration(snapshot: &EnvironmentSnapshot, query: &Query<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"events\":[{\"eventId\":");
    json(&query.revision, out);
    out.extend_from_slice(b",\"type\":\"hydration\",\"features\":[");
    let flags = snapshot.flags.values().filter(|flag| query.admits(flag));
    let mut used = BTreeSet::new();
    for (place, flag) in flags.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_feature(flag, snapshot, Segments::Listed, out);
        used.extend(segments_used(flag));
    }
    out.extend_from_slice(b"],\"segments\":");
    let listed = used.iter().filter_map(|id| snapshot.segments.get(id));
    json(
        &listed.map(|one| ListedSegment::from(&**one)).collect::<Vec<_>>(),
        out,
    );
    out.extend_from_slice(b"}]}");
}

/// Writes what leads from an earlier state to `snapshot`: segments before the flags that use them, and what is gone
/// last. Names nothing that the query has never admitted.
pub fn write_changes(
    changes: &Changes<'_>,
    snapshot: &EnvironmentSnapshot,
    query: &Query<'_>,
    out: &mut Vec<u8>,
) {
    let touched = Touched::of(changes, query);
    let now = || touched.flags.iter().filter_map(|name| snapshot.flags.get(*name));
    let now = || now().filter(|flag| query.admits(flag));
    let mut segments = touched.segments.clone();
    segments.extend(&touched.used_before);
    segments.extend(now().flat_map(|flag| segments_used(flag)));
    let used = if segments.is_empty() {
        BTreeSet::new()
    } else {
        let flags = snapshot.flags.values().filter(|flag| query.admits(flag));
        flags.flat_map(|flag| segments_used(flag)).collect()
    };
    let mut events = Events::new(query.revision, out);
    let mut gone = Vec::new();
    for id in &segments {
        match snapshot.segments.get(id) {
            Some(segment) if used.contains(id) => events.put(&Event::SegmentUpdated {
                segment: ListedSegment::from(&**segment),
            }),
            _ if used.contains(id) || touched.used_before.contains(id) => gone.push(*id),
            _ => {}
        }
    }
    for flag in now() {
        events.put_feature(|out| write_feature(flag, snapshot, Segments::Listed, out));
    }
    for (feature_name, project) in &touched.seen {
        let is_there = snapshot
            .flags
            .get(*feature_name)
            .is_some_and(|flag| query.admits(flag));
        if !is_there {
            events.put(&Event::FeatureRemoved {
                feature_name,
                project,
            });
        }
    }
    for segment_id in gone {
        events.put(&Event::SegmentRemoved { segment_id });
    }
    events.finish();
}

/// What changed, each once.
#[derive(Default)]
struct Touched<'a> {
    flags: BTreeSet<&'a FlagName>,
    /// Those that the query admitted before, each with its project of that time.
    seen: BTreeMap<&'a FlagName, &'a ProjectId>,
    segments: BTreeSet<SegmentId>,
    /// The segments that those used.
    used_before: BTreeSet<SegmentId>,
}

impl<'a> Touched<'a> {
    fn of(changes: &Changes<'a>, query: &Query<'_>) -> Self {
        let mut touched = Self::default();
        for step in changes.steps() {
            touched.segments.extend(&step.segments);
            for flag in &step.flags {
                touched.flags.insert(&flag.name);
                let before = flag.before.as_ref();
                if let Some(before) = before.filter(|it| query.admits_flag(&flag.name, &it.project)) {
                    touched.seen.insert(&flag.name, &before.project);
                    touched.used_before.extend(&before.segments);
                }
            }
        }
        touched
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Event<'a> {
    FeatureRemoved {
        feature_name: &'a FlagName,
        project: &'a ProjectId,
    },
    SegmentUpdated {
        segment: ListedSegment<'a>,
    },
    SegmentRemoved {
        segment_id: SegmentId,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Numbered<'a> {
    event_id: u64,
    #[serde(flatten)]
    event: &'a Event<'a>,
}

/// The list of events as it is written.
struct Events<'a> {
    event_id: u64,
    separator: &'static [u8],
    out: &'a mut Vec<u8>,
}

impl<'a> Events<'a> {
    fn new(event_id: u64, out: &'a mut Vec<u8>) -> Self {
        out.extend_from_slice(b"{\"events\":[");
        Self {
            event_id,
            separator: b"",
            out,
        }
    }

    fn put(&mut self, event: &Event<'_>) {
        self.separate();
        let event_id = self.event_id;
        json(&Numbered { event_id, event }, self.out);
    }

    fn put_feature(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.separate();
        self.out.extend_from_slice(b"{\"eventId\":");
        json(&self.event_id, self.out);
        self.out
            .extend_from_slice(b",\"type\":\"feature-updated\",\"feature\":");
        write(self.out);
        self.out.push(b'}');
    }

    fn separate(&mut self) {
        self.out.extend_from_slice(self.separator);
        self.separator = b",";
    }

    fn finish(self) {
        self.out.extend_from_slice(b"]}");
    }
}

#[cfg(test)]
mod tests;
