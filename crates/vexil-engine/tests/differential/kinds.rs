//! The kinds of differences: what a flag or a context has that another engine reads otherwise.

use std::fmt;

/// Another engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PeerName {
    Yggdrasil,
    Node,
}

/// Something that another engine reads otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Unreadable,
    MissingSegment,
    Percentage,
    EmptyStickiness,
    OlderGroup,
    MissingGroup,
    Blanks,
    EmptyList,
    Numbers,
    Dates,
    DateField,
    Versions,
    Patterns,
    Networks,
    Quotes,
    Case,
    NotAscii,
    EmptyValue,
    AmongProperties,
    ParentVariants,
    ParentGroup,
    ByAddress,
    VariantStickiness,
    Weights,
    Overrides,
}

use Kind::*;
use PeerName::{Node, Yggdrasil};

impl Kind {
    pub(crate) const ALL: [Self; 25] = [
        Unreadable,
        MissingSegment,
        Percentage,
        EmptyStickiness,
        OlderGroup,
        MissingGroup,
        Blanks,
        EmptyList,
        Numbers,
        Dates,
        DateField,
        Versions,
        Patterns,
        Networks,
        Quotes,
        Case,
        NotAscii,
        EmptyValue,
        AmongProperties,
        ParentVariants,
        ParentGroup,
        ByAddress,
        VariantStickiness,
        Weights,
        Overrides,
    ];

    /// How its row of `docs/COMPATIBILITY.md` begins.
    pub(crate) fn row(self) -> &'static str {
        match self {
            Unreadable => "| A constraint whose own value cannot be read",
            MissingSegment => "| A segment that is missing",
            Percentage => "| A percentage that is no whole number up to 100",
            EmptyStickiness => "| A stickiness that is empty |",
            OlderGroup => "| A gradual rollout of the older kinds without `groupId` |",
            MissingGroup => "| A rollout or a strategy's variants without `groupId` |",
            Blanks => "| Blanks around an entry of a list |",
            EmptyList => "| An empty list |",
            Numbers => "| A number that is spelt otherwise than",
            Dates => "| A date that is spelt otherwise than",
            DateField => "| Date operators on another field than `currentTime` |",
            Versions => "| A version with a leading `v` or `=`",
            Patterns => "| `\\d`, `\\w`, `\\s`, `\\b` and classes in patterns |",
            Networks => "| Networks that are not plain IPv4 |",
            Quotes => "| Quotation marks and backslashes",
            Case => "| Letters beyond ASCII where case is ignored |",
            NotAscii => "| Users whose value is not ASCII, in a rollout |",
            EmptyValue => "| An empty context value |",
            AmongProperties => "| A standard field among the properties |",
            ParentVariants => "| A parent without variants where the child names some",
            ParentGroup => "| A parent's rollout without `groupId` |",
            ByAddress => "| Variants with the stickiness `default`, of a user without id and session |",
            VariantStickiness => "| Strategy variants, where",
            Weights => "| Variants whose weights are all zero",
            Overrides => "| Overrides of a strategy's variants |",
        }
    }

    /// Whether this engine reads it otherwise.
    fn is_of(self, peer: PeerName) -> bool {
        match self {
            MissingSegment | EmptyStickiness | Quotes | ParentVariants | ParentGroup | ByAddress
            | Overrides => peer == Yggdrasil,
            MissingGroup | DateField | NotAscii => peer == Node,
            _ => true,
        }
    }
}

/// Some kinds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kinds(pub(crate) Vec<Kind>);

impl Kinds {
    /// All in which an engine differs.
    pub(crate) fn all(peer: PeerName) -> Self {
        Self(Kind::ALL.into_iter().filter(|kind| kind.is_of(peer)).collect())
    }

    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.0.contains(&kind)
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, kind) in self.0.iter().enumerate() {
            write!(f, "{}{kind:?}", if place > 0 { " + " } else { "" })?;
        }
        Ok(())
    }
}
