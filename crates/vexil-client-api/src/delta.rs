//! Changes of client features, as `GET /api/client/delta` gives them.

use std::sync::Arc;

use serde_core::de::{MapAccess, SeqAccess};
use vexil_domain::{EnvironmentSnapshot, FlagName, SegmentId, Write};
use vexil_engine::{Engine, Update, Warning};

use super::read::{
    FlagSink, Integer, Key, LenientDeserialize, List, Name, Nowhere, Problem, RawFlag, RawSegment, ReadError,
    Reader, Text, members, read, skip,
};

/// Changes in their order, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delta {
    /// Every change that could be understood.
    pub events: Vec<Event>,
    /// What could not.
    pub problems: Vec<Problem>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Everything anew: what was there before is gone.
    Hydration(Box<EnvironmentSnapshot>),
    /// A flag or segment was put or taken away.
    Update(Update),
}

impl Delta {
    /// Applies the changes to a snapshot.
    pub fn apply(&self, snapshot: &mut EnvironmentSnapshot) {
        for event in &self.events {
            match event {
                Event::Hydration(whole) => *snapshot = EnvironmentSnapshot::clone(whole),
                Event::Update(update) => update.apply(snapshot),
            }
        }
    }

    /// The engine after the changes, with warnings as of [`Engine::updated`].
    #[must_use]
    pub fn next(&self, engine: &Engine) -> (Engine, Vec<Warning>) {
        let mut next = engine.clone();
        let mut warnings = Vec::new();
        let mut pending = Update::default();
        for event in &self.events {
            match event {
                Event::Hydration(whole) => {
                    pending = Update::default();
                    (next, warnings) = Engine::compile(whole);
                }
                Event::Update(update) => {
                    pending.flags.extend(update.flags.iter().cloned());
                    pending.segments.extend(update.segments.iter().cloned());
                }
            }
        }
        if !pending.is_empty() {
            let (updated, more) = next.updated(&pending);
            next = updated;
            warnings.extend(more);
        }
        (next, warnings)
    }
}

/// Reads changes: `{"events": [{"type": "feature-updated", …}, …]}`. An event of a type that is not
/// known is left out.
///
/// # Errors
///
/// The text is no JSON, or no object with `events`.
pub fn read_delta(json: &[u8]) -> Result<Delta, ReadError> {
    let mut nowhere = Nowhere;
    let mut reader = Reader::new(&mut nowhere);
    let document: Option<Document> = read(json, &mut reader)?;
    let events = document.and_then(|document| document.events);
    Ok(Delta {
        events: events.ok_or(ReadError::NotThis { member: "events" })?.0,
        problems: reader.problems,
    })
}

struct Document {
    events: Option<Events>,
}

impl<'de> LenientDeserialize<'de> for Document {
    const WANTED: &'static str = "an object with the member `events`";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let mut events = None;
        members!(reader, map, { "events" => events });
        Ok(Some(Self { events }))
    }
}

struct Events(Vec<Event>);

impl<'de> LenientDeserialize<'de> for Events {
    const WANTED: &'static str = "a list of events";

    fn seq<A: SeqAccess<'de>>(reader: &mut Reader, mut seq: A) -> Result<Option<Self>, A::Error> {
        let mut events = Vec::new();
        reader.items(&mut seq, |_, event: Option<RawEvent>| {
            events.extend(event.map(|event| event.0));
        })?;
        Ok(Some(Self(events)))
    }
}

struct RawEvent(Event);

impl<'de> LenientDeserialize<'de> for RawEvent {
    const WANTED: &'static str = "an event";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let mut kind: Option<Text> = None;
        let mut feature: Option<RawFlag> = None;
        let mut feature_name: Option<Name<FlagName>> = None;
        let mut segment: Option<RawSegment> = None;
        let mut segment_id: Option<Integer> = None;
        let mut features: Option<List<RawFlag>> = None;
        let mut segments: Option<List<RawSegment>> = None;
        members!(reader, map, {
            "type" => kind,
            "feature" => feature,
            "featureName" => feature_name,
            "segment" => segment,
            "segmentId" => segment_id,
            "features" => features,
            "segments" => segments,
        });
        let kind = kind.map(|kind| kind.0).unwrap_or_default();
        let flag = |put| Update {
            flags: vec![put],
            segments: Vec::new(),
        };
        let one_segment = |put| Update {
            flags: Vec::new(),
            segments: vec![put],
        };
        let update = match &*kind {
            "hydration" => {
                let Some(features) = features else {
                    reader.note("must have `features`; the event is left out");
                    return Ok(None);
                };
                let mut whole = EnvironmentSnapshot::default();
                features.0.into_iter().for_each(|flag| whole.flag(flag));
                let segments = segments.map(|list| list.0).unwrap_or_default();
                segments.into_iter().for_each(|one| whole.segment(one.0));
                return Ok(Some(Self(Event::Hydration(Box::new(whole)))));
            }
            "feature-updated" => feature.map(|raw| flag(Write::Upsert(Arc::new(raw.into())))),
            "feature-removed" => feature_name.map(|name| flag(Write::Delete(name.0))),
            "segment-updated" => segment.map(|raw| one_segment(Write::Upsert(Arc::new(raw.0)))),
            "segment-removed" => segment_id.map(|id| one_segment(Write::Delete(SegmentId(id.0)))),
            _ => {
                reader.note(format!("the type `{kind}` is not known; the event is left out"));
                return Ok(None);
            }
        };
        if update.is_none() {
            reader.note(format!("must have what `{kind}` is about; the event is left out"));
        }
        Ok(update.map(|update| Self(Event::Update(update))))
    }
}
