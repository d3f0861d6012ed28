//! What the compiler could not understand, and where.

use std::fmt;

use vexil_domain::{FlagName, SegmentId};

/// Something that could not be understood when an engine was compiled. It is off, alone; the rest works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// A place in a snapshot. Strategies and constraints are counted from zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The flag.
    pub flag: Option<FlagName>,
    /// The segment.
    pub segment: Option<SegmentId>,
    /// The strategy, by its place in the flag's list.
    pub strategy: Option<usize>,
    /// The constraint, by its place in the strategy's or segment's list.
    pub constraint: Option<usize>,
}

/// What can be wrong with a flag or segment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Something in a constraint cannot be understood, or says nothing.
    #[error("{0}, so {consequence}", consequence = .0.consequence())]
    Constraint(vexil_values::Problem),
    /// An entry of the list of a strategy is no network; it is passed over.
    #[error(
        "`{value}` is neither an IP address nor a network such as 10.0.0.0/8, so the entry is passed over"
    )]
    BadNetwork {
        /// The entry.
        value: String,
    },
    /// Nobody registered this custom strategy type. The strategy never holds where its result is not given.
    #[error(
        "the strategy type `{strategy}` is not known here, so the strategy never holds unless its result is given"
    )]
    UnknownStrategy {
        /// The strategy type.
        strategy: String,
    },
    /// The strategy refers to a segment that is not there. The strategy never holds.
    #[error("segment {id} does not exist, so the strategy never holds")]
    MissingSegment {
        /// The segment's id.
        id: SegmentId,
    },
    /// A parameter is missing or unreadable. The strategy never holds.
    #[error("parameter `{parameter}` is missing or no number, so the strategy never holds")]
    UnusableParameter {
        /// The parameter's name.
        parameter: &'static str,
    },
    /// The flag depends on a flag that is not there, so it is off.
    #[error("the parent `{parent}` does not exist, so the flag is off")]
    MissingParent {
        /// The parent's name.
        parent: FlagName,
    },
    /// The flag depends on a flag that itself has parents, which is not supported, so it is off.
    #[error("the parent `{parent}` itself has parents, so the flag is off")]
    NestedParent {
        /// The parent's name.
        parent: FlagName,
    },
    /// The flag depends on itself, over any number of steps, so it is off.
    #[error("the parent `{parent}` depends on the flag itself, so the flag is off")]
    Cycle {
        /// The parent's name.
        parent: FlagName,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |text: fmt::Arguments<'_>| {
            let done = f.write_fmt(format_args!("{separator}{text}"));
            separator = ", ";
            done
        };
        if let Some(flag) = &self.flag {
            part(format_args!("flag `{flag}`"))?;
        }
        if let Some(segment) = self.segment {
            part(format_args!("segment {segment}"))?;
        }
        if let Some(strategy) = self.strategy {
            part(format_args!("strategy {strategy}"))?;
        }
        if let Some(constraint) = self.constraint {
            part(format_args!("constraint {constraint}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}
