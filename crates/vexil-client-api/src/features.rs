//! Client features: all flags of an environment, as `GET /api/client/features` gives them.

use std::fmt;
use std::sync::Arc;

use serde_core::de::{MapAccess, SeqAccess};
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, Segment};
use vexil_engine::{Builder, CustomStrategies, Engine, Warning};

use super::read::{
    FlagSink, Key, LenientDeserialize, Problem, RawFlag, RawSegment, ReadError, Reader, members, read, skip,
};

/// Client features, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Features {
    /// Everything that could be understood.
    pub snapshot: EnvironmentSnapshot,
    /// What could not.
    pub problems: Vec<Problem>,
}

/// Client features, compiled.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The engine, ready to be asked.
    pub engine: Engine,
    /// What the engine did not understand.
    pub warnings: Vec<Warning>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Loaded {
    /// All that is wrong with the document in one list: what could not be read, then what the engine did not understand.
    pub fn everything_wrong(&self) -> impl Iterator<Item = &dyn fmt::Display> {
        everything_wrong(&self.problems, &self.warnings)
    }
}

/// Both lists as one.
pub(crate) fn everything_wrong<'a>(
    problems: &'a [Problem],
    warnings: &'a [Warning],
) -> impl Iterator<Item = &'a dyn fmt::Display> {
    let problems = problems.iter().map(|problem| problem as &dyn fmt::Display);
    problems.chain(warnings.iter().map(|warning| warning as &dyn fmt::Display))
}

/// Reads client features: `{"features": […], "segments": […]}`.
///
/// # Errors
///
/// The text is no JSON, or no object with `features`.
pub fn read_features(json: &[u8]) -> Result<Features, ReadError> {
    let mut snapshot = EnvironmentSnapshot::default();
    let problems = read_into(json, &mut snapshot)?;
    Ok(Features { snapshot, problems })
}

/// Reads client features straight into an engine: each flag is compiled as soon as it is read, so
/// there is never a snapshot of all of them.
///
/// # Errors
///
/// The text is no JSON, or no object with `features`.
pub fn load_engine(json: &[u8]) -> Result<Loaded, ReadError> {
    load_engine_with(json, CustomStrategies::default())
}

/// The same for an application that decides custom strategies itself.
///
/// # Errors
///
/// The text is no JSON, or no object with `features`.
pub fn load_engine_with(json: &[u8], custom: CustomStrategies) -> Result<Loaded, ReadError> {
    let mut builder = Engine::builder();
    builder.custom(custom);
    let problems = read_into(json, &mut builder)?;
    let (engine, warnings) = builder.finish();
    Ok(Loaded {
        engine,
        warnings,
        problems,
    })
}

impl FlagSink for EnvironmentSnapshot {
    fn flag(&mut self, flag: RawFlag<'_>) {
        let flag = EnvironmentFlag::from(flag);
        self.flags.insert(flag.name.clone(), Arc::new(flag));
    }

    fn segment(&mut self, segment: Segment) {
        self.segments.insert(segment.id, Arc::new(segment));
    }
}

impl FlagSink for Builder {
    fn flag(&mut self, flag: RawFlag<'_>) {
        Self::flag(self, &flag);
    }

    fn segment(&mut self, segment: Segment) {
        Self::segment(self, &segment);
    }
}

fn read_into(json: &[u8], sink: &mut dyn FlagSink) -> Result<Vec<Problem>, ReadError> {
    let mut reader = Reader::new(sink);
    let document: Option<Document> = read(json, &mut reader)?;
    match document {
        Some(Document { has_features: true }) => Ok(reader.problems),
        _ => Err(ReadError::NotThis { member: "features" }),
    }
}

/// The whole document; its flags and segments go to the reader's sink.
struct Document {
    has_features: bool,
}

impl<'de> LenientDeserialize<'de> for Document {
    const WANTED: &'static str = "an object with the member `features`";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let (mut features, mut _segments): (Option<Flags>, Option<SegmentList>) = (None, None);
        members!(reader, map, { "features" => features, "segments" => _segments });
        Ok(Some(Self {
            has_features: features.is_some(),
        }))
    }
}

pub(super) struct Flags;

impl<'de> LenientDeserialize<'de> for Flags {
    const WANTED: &'static str = "a list of flags";

    fn seq<A: SeqAccess<'de>>(reader: &mut Reader, mut seq: A) -> Result<Option<Self>, A::Error> {
        reader.items(&mut seq, |_, _: Option<StreamedFlag>| ())?;
        Ok(Some(Self))
    }
}

/// A flag that has gone to the sink at once: it is large, and handing it up would copy it at every step.
struct StreamedFlag;

impl<'de> LenientDeserialize<'de> for StreamedFlag {
    const WANTED: &'static str = RawFlag::WANTED;

    fn map<A: MapAccess<'de>>(reader: &mut Reader, map: A) -> Result<Option<Self>, A::Error> {
        let flag = RawFlag::map(reader, map)?;
        Ok(flag.map(|flag| {
            reader.sink.flag(flag);
            Self
        }))
    }
}

pub(super) struct SegmentList;

impl<'de> LenientDeserialize<'de> for SegmentList {
    const WANTED: &'static str = "a list of segments";

    fn seq<A: SeqAccess<'de>>(reader: &mut Reader, mut seq: A) -> Result<Option<Self>, A::Error> {
        reader.items(&mut seq, |reader, segment: Option<RawSegment>| {
            if let Some(RawSegment(segment)) = segment {
                reader.sink.segment(segment);
            }
        })?;
        Ok(Some(Self))
    }
}
