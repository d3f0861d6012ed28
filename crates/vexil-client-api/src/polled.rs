//! Polling: an engine that is brought up to date by one whole document after the other.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde_json::value::RawValue;
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, FlagName, Segment, SegmentId, Write};
use vexil_engine::source::Flag as _;
use vexil_engine::{CustomStrategies, Engine, Update, Warning};

use crate::features::everything_wrong;
use crate::raw_document::RawDocument;
use crate::read::{Nowhere, Problem, RawFlag, RawSegment, ReadError, Reader, read};

/// An engine that is made of one document after the other, as an application polls them.
///
/// What a new document says of a flag in the same bytes as the last one is neither read nor compiled again, so that the
/// next engine costs little more than passing over the document. Handles stay valid. The last document is kept.
///
/// ```
/// use vexil_client_api::PolledEngine;
/// use vexil_engine::{Ambient, Context, CustomStrategies, OffsetDateTime};
///
/// let document = |enabled| format!(r#"{{"features": [{{"name": "checkout", "enabled": {enabled}}}, {{"name": "search", "enabled": true}}]}}"#);
/// let (mut polled, first) = PolledEngine::load(document(false).into(), CustomStrategies::default())?;
/// assert!(first.everything_wrong().next().is_none());
/// let checkout = polled.engine().flag("checkout").ok_or("no flag")?;
///
/// let news = polled.next(document(true).into())?;
/// assert_eq!(news.changed, 1);
/// let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
/// assert!(polled.engine().is_enabled_by(checkout, &Context::default(), &ambient));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PolledEngine {
    engine: Engine,
    document: Vec<u8>,
    /// The flags of the document in their order; `None` where it names a flag twice, or is no UTF-8.
    entries: Option<Vec<Entry>>,
    segments: BTreeMap<SegmentId, Arc<Segment>>,
}

/// What a document brought.
#[derive(Debug, Clone, Default)]
pub struct News {
    /// How many flags and segments were put, changed or taken away.
    pub changed: usize,
    /// What the engine did not understand of what changed.
    pub warnings: Vec<Warning>,
    /// What could not be read of what changed.
    pub problems: Vec<Problem>,
}

impl News {
    /// All that is wrong with what changed in one list: what could not be read, then what the engine did not understand.
    pub fn everything_wrong(&self) -> impl Iterator<Item = &dyn fmt::Display> {
        everything_wrong(&self.problems, &self.warnings)
    }
}

/// A flag, and where it stands in the document.
#[derive(Debug, Clone)]
struct Entry {
    name: FlagName,
    place: Range<usize>,
}

/// What the next document says, compared with the last one.
struct Comparison {
    update: Update,
    entries: Option<Vec<Entry>>,
    segments: BTreeMap<SegmentId, Arc<Segment>>,
    problems: Vec<Problem>,
}

impl PolledEngine {
    /// Reads the first document.
    ///
    /// # Errors
    ///
    /// The text is no JSON, or no object with `features`.
    pub fn load(document: Vec<u8>, custom: CustomStrategies) -> Result<(Self, News), ReadError> {
        let Ok(text) = std::str::from_utf8(&document) else {
            let mut polled = Self {
                engine: Engine::compile_with(&EnvironmentSnapshot::default(), custom).0,
                document: Vec::new(),
                entries: None,
                segments: BTreeMap::new(),
            };
            let news = polled.next(document)?;
            return Ok((polled, news));
        };
        let mut nowhere = Nowhere;
        let mut reader = Reader::new(&mut nowhere);
        let (features, raw_segments) = read_raw(text, &mut reader)?;
        let mut builder = Engine::builder();
        builder.custom(custom);
        let segments = read_segments(&raw_segments, &mut reader)?;
        for segment in segments.values() {
            builder.segment(segment);
        }
        let mut entries = Entries::with_room(features.len());
        for (index, raw) in features.iter().enumerate() {
            if let Some(flag) = reader.item::<RawFlag>("features", index, raw.get())? {
                entries.push(flag.name(), place(text, raw));
                builder.flag(&flag);
            }
        }
        let (engine, warnings) = builder.finish();
        let news = News {
            changed: engine.len() + segments.len(),
            warnings,
            problems: reader.problems,
        };
        let polled = Self {
            engine,
            entries: entries.finish(),
            document,
            segments,
        };
        Ok((polled, news))
    }

    /// The engine of the last document. A clone of it can be shared, and stays as it is.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Brings the engine up to date with the next document.
    ///
    /// # Errors
    ///
    /// The text is no JSON, or no object with `features`; the engine then stays as it is.
    pub fn next(&mut self, document: Vec<u8>) -> Result<News, ReadError> {
        let comparison = match std::str::from_utf8(&document) {
            Ok(text) => self.compare(text)?,
            Err(_) => self.compare_snapshot(crate::read_features(&document)?),
        };
        let Comparison {
            update,
            entries,
            segments,
            problems,
        } = comparison;
        let mut warnings = Vec::new();
        if !update.is_empty() {
            (self.engine, warnings) = self.engine.updated(&update);
        }
        self.document = document;
        self.entries = entries;
        self.segments = segments;
        Ok(News {
            changed: update.flags.len() + update.segments.len(),
            warnings,
            problems,
        })
    }

    fn compare(&self, text: &str) -> Result<Comparison, ReadError> {
        let mut nowhere = Nowhere;
        let mut reader = Reader::new(&mut nowhere);
        let (features, raw_segments) = read_raw(text, &mut reader)?;
        let known = self.entries.as_ref();
        let changes = match known {
            Some(entries) => Changes::find(entries, &self.document, text, &features, &mut reader)?,
            None => None,
        };
        let (flags, entries) = match changes {
            Some(changes) => (changes.writes, Some(changes.entries)),
            None => self.read_all(text, &features, &mut reader)?,
        };
        let segments = read_segments(&raw_segments, &mut reader)?;
        Ok(Comparison {
            update: Update {
                flags,
                segments: segment_writes(&self.segments, &segments),
            },
            entries,
            segments,
            problems: reader.problems,
        })
    }

    /// Reads every flag. There are no entries where a name comes twice: the last one of a name counts.
    #[expect(
        clippy::type_complexity,
        reason = "what changes, and what is known for the next time"
    )]
    fn read_all(
        &self,
        text: &str,
        features: &[&RawValue],
        reader: &mut Reader,
    ) -> Result<(Vec<Write<FlagName, EnvironmentFlag>>, Option<Vec<Entry>>), ReadError> {
        let mut entries = Entries::with_room(features.len());
        let mut writes = Vec::with_capacity(features.len());
        for (index, raw) in features.iter().enumerate() {
            let Some(flag) = reader.item::<RawFlag>("features", index, raw.get())? else {
                continue;
            };
            entries.push(flag.name(), place(text, raw));
            writes.push(Write::Upsert(Arc::new(EnvironmentFlag::from(flag))));
        }
        let known = self.engine.flags().filter_map(|flag| self.engine.name(flag));
        let gone = known.filter(|name| !entries.names.contains(*name));
        writes.extend(gone.map(|name| Write::Delete(name.clone())));
        Ok((writes, entries.finish()))
    }

    /// What a document brings whose text cannot be compared.
    fn compare_snapshot(&self, features: crate::Features) -> Comparison {
        let snapshot = features.snapshot;
        let known = self.engine.flags().filter_map(|flag| self.engine.name(flag));
        let gone = known.filter(|name| !snapshot.flags.contains_key(*name));
        let gone = gone.map(|name| Write::Delete(name.clone()));
        let upserts = snapshot
            .flags
            .values()
            .map(|flag| Write::Upsert(Arc::clone(flag)));
        Comparison {
            update: Update {
                flags: upserts.chain(gone).collect(),
                segments: segment_writes(&self.segments, &snapshot.segments),
            },
            entries: None,
            segments: snapshot.segments,
            problems: features.problems,
        }
    }
}

/// Entries of a document whose flags are all read.
struct Entries {
    list: Vec<Entry>,
    names: HashSet<FlagName>,
}

impl Entries {
    fn with_room(count: usize) -> Self {
        Self {
            list: Vec::with_capacity(count),
            names: HashSet::with_capacity(count),
        }
    }

    fn push(&mut self, name: &FlagName, place: Range<usize>) {
        self.names.insert(name.clone());
        self.list.push(Entry {
            name: name.clone(),
            place,
        });
    }

    /// None where a name comes twice: the last one of a name counts.
    fn finish(self) -> Option<Vec<Entry>> {
        (self.names.len() == self.list.len()).then_some(self.list)
    }
}

/// What changes from one document to the next.
struct Changes {
    writes: Vec<Write<FlagName, EnvironmentFlag>>,
    entries: Vec<Entry>,
}

impl Changes {
    /// Compares flag by flag; flags nearly always come in the order of the last document. `None` where a name comes
    /// twice.
    fn find(
        before: &[Entry],
        document: &[u8],
        text: &str,
        features: &[&RawValue],
        reader: &mut Reader,
    ) -> Result<Option<Self>, ReadError> {
        let mut changes = Self {
            writes: Vec::new(),
            entries: Vec::with_capacity(features.len()),
        };
        let mut by_name: Option<HashMap<&FlagName, usize>> = None;
        let mut seen = vec![false; before.len()];
        let mut added: HashSet<FlagName> = HashSet::new();
        let mut expected = 0;
        for (index, raw) in features.iter().enumerate() {
            let is_same = |entry: &Entry| document.get(entry.place.clone()) == Some(raw.get().as_bytes());
            if let (Some(entry), Some(seen @ false)) = (before.get(expected), seen.get_mut(expected))
                && is_same(entry)
            {
                *seen = true;
                changes.keep(entry.name.clone(), text, raw);
                expected += 1;
                continue;
            }
            let Some(flag) = reader.item::<RawFlag>("features", index, raw.get())? else {
                continue;
            };
            let name = flag.name().clone();
            let at = match before.get(expected).filter(|entry| entry.name == name) {
                Some(_) => Some(expected),
                None => {
                    let places = before.iter().map(|entry| &entry.name).zip(0..);
                    let places = by_name.get_or_insert_with(|| places.collect());
                    places.get(&name).copied()
                }
            };
            changes.keep(name.clone(), text, raw);
            match at {
                Some(at) => {
                    if seen.get_mut(at).is_none_or(|seen| std::mem::replace(seen, true)) {
                        return Ok(None);
                    }
                    expected = at + 1;
                    if before.get(at).is_some_and(is_same) {
                        continue;
                    }
                }
                None if added.insert(name) => {}
                None => return Ok(None),
            }
            changes.writes.push(Write::Upsert(Arc::new(flag.into())));
        }
        let gone = before.iter().zip(seen).filter(|(_, seen)| !seen);
        changes
            .writes
            .extend(gone.map(|(entry, _)| Write::Delete(entry.name.clone())));
        Ok(Some(changes))
    }

    fn keep(&mut self, name: FlagName, text: &str, raw: &RawValue) {
        self.entries.push(Entry {
            name,
            place: place(text, raw),
        });
    }
}

/// The flags and segments of a document, as text.
fn read_raw<'a>(
    text: &'a str,
    reader: &mut Reader,
) -> Result<(Vec<&'a RawValue>, Vec<&'a RawValue>), ReadError> {
    let raw: Option<RawDocument> = read(text.as_bytes(), reader)?;
    let raw = raw.unwrap_or_default();
    let features = raw.features.ok_or(ReadError::NotThis { member: "features" })?;
    Ok((features, raw.segments))
}

/// Where a part of a text stands in it.
fn place(text: &str, raw: &RawValue) -> Range<usize> {
    let start = raw.get().as_ptr() as usize - text.as_ptr() as usize;
    start..start + raw.get().len()
}

fn read_segments(
    raw: &[&RawValue],
    reader: &mut Reader,
) -> Result<BTreeMap<SegmentId, Arc<Segment>>, ReadError> {
    let mut segments = BTreeMap::new();
    for (index, raw) in raw.iter().enumerate() {
        if let Some(RawSegment(segment)) = reader.item("segments", index, raw.get())? {
            segments.insert(segment.id, Arc::new(segment));
        }
    }
    Ok(segments)
}

fn segment_writes(
    before: &BTreeMap<SegmentId, Arc<Segment>>,
    after: &BTreeMap<SegmentId, Arc<Segment>>,
) -> Vec<Write<SegmentId, Segment>> {
    let changed = after
        .iter()
        .filter(|(id, segment)| before.get(id) != Some(segment));
    let gone = before.keys().filter(|id| !after.contains_key(id));
    let changed = changed.map(|(_, segment)| Write::Upsert(Arc::clone(segment)));
    changed.chain(gone.map(|id| Write::Delete(*id))).collect()
}
