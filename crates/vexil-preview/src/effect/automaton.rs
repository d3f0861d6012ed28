//! Which of several expressions can match in a text at once: all of them looked for side by side.
//!
//! A state is what is known behind a few letters: where each expression may be, and which have matched.
//! States are visited from the start. Where nothing but single texts are looked for any more, a state is
//! not followed further: with a letter that occurs in none of them between, whatever may follow can be
//! put together from those texts, each by itself.

mod ahead;
mod alphabet;
mod form;
mod nfa;
mod pairs;
mod point;
mod words;

use std::collections::BTreeMap;
use std::rc::Rc;

use regex_syntax::hir::{ClassUnicode, Hir};
use vexil_budget::{Budget, Exhausted};

use super::fast::FastMap;
use super::texts::{Skeleton, Spelled};
use alphabet::Alphabet;
pub(crate) use form::{Texts, Words};
use nfa::Nfa;
pub(crate) use pairs::Pairs;
pub(crate) use point::Seen;
use point::{Ahead, Around, insert};

/// So many expressions are looked for at once.
const MOST_EXPRESSIONS: usize = 256;
/// So many states are visited.
const MOST_STATES: usize = 60_000;
/// So many combinations of single texts are told apart.
const MOST_COMBINATIONS: usize = 4_096;

/// What is looked for in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expression {
    pub(crate) hir: Hir,
    pub(crate) place: Place,
}

/// Where it is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Single texts, anywhere.
    Inside,
    /// Single texts, at the end.
    AtEnd,
    /// As the expression says.
    Anywhere,
}

/// Some expressions, looked for at once.
pub(crate) struct Product {
    nfa: Nfa,
    alphabet: Alphabet,
    /// How many words the bits of places take.
    words: usize,
    /// Of each class of letters, the places that it leads through.
    allowed: Vec<Vec<u64>>,
    /// Of each expression, its places.
    owned: Vec<Vec<u64>>,
    /// Of each class of letters, what it is to its neighbours.
    around: Vec<Around>,
    /// How many kinds of letters there are to neighbours; the start or end of the text comes behind.
    kinds: usize,
    /// What is possible behind each place, and at the last of them behind the start, by what is around.
    ahead: Vec<Option<Rc<Ahead>>>,
    states: Vec<State>,
    known: FastMap<Rc<[u64]>, usize>,
    /// The classes of letters that lead on from each state.
    steps: Vec<Vec<(u32, usize)>>,
}

/// What is known behind some letters.
struct State {
    places: Rc<[u64]>,
    seen: Seen,
    behind: Around,
    /// The state and the class of letters it was first reached by.
    from: Option<(usize, u32)>,
    /// Whether only single texts are looked for from here on.
    is_free: bool,
}

impl Product {
    /// The product of these expressions; `None` where it would be too large. Letters of which only some are in one
    /// of the sets `apart` are told apart.
    pub(crate) fn new(
        expressions: &[Expression],
        apart: &[ClassUnicode],
        budget: &Budget,
    ) -> Result<Option<Self>, Exhausted> {
        if expressions.len() > MOST_EXPRESSIONS {
            return Ok(None);
        }
        let Some(mut nfa) = Nfa::new(expressions.iter().map(|it| &it.hir)) else {
            return Ok(None);
        };
        apart.iter().for_each(|set| nfa.tell_apart(set));
        budget.spend(nfa.nodes.len() as u64 / 2)?;
        let (alphabet, classes) = Alphabet::new(&nfa.sets);
        let count = nfa.letters.len();
        let words = count.div_ceil(64);
        budget.spend((alphabet.len() * (1 + words)) as u64 / 8)?;
        let mut allowed = vec![vec![0; words]; alphabet.len()];
        let mut owned = vec![vec![0; words]; expressions.len()];
        for (number, (set, _, expression)) in nfa.letters.iter().enumerate() {
            for class in classes.get(*set).into_iter().flatten() {
                insert(allowed.get_mut(*class), number);
            }
            insert(owned.get_mut(*expression), number);
        }
        let kinds = if nfa.looks_around { 3 } else { 1 };
        let around = alphabet.plain.iter().map(|plain| match plain.first() {
            _ if kinds == 1 => 0,
            Some('\n') => 2,
            Some(letter) if letter.is_ascii_alphanumeric() || *letter == '_' => 1,
            _ => 0,
        });
        Ok(Some(Self {
            around: around.collect(),
            words,
            allowed,
            owned,
            kinds,
            ahead: vec![None; (count + 1) * (kinds + 1) * (kinds + 1)],
            states: Vec::new(),
            known: FastMap::default(),
            steps: Vec::new(),
            nfa,
            alphabet,
        }))
    }

    /// All sets of expressions that match some text that is not empty, with such texts; `None` where
    /// there would be too many. `spelled` are the single texts that are looked for inside and at the end.
    pub(crate) fn texts(
        &mut self,
        expressions: &[Expression],
        spelled: Option<&Spelled>,
        budget: &Budget,
    ) -> Result<Option<BTreeMap<Seen, Texts>>, Exhausted> {
        let single = expressions.iter().enumerate();
        let single = single.filter(|(_, it)| spelled.is_some() && it.place != Place::Anywhere);
        let mut free = Seen::EMPTY;
        single.for_each(|(number, _)| free.insert(number));
        if !self.explore(expressions.len(), spelled.map(|_| &free), budget)? {
            return Ok(None);
        }
        let mut all = BTreeMap::new();
        if let Some(spelled) = spelled
            && !self.freely(&free, spelled, &mut all, budget)?
        {
            return Ok(None);
        }
        let mut ends: BTreeMap<Seen, Vec<usize>> = BTreeMap::new();
        for place in 1..self.states.len() {
            let Some(state) = self.states.get(place).filter(|state| !state.is_free) else {
                continue;
            };
            let (places, seen, behind) = (Rc::clone(&state.places), state.seen, state.behind);
            let (_, seen) = self.ahead(&places, seen, behind, self.kinds);
            if !all.contains_key(&seen) {
                ends.entry(seen).or_default().push(place);
            }
        }
        self.written(ends, &mut all, budget)?;
        Ok(Some(all))
    }

    /// Whether an expression may still match, or is being matched, however the text goes on.
    fn restarts(&mut self, expressions: usize) -> Seen {
        let mut restarts = Seen::EMPTY;
        for before in 0..self.kinds {
            for next in 0..=self.kinds {
                let start = self.behind(self.nfa.letters.len(), before, next);
                restarts = restarts.with(&start.matched);
                for expression in 0..expressions {
                    let owned = self.owned.get(expression).into_iter().flatten();
                    if start.letters.iter().zip(owned).any(|(all, own)| all & own != 0) {
                        restarts.insert(expression);
                    }
                }
            }
        }
        restarts
    }

    /// Visits all states; `false` where they are too many.
    fn explore(
        &mut self,
        expressions: usize,
        free: Option<&Seen>,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let restarts = self.restarts(expressions);
        let bound = (0..expressions).filter(|number| free.is_some_and(|free| !free.contains(*number)));
        let bound: Vec<usize> = bound.collect();
        self.states.push(State {
            places: vec![0; self.words].into(),
            seen: Seen::EMPTY,
            behind: self.kinds,
            from: None,
            is_free: false,
        });
        let mut place = 0;
        while let Some(state) = self.states.get(place) {
            let (places, seen, behind) = (Rc::clone(&state.places), state.seen, state.behind);
            budget.spend(2 + (self.alphabet.len() * (4 + self.words)) as u64 / 16)?;
            let mut steps = Vec::new();
            if !state.is_free {
                for next in 0..self.kinds {
                    let (letters, seen) = self.ahead(&places, seen, behind, next);
                    self.step(place, next, &letters, seen, &mut steps);
                }
            }
            self.steps.push(steps);
            for made in self.states.iter_mut().skip(place.max(1)).rev() {
                if made.from.is_none_or(|(from, _)| from != place) {
                    break;
                }
                made.is_free = free.is_some()
                    && bound.iter().all(|number| {
                        let owned = self.owned.get(*number).into_iter().flatten();
                        let open = || made.places.iter().zip(owned).any(|(all, own)| all & own != 0);
                        made.seen.contains(*number) || (!restarts.contains(*number) && !open())
                    });
            }
            place += 1;
            if self.states.len() > MOST_STATES {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The states that the letters of one kind lead to.
    fn step(
        &mut self,
        from: usize,
        next: Around,
        letters: &[u64],
        seen: Seen,
        steps: &mut Vec<(u32, usize)>,
    ) {
        let mut key: Vec<u64> = Vec::with_capacity(self.words + 5);
        // many classes lead nowhere but to the start
        let mut nowhere = None;
        for class in 0..self.alphabet.len() {
            if self.around.get(class) != Some(&next) {
                continue;
            }
            let Some(allowed) = self.allowed.get(class) else {
                continue;
            };
            key.clear();
            key.extend(letters.iter().zip(allowed).map(|(all, one)| all & one));
            let is_nowhere = key.iter().all(|word| *word == 0);
            if let (true, Some(to)) = (is_nowhere, nowhere) {
                steps.push((class as u32, to));
                continue;
            }
            key.extend(seen.words());
            key.push(next as u64);
            let to = match self.known.get(key.as_slice()) {
                Some(to) => *to,
                None => {
                    let places: Rc<[u64]> = key.get(..self.words).unwrap_or_default().into();
                    self.known.insert(key.as_slice().into(), self.states.len());
                    self.states.push(State {
                        places,
                        seen,
                        behind: next,
                        from: Some((from, class as u32)),
                        is_free: false,
                    });
                    self.states.len() - 1
                }
            };
            if is_nowhere {
                nowhere = Some(to);
            }
            steps.push((class as u32, to));
        }
    }

    /// Adds what texts can match that go on with single texts only; `false` where that is too much.
    fn freely(
        &mut self,
        free: &Seen,
        spelled: &Spelled,
        all: &mut BTreeMap<Seen, Texts>,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let [filler, _] = spelled.fillers;
        let mut middles: Vec<(Vec<String>, Seen)> = vec![(Vec::new(), Seen::EMPTY)];
        for piece in &spelled.inside {
            let Some(found) = self.seen(&format!("{filler}{piece}{filler}")) else {
                return Ok(false);
            };
            let found = found.common(free);
            budget.spend(middles.len() as u64 / 4)?;
            for place in 0..middles.len() {
                let Some((middle, before)) = middles.get(place) else {
                    break;
                };
                let both = before.with(&found);
                if middles.iter().all(|(_, known)| *known != both) {
                    let longer = [middle.as_slice(), std::slice::from_ref(piece)].concat();
                    middles.push((longer, both));
                }
            }
            if middles.len() > MOST_COMBINATIONS {
                return Ok(false);
            }
        }
        let mut ends = vec![(String::new(), Seen::EMPTY)];
        for end in &spelled.ends {
            let Some(found) = self.seen(&format!("{filler}{end}")) else {
                return Ok(false);
            };
            let found = found.common(free);
            if ends.iter().all(|(_, known)| *known != found) {
                ends.push((end.clone(), found));
            }
        }
        let mut starts: BTreeMap<Seen, usize> = BTreeMap::new();
        for (place, state) in self.states.iter().enumerate() {
            if state.is_free {
                starts.entry(state.seen).or_insert(place);
            }
        }
        if starts.len() * middles.len() * ends.len() > 16 * MOST_COMBINATIONS {
            return Ok(false);
        }
        for (seen, state) in starts {
            let start = self.word(state);
            budget.spend((ends.len() * middles.len()) as u64 / 4)?;
            for (end, at_end) in &ends {
                for (middle, within) in &middles {
                    let both = seen.with(at_end).with(within);
                    all.entry(both).or_insert_with(|| {
                        let (middle, end) = (middle.clone(), end.clone());
                        Texts::Skeleton(Skeleton::new(start.clone(), middle, end, spelled.fillers))
                    });
                }
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
