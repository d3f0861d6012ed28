//! A run of flags with all that they need side by side, so that walking over many flags walks
//! through memory in order.

use std::sync::Arc;

use crate::program::{Answer, Constraint, Flag, SegmentIndex, Span, Strategy};

/// Flags are kept in chunks of this many, so that changing one copies one chunk.
pub(crate) const CHUNK: usize = 32;

/// Up to [`CHUNK`] flags. A copy shares the memory of its origin.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    pub(crate) flags: Arc<[Flag]>,
    parts: Arc<Parts>,
}

/// What the flags of a chunk are made of.
#[derive(Debug)]
pub(crate) struct Parts {
    strategies: Box<[Strategy]>,
    constraints: Box<[Constraint]>,
    segments: Box<[SegmentIndex]>,
    /// As many as flags, in their order.
    labels: Box<[Label]>,
}

/// What is said of a flag and decides nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Label {
    pub(crate) kind: Arc<str>,
    pub(crate) description: Option<Arc<str>>,
}

/// A chunk that is being filled.
#[derive(Debug, Default)]
pub(crate) struct ChunkBuilder {
    pub(crate) flags: Vec<Flag>,
    pub(crate) strategies: Vec<Strategy>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) segments: Vec<SegmentIndex>,
    labels: Vec<Label>,
}

/// A flag and the parts of its chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlagRef<'p> {
    pub(crate) parts: &'p Parts,
    pub(crate) flag: &'p Flag,
}

impl<'p> FlagRef<'p> {
    #[inline]
    pub(crate) fn strategies(self) -> &'p [Strategy] {
        self.flag.strategies.of(&self.parts.strategies)
    }

    #[inline]
    pub(crate) fn constraints(self, strategy: &Strategy) -> &'p [Constraint] {
        strategy.constraints.of(&self.parts.constraints)
    }

    /// The constraint that decides, where `answer` is [`Answer::Constraint`].
    #[inline]
    pub(crate) fn deciding_constraint(self) -> Option<&'p Constraint> {
        self.parts.constraints.get(self.flag.constraint as usize)
    }

    #[inline]
    pub(crate) fn segments(self, strategy: &Strategy) -> &'p [SegmentIndex] {
        strategy.segments.of(&self.parts.segments)
    }
}

impl Chunk {
    /// The flag at a place in the chunk.
    #[inline]
    pub(crate) fn flag_ref(&self, place: usize) -> Option<FlagRef<'_>> {
        let flag = self.flags.get(place)?;
        Some(FlagRef {
            parts: &self.parts,
            flag,
        })
    }

    /// What is said of the flag at a place.
    pub(crate) fn label(&self, place: usize) -> Option<&Label> {
        self.parts.labels.get(place)
    }

    /// All flags.
    pub(crate) fn flags(&self) -> impl Iterator<Item = FlagRef<'_>> {
        let parts = &*self.parts;
        self.flags.iter().map(move |flag| FlagRef { parts, flag })
    }
}

impl ChunkBuilder {
    /// Appends a flag, whose strategies are there already.
    pub(crate) fn push(&mut self, mut flag: Flag, label: Label) {
        if flag.answer == Answer::Constraint {
            let only = flag.strategies.of(&self.strategies).first();
            flag.constraint = only.map_or(0, |only| only.constraints.start);
        }
        self.flags.push(flag);
        self.labels.push(label);
    }

    /// Appends a flag of another chunk.
    pub(crate) fn copy(&mut self, chunk: &Chunk, place: usize) {
        let Some(flag_ref) = chunk.flag_ref(place) else {
            return;
        };
        let mut flag = flag_ref.flag.clone();
        let start = self.strategies.len() as u32;
        for strategy in flag_ref.strategies() {
            self.strategies.push(Strategy {
                constraints: append(&mut self.constraints, flag_ref.constraints(strategy)),
                segments: append(&mut self.segments, flag_ref.segments(strategy)),
                ..strategy.clone()
            });
        }
        flag.strategies = Span {
            start,
            end: self.strategies.len() as u32,
        };
        self.push(flag, chunk.label(place).cloned().unwrap_or_default());
    }

    /// Whether there is room for no more.
    pub(crate) fn is_full(&self) -> bool {
        self.flags.len() >= CHUNK
    }

    /// The chunk, with the names of its flags next to each other as well. The builder is empty afterwards, and
    /// has room for another.
    pub(crate) fn finish_with_own_names(&mut self) -> Chunk {
        for flag in &mut self.flags {
            flag.name = flag.name.as_str().into();
        }
        self.finish()
    }

    /// The chunk. The builder is empty afterwards, and has room for another.
    pub(crate) fn finish(&mut self) -> Chunk {
        Chunk {
            flags: self.flags.drain(..).collect(),
            parts: Arc::new(Parts {
                strategies: self.strategies.drain(..).collect(),
                constraints: self.constraints.drain(..).collect(),
                segments: self.segments.drain(..).collect(),
                labels: self.labels.drain(..).collect(),
            }),
        }
    }
}

fn append<T: Clone>(list: &mut Vec<T>, more: &[T]) -> Span {
    let start = list.len() as u32;
    list.extend_from_slice(more);
    Span {
        start,
        end: list.len() as u32,
    }
}
