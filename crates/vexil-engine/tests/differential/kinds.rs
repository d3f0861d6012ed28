//! The kinds of differences: what a flag or a context has that another engine reads otherwise.

use std::fmt;

/// Another engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PeerName {
    Yggdrasil,
    Node,
}

/// Makes the kinds from one list: what each is called, which engines read it otherwise, and how its row of
/// `docs/COMPATIBILITY.md` begins.
macro_rules! kinds {
    ($($kind:ident, $peers:expr, $row:literal;)*) => {
        /// Something that another engine reads otherwise.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kind {
            $($kind),*
        }

        impl Kind {
            pub(crate) const ALL: &[Self] = &[$(Self::$kind),*];

            /// How its row of `docs/COMPATIBILITY.md` begins.
            pub(crate) fn row(self) -> &'static str {
                match self {
                    $(Self::$kind => $row),*
                }
            }

            /// The engines that read it otherwise.
            fn peers(self) -> &'static [PeerName] {
                match self {
                    $(Self::$kind => $peers),*
                }
            }
        }
    };
}

const BOTH: &[PeerName] = &[PeerName::Yggdrasil, PeerName::Node];
const YGGDRASIL: &[PeerName] = &[PeerName::Yggdrasil];
const NODE: &[PeerName] = &[PeerName::Node];

kinds! {
    Unreadable, BOTH, "| A constraint whose own value cannot be read";
    MissingSegment, YGGDRASIL, "| A segment that is missing";
    Percentage, BOTH, "| A percentage that is no whole number up to 100";
    EmptyStickiness, YGGDRASIL, "| A stickiness that is empty |";
    NoTime, YGGDRASIL, "| A context without `currentTime`, where";
    TimeStickiness, YGGDRASIL, "| The stickiness `currentTime` |";
    OlderGroup, BOTH, "| A gradual rollout of the older kinds without `groupId` |";
    MissingGroup, NODE, "| A rollout or a strategy's variants without `groupId` |";
    Blanks, BOTH, "| Blanks around an entry of a list |";
    EmptyList, BOTH, "| An empty list |";
    Numbers, BOTH, "| A number that is spelt otherwise than";
    Dates, BOTH, "| A date that is spelt otherwise than";
    DateField, NODE, "| Date operators on another field than `currentTime` |";
    Versions, BOTH, "| A version with a leading `v` or `=`";
    Patterns, BOTH, "| `\\d`, `\\w`, `\\s`, `\\b` and classes in patterns |";
    Networks, BOTH, "| Networks that are not plain IPv4, or an address";
    Quotes, YGGDRASIL, "| Quotation marks and backslashes";
    Case, BOTH, "| Letters beyond ASCII where case is ignored |";
    NotAscii, NODE, "| Users whose value is not ASCII, in a rollout |";
    EmptyValue, BOTH, "| An empty context value |";
    AmongProperties, BOTH, "| A standard field among the properties |";
    ParentVariants, YGGDRASIL, "| A parent without variants where the child names some";
    ParentGroup, YGGDRASIL, "| A parent's rollout without `groupId` |";
    ByAddress, YGGDRASIL, "| Variants with the stickiness `default`, of a user without id and session |";
    VariantStickiness, BOTH, "| Strategy variants, where";
    Weights, BOTH, "| Variants whose weights are all zero";
    Overrides, YGGDRASIL, "| Overrides of a strategy's variants |";
}

/// Some kinds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kinds(pub(crate) Vec<Kind>);

impl Kinds {
    /// All in which an engine differs.
    pub(crate) fn all(peer: PeerName) -> Self {
        let differs = |kind: &Kind| kind.peers().contains(&peer);
        Self(Kind::ALL.iter().copied().filter(differs).collect())
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
