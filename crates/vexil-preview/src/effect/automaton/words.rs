//! Texts that lead to states.

use std::collections::{BTreeMap, VecDeque};

use vexil_budget::{Budget, Exhausted};

use super::Product;
use super::form::{Texts, Words};
use super::point::Seen;

/// So many texts of a set without more are listed, each by itself.
const FEW: usize = 256;
/// So many ways round are kept.
const MOST_ROUNDS: usize = 64;

impl Product {
    /// The plainest letter of a class.
    pub(super) fn letter(&self, class: u32) -> Option<char> {
        self.alphabet.plain.get(class as usize)?.first().copied()
    }

    /// The shortest text that leads to a state.
    pub(super) fn word(&self, state: usize) -> String {
        let mut letters = Vec::new();
        let mut at = state;
        while let Some((from, class)) = self.states.get(at).and_then(|state| state.from) {
            letters.extend(self.letter(class));
            at = from;
        }
        letters.iter().rev().collect()
    }

    /// Adds the texts that end in the states of each set.
    pub(super) fn written(
        &self,
        ends: BTreeMap<Seen, Vec<usize>>,
        all: &mut BTreeMap<Seen, Texts>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        if ends.is_empty() {
            return Ok(());
        }
        let endless = self.endless();
        let mut back: Vec<Vec<(usize, u32)>> = vec![Vec::new(); self.states.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            for (class, to) in steps {
                if let Some(back) = back.get_mut(*to) {
                    back.push((from, *class));
                }
            }
        }
        for (seen, ends) in ends {
            let end = ends.iter().copied().find(|end| endless.get(*end) == Some(&true));
            let some: Vec<String> = ends.iter().take(FEW).map(|end| self.word(*end)).collect();
            let texts = match end {
                Some(end) => {
                    let rounds = self.rounds(end, &back, &endless, budget)?;
                    Texts::Some(Words { some, rounds })
                }
                None => match self.listed(&ends, &back, budget)? {
                    Ok(listed) => Texts::All(listed),
                    Err(some) => Texts::Some(Words { some, rounds: None }),
                },
            };
            all.insert(seen, texts);
        }
        Ok(())
    }

    /// Which states lie on a way round, or behind one: texts without an end lead to them.
    fn endless(&self) -> Vec<bool> {
        let mut incoming = vec![0_usize; self.states.len()];
        for (_, to) in self.steps.iter().flatten() {
            if let Some(count) = incoming.get_mut(*to) {
                *count += 1;
            }
        }
        let mut endless = vec![true; self.states.len()];
        let mut pending: Vec<usize> = (0..incoming.len())
            .filter(|place| incoming.get(*place) == Some(&0))
            .collect();
        while let Some(place) = pending.pop() {
            if let Some(state) = endless.get_mut(place) {
                *state = false;
            }
            for (_, to) in self.steps.get(place).into_iter().flatten() {
                if let Some(count) = incoming.get_mut(*to) {
                    *count -= 1;
                    if *count == 0 {
                        pending.push(*to);
                    }
                }
            }
        }
        endless
    }

    /// A way round before a state: what leads to it, what may be repeated, and what leads on.
    fn rounds(
        &self,
        end: usize,
        back: &[Vec<(usize, u32)>],
        endless: &[bool],
        budget: &Budget,
    ) -> Result<Option<(String, Vec<String>, String)>, Exhausted> {
        let mut onward: BTreeMap<usize, Option<(usize, u32)>> = BTreeMap::from([(end, None)]);
        let mut pending = VecDeque::from([end]);
        let mut nearest = None;
        let mut visited = Vec::new();
        while let Some(state) = pending.pop_front() {
            budget.spend(1)?;
            visited.push(state);
            let mut steps = self.steps.get(state).into_iter().flatten();
            if steps.any(|(_, to)| *to == state) {
                nearest = Some(state);
                break;
            }
            for (from, class) in back.get(state).into_iter().flatten() {
                if endless.get(*from) == Some(&true) && !onward.contains_key(from) {
                    onward.insert(*from, Some((state, *class)));
                    pending.push_back(*from);
                }
            }
        }
        let mut found = None;
        if let Some(state) = nearest {
            let steps = self.steps.get(state).into_iter().flatten();
            let own = steps.filter(|(_, to)| *to == state);
            let letters = own.flat_map(|(class, _)| self.alphabet.plain.get(*class as usize));
            let letters = letters.flatten().take(MOST_ROUNDS).map(ToString::to_string);
            found = Some((state, letters.collect()));
        } else {
            for state in visited {
                if let Some(round) = self.round(state, budget)? {
                    found = Some((state, vec![round]));
                    break;
                }
            }
        }
        let Some((state, rounds)) = found else {
            return Ok(None);
        };
        let mut tail = String::new();
        let mut at = state;
        while let Some(Some((to, class))) = onward.get(&at) {
            tail.extend(self.letter(*class));
            at = *to;
        }
        Ok(Some((self.word(state), rounds, tail)))
    }

    /// The shortest way from a state back to itself.
    fn round(&self, state: usize, budget: &Budget) -> Result<Option<String>, Exhausted> {
        let mut words: BTreeMap<usize, String> = BTreeMap::new();
        let mut pending = VecDeque::from([(state, String::new())]);
        while let Some((at, word)) = pending.pop_front() {
            budget.spend(1)?;
            for (class, to) in self.steps.get(at).into_iter().flatten() {
                let mut longer = word.clone();
                longer.extend(self.letter(*class));
                if *to == state {
                    return Ok(Some(longer));
                }
                if !words.contains_key(to) {
                    words.insert(*to, longer.clone());
                    pending.push_back((*to, longer));
                }
            }
        }
        Ok(None)
    }

    /// All texts that end in one of these states, to which no way round leads; some, where they are many.
    fn listed(
        &self,
        ends: &[usize],
        back: &[Vec<(usize, u32)>],
        budget: &Budget,
    ) -> Result<Result<Vec<String>, Vec<String>>, Exhausted> {
        let mut texts = Vec::new();
        let mut all = true;
        // texts from their end: the state that is to be reached, and the letters behind it, the last first
        let mut pending: Vec<(usize, Vec<char>)> = ends.iter().map(|end| (*end, Vec::new())).collect();
        while let Some((state, behind)) = pending.pop() {
            budget.spend(1)?;
            if texts.len() > FEW || pending.len() > 64 * FEW {
                all = false;
                break;
            }
            if state == 0 {
                texts.push(behind.iter().rev().collect::<String>());
                continue;
            }
            for (from, class) in back.get(state).into_iter().flatten() {
                let few = self.alphabet.all.get(*class as usize).and_then(Option::as_ref);
                let plain = self.alphabet.plain.get(*class as usize);
                all &= few.is_some();
                for letter in few.or(plain).into_iter().flatten() {
                    let mut longer = behind.clone();
                    longer.push(*letter);
                    pending.push((*from, longer));
                }
            }
        }
        texts.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        Ok(if all { Ok(texts) } else { Err(texts) })
    }
}
