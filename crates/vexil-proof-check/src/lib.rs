//! Checks a proof of what a change does to one flag, by another method than that which found it.
//!
//! A proof cuts each thing that a decision depends on into atoms, and names boxes of atoms that change. This
//! crate believes none of it. It asks the engine what every atom's sample makes of every condition, looks for
//! values that no atom stands for, splits the whole grid until every part is decided on both sides, and
//! compares: each box must change as it says, and the boxes of a change must be as large as all parts that
//! change so. Shares are counted again, and witnesses are put to the engine.

mod atoms;
mod cells;
mod check;
mod decide;
mod error;
mod grafts;
mod matching;
mod moment;
mod neighbours;
mod witness;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use vexil_domain::{EnvironmentSnapshot, Parameters, Payload};
use vexil_engine::Engine;

pub use check::check;
pub use error::ProofError;

/// One environment, with its engine.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Its live flags and the segments.
    pub snapshot: &'a EnvironmentSnapshot,
    /// The same, compiled.
    pub engine: &'a Engine,
}

/// What is claimed of one flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The flag.
    pub flag: String,
    /// What its decision depends on.
    pub dimensions: Vec<Dimension>,
    /// All contexts that change, in boxes that do not meet.
    pub regions: Vec<Region>,
}

/// Something that a decision depends on, in atoms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// What it is.
    pub on: On,
    /// Its atoms.
    pub atoms: Vec<Atom>,
}

/// What a decision can depend on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum On {
    /// A context field.
    Field(String),
    /// The name of the host.
    Host,
    /// What a custom strategy says: the first atom is no, the second yes.
    Custom(String, Parameters),
    /// The hash of a field's value with a group, for rollouts or for variants.
    Hash {
        /// The field.
        field: String,
        /// The group.
        group: String,
        /// Whether it is for variants.
        variants: bool,
    },
    /// A draw: for the rollout of a strategy, or for the variants of a group.
    Chance {
        /// The strategy.
        strategy: Option<String>,
        /// The group.
        group: String,
    },
}

/// Values that no condition tells apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Atom {
    /// Of a field or the host: one of the values; `None` is unset.
    pub sample: Option<String>,
    /// Of `currentTime`, where it is unset: the present.
    #[serde(with = "moment")]
    pub now: Option<OffsetDateTime>,
    /// Whether the sample is the only value, so that its hashes are known.
    pub alone: bool,
    /// Of a hash or a draw: parts, each with a range `(modulus, from, to)` of one modulus or several.
    pub ranges: Vec<Vec<(u64, u64, u64)>>,
}

/// A box of atoms that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// What the flag was.
    pub before: Decision,
    /// What it becomes.
    pub after: Decision,
    /// The atoms of each dimension, by number; all atoms of dimensions that are not named.
    pub atoms: BTreeMap<usize, Vec<usize>>,
    /// The part of the hashes and draws, where one is claimed.
    pub share: Option<(u128, u128)>,
    /// The witness: a context, the present, the seed of chance, and the name of the host.
    pub witness: Witness,
}

/// One context of a region, with what else the answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Witness {
    /// The fields that are set.
    pub context: Vec<(String, String)>,
    /// The present, where it matters.
    #[serde(with = "moment")]
    pub now: Option<OffsetDateTime>,
    /// The seed of chance, where it matters.
    pub seed: Option<u64>,
    /// The name of the host, where it matters.
    pub host: Option<String>,
    /// Custom strategies that say yes.
    pub says: Vec<(String, Parameters)>,
}

/// What a flag is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Decision {
    /// Not there.
    Absent,
    /// Off.
    Off,
    /// On, perhaps with a variant: its name, and its payload as kind and value.
    On(Option<(String, Option<(String, String)>)>),
}

impl Decision {
    pub(crate) fn with(name: &str, payload: Option<&Payload>) -> Self {
        let payload = payload.map(|payload| (payload.kind.clone(), payload.value.clone()));
        Self::On(Some((name.to_owned(), payload)))
    }
}
