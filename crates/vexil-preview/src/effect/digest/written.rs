//! Where the values of a dimension lead, in words that do not depend on cuts that do not matter.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::effect::addresses::Block;
use crate::effect::atoms::{Atoms, Part};
use crate::effect::diagram::Node;
use crate::effect::fast::FastMap;
use crate::effect::ordered::{Key, Order};
use crate::effect::rules::Test;
use crate::share::gcd;

use super::told_apart::ToldApart;

/// What leads where: texts that describe values, by the node they lead to.
pub(super) type Ways = BTreeMap<Node, Vec<String>>;

/// What is said of the listed texts of a field, made once: it does not depend on where they lead.
#[derive(Default)]
pub(super) struct Listed {
    /// What is said of all of them.
    all: String,
    /// Where in it what is said of each begins and ends; in the order of what is said, each once.
    said: Vec<(usize, usize)>,
    /// The atoms that the texts are of, by place, each with the number of what is said.
    of: Vec<(usize, u32)>,
}

impl Listed {
    pub(super) fn new(atoms: &Atoms<'_>) -> Self {
        let mut listed = Self::default();
        let mut found: Vec<(u128, usize, usize, usize)> = Vec::new();
        for (place, atom) in atoms.list.iter().enumerate() {
            for (part, _) in &atom.parts {
                if let Part::Listed(text) = part {
                    let start = listed.all.len();
                    // writing to a text cannot fail
                    let _ = write!(listed.all, "listed {text:?}");
                    found.push((leading(&listed.all, start), start, listed.all.len(), place));
                }
            }
        }
        let text = |(_, start, end, _): &(u128, usize, usize, usize)| listed.all.get(*start..*end);
        found.sort_unstable_by(|one, other| one.0.cmp(&other.0).then_with(|| text(one).cmp(&text(other))));
        for same in found.chunk_by(|one, other| text(one) == text(other)) {
            let number = listed.said.len() as u32;
            listed
                .of
                .extend(same.iter().map(|(_, _, _, place)| (*place, number)));
            listed
                .said
                .extend(same.first().map(|(_, start, end, _)| (*start, *end)));
        }
        listed
    }

    /// What is said of a text.
    pub(super) fn said(&self, number: u32) -> &str {
        let place = self.said.get(number as usize);
        place
            .and_then(|(start, end)| self.all.get(*start..*end))
            .unwrap_or_default()
    }

    /// Where those of the texts lead that stand out, each with the number of what is said of it; in order.
    pub(super) fn ways(&self, nodes: &[Node], plain: &[bool]) -> Vec<(Node, u32)> {
        let stands_out = |(place, number): &(usize, u32)| match (nodes.get(*place), plain.get(*place)) {
            // as one number both are compared at once
            (Some(node), Some(false)) => Some(u64::from(*node) << 32 | u64::from(*number)),
            _ => None,
        };
        let mut ways: Vec<u64> = self.of.iter().filter_map(stands_out).collect();
        ways.sort_unstable();
        ways.dedup();
        ways.into_iter()
            .map(|way| ((way >> 32) as Node, way as u32))
            .collect()
    }
}

/// The first bytes of what is said of a listed text, behind what is said of all, as a number that comes in the order
/// of the texts: most are told apart by it, at once. No text that is written has a NUL, with which shorter ones end.
fn leading(all: &str, start: usize) -> u128 {
    let own = all.as_bytes().get(start + "listed ".len()..).unwrap_or_default();
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(own).for_each(|(to, from)| *to = *from);
    u128::from_be_bytes(bytes)
}

/// What a test that asks for a list says of what is not listed; `None` for other tests.
pub(super) fn unlisted(test: &Test<'_>) -> Option<bool> {
    use vexil_domain::Operator::{In, NotIn};
    match test {
        Test::Users(_) | Test::Listed(_) => Some(false),
        Test::Constraint(constraint) if constraint.operator == In => Some(constraint.is_inverted()),
        Test::Constraint(constraint) if constraint.operator == NotIn => Some(!constraint.is_inverted()),
        _ => None,
    }
}

/// Writes where the remainders of a hash, draws, or answers lead: neighbours that lead to the same
/// place are one range, in lowest terms.
pub(super) fn remainders(atoms: &Atoms<'_>, nodes: &[Node], ways: &mut Ways) {
    let mut by_node: BTreeMap<Node, Vec<&Part>> = BTreeMap::new();
    for (atom, node) in atoms.list.iter().zip(nodes) {
        let parts = atom.parts.iter().map(|(part, _)| part);
        by_node.entry(*node).or_default().extend(parts);
    }
    for (node, parts) in by_node {
        let single = |part: &&Part| match part {
            Part::Remainders(ranges) => match ranges.as_slice() {
                [only] => Some((
                    u128::from(only.modulus),
                    u128::from(only.from),
                    u128::from(only.to),
                )),
                _ => None,
            },
            _ => None,
        };
        let texts = ways.entry(node).or_default();
        let Some(mut ranges) = parts.iter().map(single).collect::<Option<Vec<_>>>() else {
            texts.extend(parts.iter().map(|part| format!("{part:?}")));
            continue;
        };
        ranges.sort_unstable();
        let mut joined: Vec<(u128, u128, u128)> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if last.0 == range.0 && last.2 == range.1 => last.2 = range.2,
                _ => joined.push(range),
            }
        }
        texts.extend(joined.into_iter().map(|(whole, from, to)| {
            let divisor = gcd(gcd(from, to), whole).max(1);
            format!("{}..{} of {}", from / divisor, to / divisor, whole / divisor)
        }));
    }
}

/// Writes where the values of a field lead that are not listed.
pub(super) fn describe(told: &ToldApart, atoms: &Atoms<'_>, nodes: &[Node], ways: &mut Ways) {
    let signatures = Signatures {
        told,
        kept: told.relevant(nodes),
        atoms,
        made: vec![OnceCell::new(); atoms.list.len()],
    };
    let none = texts(&signatures, nodes, ways);
    let mut blocks: Vec<(&str, Block, Node)> = Vec::new();
    let mut segments: Vec<Segment<'_>> = Vec::new();
    for ((place, atom), node) in atoms.list.iter().enumerate().zip(nodes) {
        for (part, _) in &atom.parts {
            match part {
                Part::Now(interval) => {
                    let ends = (interval.from.as_ref(), interval.to.as_ref());
                    segments.push(("now", "1", ends.0, ends.1, "", *node));
                }
                Part::Between(interval) => {
                    let order = match interval.order {
                        Order::Numbers => "0",
                        Order::Moments => "1",
                        Order::Versions => "2",
                    };
                    let ends = (interval.from.as_ref(), interval.to.as_ref());
                    segments.push(("values", order, ends.0, ends.1, signatures.of(place), *node));
                }
                Part::Within(block) => blocks.push((signatures.of(place), *block, *node)),
                _ => {}
            }
        }
    }
    for (signature, block, node) in whole(blocks) {
        if none.get(signature) != Some(&node) {
            put(ways, node, format!("within {block:?} {signature}"));
        }
    }
    for (what, order, from, to, signature, node) in joined(segments) {
        // the present has no other values to stand out from
        if what == "now" || none.get(signature) != Some(&node) {
            let end = |key: &Option<&Key>| key.and_then(Key::text).unwrap_or_default();
            let (from, to) = (end(&from), end(&to));
            let text = [what, " ", order, " ", &from, "..", &to, " ", signature].concat();
            put(ways, node, text);
        }
    }
}

/// What the tests that matter say of each atom; made when it is asked for.
struct Signatures<'t, 'r> {
    told: &'t ToldApart,
    kept: Vec<usize>,
    atoms: &'t Atoms<'r>,
    made: Vec<OnceCell<String>>,
}

impl Signatures<'_, '_> {
    fn of(&self, place: usize) -> &str {
        let made = self.made.get(place).map(|known| {
            known.get_or_init(|| {
                let holds = self.atoms.list.get(place).map_or(&[][..], |atom| &atom.holds);
                self.told.signature(&self.kept, holds)
            })
        });
        made.map_or("", String::as_str)
    }
}

fn put(ways: &mut Ways, node: Node, text: String) {
    ways.entry(node).or_default().push(text);
}

/// Writes where no value leads and where texts lead that say none, and gives where these lead by what is said of them.
fn texts<'s>(signatures: &'s Signatures<'_, '_>, nodes: &[Node], ways: &mut Ways) -> FastMap<&'s str, Node> {
    let mut none: FastMap<&str, Node> = FastMap::default();
    for ((place, atom), node) in signatures.atoms.list.iter().enumerate().zip(nodes) {
        for (part, _) in &atom.parts {
            match part {
                Part::Unset => put(ways, *node, "unset".to_owned()),
                Part::Texts(_) | Part::Matching(_) => {
                    let signature = signatures.of(place);
                    let known = none.insert(signature, *node);
                    if known.is_none() {
                        put(ways, *node, ["texts ", signature].concat());
                    }
                }
                _ => {}
            }
        }
    }
    none
}

/// Blocks of addresses, where neighbours lead to the same place put together.
fn whole(mut blocks: Vec<(&str, Block, Node)>) -> Vec<(&str, Block, Node)> {
    blocks.sort();
    let mut whole: Vec<(&str, Block, Node)> = Vec::new();
    for (signature, block, node) in blocks {
        match whole.last_mut() {
            Some((known, last, leads))
                if *known == signature
                    && *leads == node
                    && last.is_v6 == block.is_v6
                    && last.last.checked_add(1) == Some(block.first) =>
            {
                last.last = block.last;
            }
            _ => whole.push((signature, block, node)),
        }
    }
    whole
}

type Segment<'s> = (&'s str, &'s str, Option<&'s Key>, Option<&'s Key>, &'s str, Node);

/// Intervals, where neighbours lead to the same place put together.
fn joined(mut segments: Vec<Segment<'_>>) -> Vec<Segment<'_>> {
    segments.sort_by(|one, other| {
        let start = |key: &Option<&Key>, other: &Option<&Key>| match (key, other) {
            (Some(key), Some(other)) => key.compare(other),
            (one, other) => one.is_some().cmp(&other.is_some()),
        };
        (one.0, one.1, one.4)
            .cmp(&(other.0, other.1, other.4))
            .then_with(|| start(&one.2, &other.2))
    });
    let mut all: Vec<Segment<'_>> = Vec::new();
    for segment in segments {
        match all.last_mut() {
            Some(last)
                if (last.0, last.1, last.4, last.5) == (segment.0, segment.1, segment.4, segment.5)
                    && last.3.is_some()
                    && last.3 == segment.2 =>
            {
                last.3 = segment.3;
            }
            _ => all.push(segment),
        }
    }
    all
}
