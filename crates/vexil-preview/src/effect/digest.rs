//! The digest of an effect: equal effects have equal digests, whatever the edits were.
//!
//! The diagram is read with its dimensions in the order of their names, which no edit changes. What a
//! node asks is written without the cuts that do not matter to it: neighbouring intervals that lead to
//! the same place are one, and a listed text that fares like any other of its kind is left out. What is
//! written determines the effect, so different effects have different digests.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest as _, Sha256};
use vexil_budget::Exhausted;

use super::addresses::Block;
use super::atoms::{Atom, Atoms, Part};
use super::diagram::{Kind, Node, SAME};
use super::ordered::{Key, Order};
use super::rules::{Dimension, Test};
use super::walk::Walk;
use crate::share::gcd;

/// A SHA-256 digest.
pub(crate) type Digest = [u8; 32];

/// What leads where: texts that describe values, by the node they lead to.
type Ways = BTreeMap<Node, Vec<String>>;

/// Reads a diagram.
pub(crate) struct Reader<'d, 'w, 'r, const N: usize> {
    pub(crate) walk: &'d mut Walk<'w, 'r, N>,
    known: HashMap<Node, Digest>,
    chosen: HashMap<(Node, usize, usize), Node>,
}

impl<'d, 'w, 'r, const N: usize> Reader<'d, 'w, 'r, N> {
    pub(crate) fn new(walk: &'d mut Walk<'w, 'r, N>) -> Self {
        Self {
            walk,
            known: HashMap::new(),
            chosen: HashMap::new(),
        }
    }

    /// The digest of the function of a node.
    pub(crate) fn digest(&mut self, node: Node) -> Result<Digest, Exhausted> {
        if let Some(known) = self.known.get(&node) {
            return Ok(*known);
        }
        self.walk.asked.budget.spend(8)?;
        let mut hash = Sha256::new();
        match self.walk.diagram.kind(node) {
            _ if node == SAME => hash.update(b"same"),
            None => hash.update(b"same"),
            Some(Kind::Leaf(before, after)) => {
                for number in [before, after] {
                    let outcome = self.walk.asked.rules.outcomes.get(*number as usize);
                    write(&mut hash, &format!("{outcome:?}"));
                }
            }
            Some(Kind::Branch(..)) => {
                let rules = self.walk.asked.rules;
                let name = |level: &usize| {
                    let dimension = self.walk.order.get(*level);
                    dimension.and_then(|number| rules.dimensions.get(*number))
                };
                let levels = self.walk.diagram.levels(node);
                let Some(level) = levels
                    .into_iter()
                    .min_by(|one, other| name(one).cmp(&name(other)))
                else {
                    return Ok([0; 32]);
                };
                write(&mut hash, &format!("{:?}", name(&level)));
                for (child, texts) in self.ways(node, level)? {
                    let below = self.digest(child)?;
                    hash.update(below);
                    hash.update((texts.len() as u64).to_le_bytes());
                    texts.iter().for_each(|text| write(&mut hash, text));
                }
            }
        }
        let digest: Digest = hash.finalize().into();
        self.known.insert(node, digest);
        Ok(digest)
    }

    /// Where the values of a level lead, in words that do not depend on cuts that do not matter. Ways
    /// come in the order of the digests they lead to.
    fn ways(&mut self, node: Node, level: usize) -> Result<Vec<(Node, Vec<String>)>, Exhausted> {
        let count = self.walk.levels.get(level).and_then(Option::as_ref);
        let count = count.map_or(0, |known| known.atoms.list.len());
        let mut nodes = Vec::with_capacity(count);
        for atom in 0..count {
            nodes.push(self.choose(node, level, atom)?);
        }
        let Some(known) = self.walk.levels.get(level).and_then(Option::as_ref) else {
            return Ok(Vec::new());
        };
        let (dimension, is_field) = (known.dimension, known.atoms.prober.is_some());
        let mut ways = Ways::new();
        if is_field {
            let plain = self.plain(level, &nodes)?;
            let Some(known) = self.walk.levels.get(level).and_then(Option::as_ref) else {
                return Ok(Vec::new());
            };
            describe(&self.tests(dimension), &known.atoms, &nodes, &plain, &mut ways);
        } else {
            remainders(&known.atoms, &nodes, &mut ways);
        }
        let mut list = Vec::new();
        for (child, mut texts) in ways {
            texts.sort_unstable();
            texts.dedup();
            list.push((self.digest(child)?, child, texts));
        }
        list.sort();
        Ok(list.into_iter().map(|(_, child, texts)| (child, texts)).collect())
    }

    fn choose(&mut self, node: Node, level: usize, atom: usize) -> Result<Node, Exhausted> {
        let budget = self.walk.asked.budget;
        self.walk
            .diagram
            .chosen(node, level, atom, &mut self.chosen, budget)
    }

    /// The tests of a dimension.
    fn tests(&self, dimension: usize) -> Vec<Test<'r>> {
        let rules = self.walk.asked.rules;
        let literals = rules.by_dimension.get(dimension).into_iter().flatten();
        let literals = literals.filter_map(|number| rules.literals.get(*number));
        literals.map(|literal| literal.test).collect()
    }

    /// For each atom, where its values would lead if they were not listed; `None` where that is not known.
    fn plain(&mut self, level: usize, nodes: &[Node]) -> Result<Vec<Option<Node>>, Exhausted> {
        let Some(known) = self.walk.levels.get(level).and_then(Option::as_ref) else {
            return Ok(Vec::new());
        };
        let lists: Vec<Option<bool>> = self.tests(known.dimension).iter().map(unlisted).collect();
        let places: HashMap<&[bool], usize> = known
            .atoms
            .list
            .iter()
            .enumerate()
            .filter(|(_, atom)| atom.pinned.is_none() && atom.parts.iter().any(|(part, _)| is_open(part)))
            .map(|(place, atom)| (atom.holds.as_slice(), place))
            .collect();
        let like = |atom: &Atom| {
            let holds = atom.holds.iter().zip(&lists);
            let holds: Vec<bool> = holds
                .map(|(holds, unlisted)| unlisted.unwrap_or(*holds))
                .collect();
            places.get(holds.as_slice()).copied()
        };
        let found: Vec<(Option<usize>, Option<Vec<(usize, bool)>>)> = known
            .atoms
            .list
            .iter()
            .map(|atom| (like(atom), atom.pinned.clone()))
            .collect();
        let mut plain = Vec::with_capacity(found.len());
        for (place, pinned) in found {
            let mut node = place.and_then(|place| nodes.get(place)).copied();
            for (hash, cell) in self.cells_of(pinned.as_deref().unwrap_or_default()) {
                node = match node {
                    Some(node) => Some(self.choose(node, hash, cell)?),
                    None => None,
                };
            }
            plain.push(node);
        }
        Ok(plain)
    }

    /// The cells of a text's hashes, by level.
    fn cells_of(&self, pinned: &[(usize, bool)]) -> Vec<(usize, usize)> {
        let rules = self.walk.asked.rules;
        let levels = self.walk.levels.iter().enumerate();
        let filled = levels.filter_map(|(level, known)| Some((level, known.as_ref()?)));
        let cell = |(level, known): (usize, &super::walk::Level<N>)| {
            let Some(Dimension::Hash { .. }) = rules.dimensions.get(known.dimension) else {
                return None;
            };
            let literals = rules.by_dimension.get(known.dimension)?;
            let answer = |literal: &usize| {
                pinned
                    .iter()
                    .find(|(number, _)| number == literal)
                    .map(|one| one.1)
            };
            let holds: Option<Vec<bool>> = literals.iter().map(answer).collect();
            let holds = holds?;
            let place = known.atoms.list.iter().position(|cell| cell.holds == holds)?;
            Some((level, place))
        };
        filled.filter_map(cell).collect()
    }
}

/// What a test that asks for a list says of what is not listed; `None` for other tests.
fn unlisted(test: &Test<'_>) -> Option<bool> {
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
fn remainders(atoms: &Atoms, nodes: &[Node], ways: &mut Ways) {
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

/// Whether a part stands for values without an end.
fn is_open(part: &Part) -> bool {
    matches!(
        part,
        Part::Between(_) | Part::Within(_) | Part::Texts(_) | Part::Matching(_)
    )
}

/// Writes where the values of a field lead.
fn describe(tests: &[Test<'_>], atoms: &Atoms, nodes: &[Node], plain: &[Option<Node>], ways: &mut Ways) {
    let texts = for_texts(tests);
    let kept = relevant(&texts, atoms, nodes);
    let signature = |atom: &Atom| -> String {
        let answers = kept.iter().filter_map(|(text, place)| {
            let holds = atom.holds.get(*place)?;
            Some(format!("{holds} {text}"))
        });
        answers.collect::<Vec<_>>().join(" & ")
    };
    let mut none: BTreeMap<String, Node> = BTreeMap::new();
    let put = |ways: &mut Ways, node: Node, text: String| ways.entry(node).or_default().push(text);
    for (atom, node) in atoms.list.iter().zip(nodes) {
        for (part, _) in &atom.parts {
            match part {
                Part::Unset => put(ways, *node, "unset".to_owned()),
                Part::Texts(_) | Part::Matching(_) => {
                    let known = none.insert(signature(atom), *node);
                    if known.is_none() {
                        put(ways, *node, format!("texts {}", signature(atom)));
                    }
                }
                _ => {}
            }
        }
    }
    let mut blocks: Vec<(String, Block, Node)> = Vec::new();
    let mut segments: Vec<(&str, u8, Option<Key>, Option<Key>, String, Node)> = Vec::new();
    for ((atom, node), plain) in atoms.list.iter().zip(nodes).zip(plain) {
        for (part, _) in &atom.parts {
            match part {
                Part::Now(interval) => {
                    segments.push((
                        "now",
                        1,
                        interval.from.clone(),
                        interval.to.clone(),
                        String::new(),
                        *node,
                    ));
                }
                Part::Between(interval) => {
                    let order = match interval.order {
                        Order::Numbers => 0,
                        Order::Moments => 1,
                        Order::Versions => 2,
                    };
                    let ends = (interval.from.clone(), interval.to.clone());
                    segments.push(("values", order, ends.0, ends.1, signature(atom), *node));
                }
                Part::Listed(text) if *plain != Some(*node) => put(ways, *node, format!("listed {text:?}")),
                Part::Within(block) => blocks.push((signature(atom), *block, *node)),
                _ => {}
            }
        }
    }
    blocks.sort();
    let mut whole: Vec<(String, Block, Node)> = Vec::new();
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
    for (signature, block, node) in whole {
        if none.get(&signature) != Some(&node) {
            put(ways, node, format!("within {block:?} {signature}"));
        }
    }
    for (what, order, from, to, signature, node) in joined(segments) {
        // the present has no other values to stand out from
        if what == "now" || none.get(&signature) != Some(&node) {
            let end = |key: &Option<Key>| key.as_ref().and_then(Key::text).unwrap_or_default();
            put(
                ways,
                node,
                format!("{what} {order} {}..{} {signature}", end(&from), end(&to)),
            );
        }
    }
}

type Segment<'s> = (&'s str, u8, Option<Key>, Option<Key>, String, Node);

/// Intervals, where neighbours lead to the same place put together.
fn joined(mut segments: Vec<Segment<'_>>) -> Vec<Segment<'_>> {
    segments.sort_by(|one, other| {
        let start = |key: &Option<Key>, other: &Option<Key>| match (key, other) {
            (Some(key), Some(other)) => key.compare(other),
            (one, other) => one.is_some().cmp(&other.is_some()),
        };
        (one.0, one.1, &one.4)
            .cmp(&(other.0, other.1, &other.4))
            .then_with(|| start(&one.2, &other.2))
    });
    let mut all: Vec<Segment<'_>> = Vec::new();
    for segment in segments {
        match all.last_mut() {
            Some(last)
                if (last.0, last.1, &last.4, last.5) == (segment.0, segment.1, &segment.4, segment.5)
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

/// The tests for texts, each with a text that says what it asks, whatever way it is turned, and its place.
fn for_texts(tests: &[Test<'_>]) -> Vec<(String, usize)> {
    use vexil_domain::Operator::{Regex, StrContains, StrEndsWith, StrStartsWith};
    let mut found = Vec::new();
    for (place, test) in tests.iter().enumerate() {
        let Test::Constraint(constraint) = test else {
            continue;
        };
        if !matches!(
            constraint.operator,
            StrContains | StrEndsWith | StrStartsWith | Regex
        ) {
            continue;
        }
        let mut values: Vec<String> = match constraint.operator {
            Regex => constraint.value.clone().into_iter().collect(),
            _ => constraint
                .values
                .iter()
                .map(|value| value.trim().to_owned())
                .collect(),
        };
        if constraint.is_case_insensitive() && constraint.operator != Regex {
            values
                .iter_mut()
                .for_each(|value| *value = vexil_values::fold(value));
        }
        values.retain(|value| !value.is_empty());
        values.sort_unstable();
        values.dedup();
        let case = constraint.is_case_insensitive();
        let turned = constraint.is_inverted();
        found.push((
            format!("{turned} {} {case} {values:?}", constraint.operator),
            place,
        ));
    }
    found.sort();
    found
}

/// The tests for texts without which values that lead to different places could not be told apart.
fn relevant(texts: &[(String, usize)], atoms: &Atoms, nodes: &[Node]) -> Vec<(String, usize)> {
    let mut kept = texts.to_vec();
    let mut place = 0;
    while place < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(place);
        let mut leads: HashMap<(Vec<bool>, String), Node> = HashMap::new();
        let mut told_apart = true;
        for (atom, node) in atoms.list.iter().zip(nodes) {
            let answers: Vec<bool> = fewer
                .iter()
                .map(|(_, place)| atom.holds.get(*place).copied().unwrap_or_default())
                .collect();
            for (part, _) in atom.parts.iter().filter(|(part, _)| is_open(part)) {
                let kind = match part {
                    Part::Texts(_) | Part::Matching(_) => String::new(),
                    other => format!("{other:?}"),
                };
                let known = leads.insert((answers.clone(), kind), *node);
                told_apart &= known.is_none_or(|known| known == *node);
            }
        }
        if told_apart {
            kept = fewer;
        } else {
            place += 1;
        }
    }
    kept
}

fn write(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}
