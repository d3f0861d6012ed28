//! Which of several regular expressions can match a text at once: the product of their automata.
//!
//! All of them are compiled into one deterministic automaton that says at the end of a text which match.
//! Each set of those that some text reaches is found, with texts that reach it, the shortest first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};

use regex_automata::dfa::Automaton as _;
use regex_automata::dfa::dense::{self, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;
use vexil_budget::{Budget, Exhausted};

/// Automata that need more memory are not built.
const MOST_BYTES: usize = 4 << 20;
/// So many steps are taken to list the texts of one set, behind the first.
const MOST_STEPS: usize = 6_000;

/// So many texts of a set without more are listed, each by itself.
const FEW: usize = 256;

/// Which expressions match, by number, ascending.
pub(crate) type Matching = Vec<usize>;

/// The product of some automata.
pub(crate) struct Product {
    dfa: DFA<Vec<u32>>,
    /// One byte of each kind that the automaton tells apart, the plainest.
    bytes: Vec<u8>,
    /// The states that a text can reach, with what matches where it ends there.
    states: Vec<(StateID, Option<Matching>)>,
    /// From each state the byte and the place of the next, for all bytes.
    steps: Vec<Vec<(u8, usize)>>,
}

/// The texts for which a set of expressions matches, and no other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    /// Some of them, the shortest first.
    pub(crate) some: Vec<String>,
    /// Whether these are all.
    pub(crate) all: bool,
}

impl Product {
    /// The product of these expressions, the last of which is that for every text. `None` where it
    /// would be too large.
    pub(crate) fn new(expressions: &[Hir], budget: &Budget) -> Result<Option<Self>, Exhausted> {
        let config = thompson::Config::new()
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(MOST_BYTES / 4));
        let nfa = thompson::Compiler::new()
            .configure(config)
            .build_many_from_hir(expressions);
        let Ok(nfa) = nfa else { return Ok(None) };
        budget.spend(nfa.states().len() as u64)?;
        let limit = usize::try_from(budget.left().saturating_mul(8)).unwrap_or(usize::MAX);
        let config = dense::Config::new()
            .match_kind(MatchKind::All)
            .start_kind(regex_automata::dfa::StartKind::Anchored)
            .accelerate(false)
            .dfa_size_limit(Some(MOST_BYTES.min(limit)))
            .determinize_size_limit(Some(MOST_BYTES.min(limit)));
        let Ok(dfa) = dense::Builder::new().configure(config).build_from_nfa(&nfa) else {
            return Ok(None);
        };
        budget.spend(dfa.memory_usage() as u64 / 64)?;
        let every = expressions.len().saturating_sub(1);
        let mut product = Self {
            bytes: plainest(&dfa),
            dfa,
            states: Vec::new(),
            steps: Vec::new(),
        };
        Ok(product.explore(every, budget)?.then_some(product))
    }

    /// Finds all states that a text can reach; `false` where there are texts that it cannot tell of.
    fn explore(&mut self, every: usize, budget: &Budget) -> Result<bool, Exhausted> {
        let input = Input::new("").anchored(Anchored::Yes);
        let Ok(start) = self.dfa.start_state_forward(&input) else {
            return Ok(false);
        };
        let mut places = HashMap::from([(start, 0)]);
        self.states.push((start, self.matching(start, every)));
        let mut next = 0;
        while let Some((state, _)) = self.states.get(next) {
            budget.spend(1 + self.bytes.len() as u64 / 8)?;
            let state = *state;
            let mut steps = Vec::with_capacity(self.bytes.len());
            for byte in self.bytes.clone() {
                let to = self.dfa.next_state(state, byte);
                if self.dfa.is_quit_state(to) {
                    return Ok(false);
                }
                if self.dfa.is_dead_state(to) {
                    continue;
                }
                let place = *places.entry(to).or_insert(self.states.len());
                if place == self.states.len() {
                    let matching = self.matching(to, every);
                    self.states.push((to, matching));
                }
                steps.push((byte, place));
            }
            self.steps.push(steps);
            next += 1;
        }
        Ok(true)
    }

    /// What matches a text that ends in a state; `None` where it is no text.
    fn matching(&self, state: StateID, every: usize) -> Option<Matching> {
        let end = self.dfa.next_eoi_state(state);
        if !self.dfa.is_match_state(end) {
            return None;
        }
        let mut matching: Matching = (0..self.dfa.match_len(end))
            .map(|place| self.dfa.match_pattern(end, place).as_usize())
            .collect();
        matching.sort_unstable();
        matching.contains(&every).then(|| {
            matching.retain(|number| *number != every);
            matching
        })
    }

    /// What matches a text.
    pub(crate) fn matches(&self, text: &str) -> Option<Matching> {
        let input = Input::new("").anchored(Anchored::Yes);
        let start = self.dfa.start_state_forward(&input).ok()?;
        let state = text
            .bytes()
            .fold(start, |state, byte| self.dfa.next_state(state, byte));
        let end = self.dfa.next_eoi_state(state);
        let mut matching: Matching = match self.dfa.is_match_state(end) {
            true => (0..self.dfa.match_len(end))
                .map(|place| self.dfa.match_pattern(end, place).as_usize())
                .collect(),
            false => Vec::new(),
        };
        matching.sort_unstable();
        // the last is that for every text
        matching.pop();
        Some(matching)
    }

    /// All sets of expressions that match some text that is not empty, with texts: at most `most` of each.
    pub(crate) fn texts(&self, most: usize, budget: &Budget) -> Result<BTreeMap<Matching, Texts>, Exhausted> {
        let mut ends: BTreeMap<&Matching, Vec<usize>> = BTreeMap::new();
        for (place, (_, matching)) in self.states.iter().enumerate() {
            if let Some(matching) = matching {
                ends.entry(matching).or_default().push(place);
            }
        }
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (place, steps) in self.steps.iter().enumerate() {
            for (_, to) in steps {
                if let Some(from) = back.get_mut(*to) {
                    from.push(place);
                }
            }
        }
        let mut all = BTreeMap::new();
        for (matching, ends) in ends {
            budget.spend(self.states.len() as u64 / 4)?;
            let leads = reaching(&back, &ends);
            let every_byte: Vec<u8> = (0..=u8::MAX).collect();
            let mut texts = Texts::default();
            if self.is_finite(&leads) {
                texts = self.words(&ends, &leads, &every_byte, FEW, budget)?;
            }
            if !texts.all {
                texts = self.words(&ends, &leads, &self.bytes, most, budget)?;
                texts.all = false;
            }
            if !texts.some.is_empty() || !texts.all {
                all.insert(matching.clone(), texts);
            }
        }
        Ok(all)
    }

    /// Whether there is no way round among these states.
    fn is_finite(&self, leads: &[Option<usize>]) -> bool {
        let inside = |place: usize| leads.get(place).copied().flatten().is_some();
        let mut incoming = vec![0_usize; leads.len()];
        let targets = |place: usize| self.steps.get(place).into_iter().flatten().map(|(_, to)| *to);
        let places = || (0..leads.len()).filter(|place| inside(*place));
        for to in places().flat_map(targets).filter(|to| inside(*to)) {
            if let Some(count) = incoming.get_mut(to) {
                *count += 1;
            }
        }
        let mut free: Vec<usize> = places()
            .filter(|place| incoming.get(*place) == Some(&0))
            .collect();
        let mut left = places().count();
        while let Some(place) = free.pop() {
            left -= 1;
            for to in targets(place).filter(|to| inside(*to)) {
                if let Some(count) = incoming.get_mut(to) {
                    *count -= 1;
                    if *count == 0 {
                        free.push(to);
                    }
                }
            }
        }
        left == 0
    }

    /// Texts that end in one of `ends`, the shortest first, and whether these are all there are.
    fn words(
        &self,
        ends: &[usize],
        leads: &[Option<usize>],
        bytes: &[u8],
        most: usize,
        budget: &Budget,
    ) -> Result<Texts, Exhausted> {
        let mut some = Vec::new();
        let away = |place: usize| leads.get(place).copied().flatten();
        // of words that can become equally short, the one that is nearest to its end comes first
        let mut pending = BinaryHeap::from([Reverse((0, 0, 0, 0, Vec::new()))]);
        let (mut steps, mut most_steps) = (0, MOST_STEPS);
        while let Some(Reverse((_, _, _, state, word))) = pending.pop() {
            if some.is_empty() {
                most_steps = steps + MOST_STEPS;
            }
            if some.len() >= most || steps > most_steps {
                return Ok(Texts { some, all: false });
            }
            budget.spend(1 + word.len() as u64 * bytes.len() as u64 / 64)?;
            if ends.contains(&state)
                && !word.is_empty()
                && let Ok(text) = String::from_utf8(word.clone())
            {
                some.push(text);
            }
            let classes = self.dfa.byte_classes();
            for byte in bytes {
                let class = classes.get(*byte);
                let mut ways = self.steps.get(state).into_iter().flatten();
                let way = ways.find(|(known, _)| classes.get(*known) == class);
                if let Some((to, left)) = way.and_then(|(_, to)| Some((*to, away(*to)?))) {
                    steps += 1;
                    let mut longer = Vec::with_capacity(word.len() + 1);
                    longer.extend_from_slice(&word);
                    longer.push(*byte);
                    pending.push(Reverse((longer.len() + left, left, steps, to, longer)));
                }
            }
        }
        Ok(Texts { some, all: true })
    }
}

/// How many steps each state is away from the nearest of `ends`.
fn reaching(back: &[Vec<usize>], ends: &[usize]) -> Vec<Option<usize>> {
    let mut away = vec![None; back.len()];
    let mut pending: VecDeque<(usize, usize)> = ends.iter().map(|end| (*end, 0)).collect();
    while let Some((state, steps)) = pending.pop_front() {
        match away.get_mut(state) {
            Some(away) if away.is_none() => *away = Some(steps),
            _ => continue,
        }
        pending.extend(
            back.get(state)
                .into_iter()
                .flatten()
                .map(|from| (*from, steps + 1)),
        );
    }
    away
}

/// One byte of each class of bytes that an automaton does not tell apart: a small letter, else a digit,
/// else what can be printed.
fn plainest(dfa: &DFA<Vec<u32>>) -> Vec<u8> {
    let rank = |byte: &u8| match byte {
        b'a'..=b'z' => 0,
        b'0'..=b'9' => 1,
        b'-' | b'_' | b'~' => 2,
        b'A'..=b'Z' => 3,
        0x21..=0x7e => 4,
        _ => 5,
    };
    let classes = dfa.byte_classes();
    let mut bytes: Vec<u8> = (0..=u8::MAX).collect();
    bytes.sort_by_key(|byte| (rank(byte), *byte));
    let mut known = Vec::new();
    bytes.retain(|byte| {
        let class = classes.get(*byte);
        let is_new = !known.contains(&class);
        known.push(class);
        is_new
    });
    bytes
}
