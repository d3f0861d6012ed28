//! A run of flags with all that they need side by side, so that walking over many flags walks
//! through memory in order.

use crate::program::{Constraint, Flag, SegmentIndex, Span, Strategy};

/// Flags are kept in chunks of this many, so that changing one copies one chunk.
pub(crate) const CHUNK: usize = 128;

/// Up to [`CHUNK`] flags.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) flags: Box<[Flag]>,
    strategies: Box<[Strategy]>,
    constraints: Box<[Constraint]>,
    segments: Box<[SegmentIndex]>,
}

/// A chunk that is being filled.
#[derive(Debug, Default)]
pub(crate) struct ChunkBuilder {
    pub(crate) flags: Vec<Flag>,
    pub(crate) strategies: Vec<Strategy>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) segments: Vec<SegmentIndex>,
}

/// A flag and the chunk it is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlagRef<'p> {
    pub(crate) chunk: &'p Chunk,
    pub(crate) flag: &'p Flag,
}

impl<'p> FlagRef<'p> {
    #[inline]
    pub(crate) fn strategies(self) -> &'p [Strategy] {
        self.flag.strategies.of(&self.chunk.strategies)
    }

    #[inline]
    pub(crate) fn constraints(self, strategy: &Strategy) -> &'p [Constraint] {
        strategy.constraints.of(&self.chunk.constraints)
    }

    #[inline]
    pub(crate) fn segments(self, strategy: &Strategy) -> &'p [SegmentIndex] {
        strategy.segments.of(&self.chunk.segments)
    }
}

impl Chunk {
    /// The flag at a place in the chunk.
    #[inline]
    pub(crate) fn flag_ref(&self, place: usize) -> Option<FlagRef<'_>> {
        let flag = self.flags.get(place)?;
        Some(FlagRef { chunk: self, flag })
    }

    /// All flags.
    pub(crate) fn flags(&self) -> impl Iterator<Item = FlagRef<'_>> {
        self.flags.iter().map(|flag| FlagRef { chunk: self, flag })
    }
}

impl ChunkBuilder {
    /// Appends a flag of another chunk.
    pub(crate) fn copy(&mut self, flag_ref: FlagRef<'_>) {
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
        self.flags.push(flag);
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
        Chunk {
            flags: self.flags.drain(..).collect(),
            strategies: self.strategies.drain(..).collect(),
            constraints: self.constraints.drain(..).collect(),
            segments: self.segments.drain(..).collect(),
        }
    }

    /// The chunk.
    pub(crate) fn finish(self) -> Chunk {
        Chunk {
            flags: self.flags.into_boxed_slice(),
            strategies: self.strategies.into_boxed_slice(),
            constraints: self.constraints.into_boxed_slice(),
            segments: self.segments.into_boxed_slice(),
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
