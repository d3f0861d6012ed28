//! A run of flags with all that they need side by side, so that walking over many flags walks
//! through memory in order.

use crate::program::{Constraint, Flag, SegmentIndex, Span, Strategy};

/// Flags are kept in pieces of this many, so that changing one copies one piece.
pub(crate) const PIECE: usize = 128;

/// Up to [`PIECE`] flags.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) flags: Box<[Flag]>,
    strategies: Box<[Strategy]>,
    constraints: Box<[Constraint]>,
    segments: Box<[SegmentIndex]>,
}

/// A piece that is being filled.
#[derive(Debug, Default)]
pub(crate) struct PieceBuilder {
    pub(crate) flags: Vec<Flag>,
    pub(crate) strategies: Vec<Strategy>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) segments: Vec<SegmentIndex>,
}

/// A flag and the piece it is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'p> {
    pub(crate) piece: &'p Piece,
    pub(crate) flag: &'p Flag,
}

impl<'p> Spot<'p> {
    #[inline]
    pub(crate) fn strategies(self) -> &'p [Strategy] {
        self.flag.strategies.of(&self.piece.strategies)
    }

    #[inline]
    pub(crate) fn constraints(self, strategy: &Strategy) -> &'p [Constraint] {
        strategy.constraints.of(&self.piece.constraints)
    }

    #[inline]
    pub(crate) fn segments(self, strategy: &Strategy) -> &'p [SegmentIndex] {
        strategy.segments.of(&self.piece.segments)
    }
}

impl Piece {
    /// The flag at a place in the piece.
    #[inline]
    pub(crate) fn spot(&self, place: usize) -> Option<Spot<'_>> {
        let flag = self.flags.get(place)?;
        Some(Spot { piece: self, flag })
    }

    /// All flags.
    pub(crate) fn spots(&self) -> impl Iterator<Item = Spot<'_>> {
        self.flags.iter().map(|flag| Spot { piece: self, flag })
    }
}

impl PieceBuilder {
    /// Appends a flag of another piece.
    pub(crate) fn copy(&mut self, spot: Spot<'_>) {
        let mut flag = spot.flag.clone();
        let start = self.strategies.len() as u32;
        for strategy in spot.strategies() {
            self.strategies.push(Strategy {
                constraints: append(&mut self.constraints, spot.constraints(strategy)),
                segments: append(&mut self.segments, spot.segments(strategy)),
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
        self.flags.len() >= PIECE
    }

    /// The piece, with the names of its flags next to each other as well. The builder is empty afterwards, and
    /// has room for another.
    pub(crate) fn finish_with_own_names(&mut self) -> Piece {
        for flag in &mut self.flags {
            flag.name = flag.name.as_str().into();
        }
        Piece {
            flags: self.flags.drain(..).collect(),
            strategies: self.strategies.drain(..).collect(),
            constraints: self.constraints.drain(..).collect(),
            segments: self.segments.drain(..).collect(),
        }
    }

    /// The piece.
    pub(crate) fn finish(self) -> Piece {
        Piece {
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
