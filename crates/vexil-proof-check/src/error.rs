//! Why a proof is not accepted.

/// Why a proof is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// An atom, a box or a number of the proof makes no sense.
    #[error("the proof is not well formed: {0}")]
    Malformed(&'static str),
    /// A decision depends on something that the proof does not name.
    #[error("a decision depends on something that the proof does not name, or does not tell apart")]
    MissingDimension,
    /// No atom stands for this value.
    #[error("no atom of `{field}` stands for `{value}`")]
    MissingAtom {
        /// The field.
        field: String,
        /// The value.
        value: String,
    },
    /// A box does not change as it says.
    #[error("box {0} does not change as it says")]
    WrongBox(usize),
    /// Two boxes meet.
    #[error("boxes {0} and {1} meet")]
    Overlap(usize, usize),
    /// The boxes of a change are not as large as what changes so.
    #[error("what changes is not what is claimed")]
    WrongSize,
    /// A share is not what counting gives.
    #[error("the share of box {0} is not what counting gives")]
    WrongShare(usize),
    /// The engine says something else of a witness.
    #[error("the witness of box {0} does not change as it says")]
    WrongWitness(usize),
    /// A witness is not in its box.
    #[error("the witness of box {0} is not in it")]
    WitnessElsewhere(usize),
    /// The proof is too large to check.
    #[error("the proof has too many parts to check")]
    TooLarge,
}
