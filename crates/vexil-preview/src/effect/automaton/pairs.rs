//! Texts by which expressions match in them and by what they say: both read side by side.

use std::collections::{BTreeMap, VecDeque};

use vexil_budget::{Budget, Exhausted};

use super::Product;
use super::form::Words;
use super::point::Seen;
use crate::effect::fast::FastMap;
use crate::effect::readers::Table;

/// So many pairs are visited.
const MOST_PAIRS: usize = 200_000;
/// So many ways are followed for a text that is listed.
const WAYS_A_TEXT: usize = 64;
/// So many letters that may come any number of times are kept.
const MOST_ROUNDS: usize = 64;
/// So many texts of a set are kept to begin with.
const FIRST: usize = 6;

/// What is known behind some letters: of the expressions, and of the value.
struct Pair {
    state: usize,
    read: u32,
    /// The pair and the class of letters it was first reached by.
    from: Option<(usize, u32)>,
}

/// All pairs behind which a form may still match.
pub(crate) struct Pairs {
    pairs: Vec<Pair>,
    /// The pairs that lead to each, with the classes of letters.
    back: Vec<Vec<(usize, u32)>>,
    /// Where texts may end in which the form matches, by all expressions that do.
    ends: BTreeMap<Seen, Vec<usize>>,
    /// How many texts lead to each, where they were counted.
    counts: Vec<usize>,
    most: usize,
}

impl Product {
    /// All pairs of states and of what is read; `None` where they are too many. `form` is an expression that matches
    /// in all texts that say a value.
    pub(crate) fn pairs(
        &mut self,
        form: usize,
        table: &mut dyn Table,
        budget: &Budget,
    ) -> Result<Option<Pairs>, Exhausted> {
        let owned = self.owned.get(form).cloned().unwrap_or_default();
        let is_open = |places: &[u64]| places.iter().zip(&owned).any(|(all, own)| all & own != 0);
        let open: Vec<bool> = self.states.iter().map(|state| is_open(&state.places)).collect();
        let mut seen_at: Vec<Option<Seen>> = vec![None; self.states.len()];
        let mut known: FastMap<(usize, u32), usize> = FastMap::default();
        let mut all = Pairs {
            pairs: vec![Pair {
                state: 0,
                read: 0,
                from: None,
            }],
            back: vec![Vec::new()],
            ends: BTreeMap::new(),
            counts: Vec::new(),
            most: 0,
        };
        let mut place = 0;
        while let Some(Pair { state, read, .. }) = all.pairs.get(place) {
            let (state, read) = (*state, *read);
            if place > 0 {
                let seen = match seen_at.get(state).copied().flatten() {
                    Some(seen) => seen,
                    None => self.seen_behind(state),
                };
                if let Some(known) = seen_at.get_mut(state) {
                    *known = Some(seen);
                }
                if seen.contains(form) {
                    all.ends.entry(seen).or_default().push(place);
                }
            }
            let steps = self.steps.get(state).map_or(&[][..], Vec::as_slice);
            budget.spend(1 + steps.len() as u64 / 2)?;
            for (class, to) in steps {
                let letter = self.letter(*class);
                let (Some(true), Some(letter)) = (open.get(*to), letter) else {
                    continue;
                };
                let read = table.next(read, *class as usize, letter);
                let next = *known.entry((*to, read)).or_insert_with(|| {
                    all.pairs.push(Pair {
                        state: *to,
                        read,
                        from: Some((place, *class)),
                    });
                    all.back.push(Vec::new());
                    all.pairs.len() - 1
                });
                if let Some(back) = all.back.get_mut(next) {
                    back.push((place, *class));
                }
            }
            place += 1;
            if all.pairs.len() > MOST_PAIRS {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }

    /// Which expressions match in a text that ends in a state.
    fn seen_behind(&mut self, state: usize) -> Seen {
        let Some(known) = self.states.get(state) else {
            return Seen::EMPTY;
        };
        let (places, seen, behind) = (std::rc::Rc::clone(&known.places), known.seen, known.behind);
        self.ahead(&places, seen, behind, self.kinds).1
    }
}

impl Pairs {
    /// The sets of expressions that match in texts in which the form does.
    pub(crate) fn combinations(&self) -> impl Iterator<Item = &Seen> {
        self.ends.keys()
    }

    /// Where texts end in which exactly these expressions match, each with what is read there.
    pub(crate) fn ends(&self, seen: &Seen) -> impl Iterator<Item = (usize, u32)> {
        let ends = self.ends.get(seen).into_iter().flatten();
        ends.filter_map(|place| Some((*place, self.pairs.get(*place)?.read)))
    }

    /// The shortest text that leads to a pair.
    pub(crate) fn word(&self, product: &Product, place: usize) -> String {
        let mut letters = Vec::new();
        let mut at = place;
        while let Some((from, class)) = self.pairs.get(at).and_then(|pair| pair.from) {
            letters.extend(product.letter(class));
            at = from;
        }
        letters.iter().rev().collect()
    }

    /// How many texts lead to each pair, `most` for so many or more.
    fn counted(&self, product: &Product, most: usize) -> Vec<usize> {
        let mut onward: Vec<Vec<(usize, u32)>> = vec![Vec::new(); self.pairs.len()];
        let mut left: Vec<usize> = self.back.iter().map(Vec::len).collect();
        for (place, back) in self.back.iter().enumerate() {
            for (from, class) in back {
                if let Some(onward) = onward.get_mut(*from) {
                    onward.push((place, *class));
                }
            }
        }
        // what no order ever reaches lies on a way round, or behind one
        let mut counts = vec![most; self.pairs.len()];
        let mut sums = vec![0_usize; self.pairs.len()];
        let mut pending = Vec::new();
        if left.first() == Some(&0) {
            sums.iter_mut().take(1).for_each(|sum| *sum = 1);
            pending.push(0);
        }
        while let Some(place) = pending.pop() {
            let own = sums.get(place).copied().unwrap_or_default();
            counts
                .iter_mut()
                .skip(place)
                .take(1)
                .for_each(|count| *count = own);
            for (to, class) in onward.get(place).into_iter().flatten() {
                let letters = product.alphabet.all.get(*class as usize).and_then(Option::as_ref);
                let more = letters.map_or(most, |letters| own.saturating_mul(letters.len()));
                if let (Some(sum), Some(left)) = (sums.get_mut(*to), left.get_mut(*to)) {
                    *sum = sum.saturating_add(more).min(most);
                    *left -= 1;
                    if *left == 0 {
                        pending.push(*to);
                    }
                }
            }
        }
        counts
    }

    /// Counts the texts that lead to each pair, as far as `most`.
    pub(crate) fn count(&mut self, product: &Product, most: usize, budget: &Budget) -> Result<(), Exhausted> {
        let ways: usize = self.back.iter().map(Vec::len).sum();
        budget.spend((self.pairs.len() + ways) as u64 / 2)?;
        self.most = most;
        self.counts = self.counted(product, most);
        Ok(())
    }

    /// Whether fewer texts end in some pairs than were counted.
    pub(crate) fn are_few(&self, ends: &[usize]) -> bool {
        let counts = ends.iter().filter_map(|end| self.counts.get(*end));
        let sum = counts.fold(0_usize, |sum, count| sum.saturating_add(*count));
        !self.counts.is_empty() && sum < self.most
    }

    /// Texts that end in some pairs, at most so many; and whether these are all.
    pub(crate) fn texts(
        &self,
        product: &Product,
        ends: &[usize],
        most: usize,
        budget: &Budget,
    ) -> Result<(Vec<String>, bool), Exhausted> {
        let (mut texts, mut all, mut ways) = (Vec::new(), true, 0);
        // texts from their end: the pair that is to be reached, and the letters behind it, the last first
        let mut pending: VecDeque<(usize, Vec<char>)> = ends.iter().map(|end| (*end, Vec::new())).collect();
        while let Some((place, behind)) = pending.pop_front() {
            ways += 1;
            let known = pending.len();
            if place == 0 {
                texts.push(behind.iter().rev().collect::<String>());
                if texts.len() > most {
                    return Ok((texts, false));
                }
            }
            if ways + pending.len() > WAYS_A_TEXT * most {
                // the shortest way to each place that is still to be left backwards
                let apart = (pending.len() / most.max(1)).max(1);
                let more = pending.iter().step_by(apart).take(most - texts.len());
                texts.extend(more.map(|(place, behind)| {
                    let mut text = self.word(product, *place);
                    text.extend(behind.iter().rev());
                    text
                }));
                return Ok((texts, false));
            }
            for (from, class) in self.back.get(place).into_iter().flatten() {
                let few = product.alphabet.all.get(*class as usize).and_then(Option::as_ref);
                let plain = product.alphabet.plain.get(*class as usize);
                all &= few.is_some();
                for letter in few.or(plain).into_iter().flatten() {
                    let mut longer = behind.clone();
                    longer.push(*letter);
                    pending.push_back((*from, longer));
                }
            }
            budget.spend(1 + (pending.len() - known) as u64)?;
        }
        texts.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        Ok((texts, all))
    }

    /// Texts that end in some pairs, by letters that may come any number of times, the nearest to the end first: at
    /// most so many where it is one of several letters, and as many where it is one.
    pub(crate) fn rounds(
        &self,
        product: &Product,
        ends: &[usize],
        most: usize,
        budget: &Budget,
    ) -> Result<Vec<Words>, Exhausted> {
        let mut onward: FastMap<usize, Option<(usize, u32)>> = ends.iter().map(|end| (*end, None)).collect();
        let mut pending: VecDeque<usize> = ends.iter().copied().collect();
        // those of one letter, and those of several
        let mut found: [Vec<Words>; 2] = Default::default();
        let few: Vec<String> = ends
            .iter()
            .take(FIRST)
            .map(|end| self.word(product, *end))
            .collect();
        while let Some(place) = pending.pop_front() {
            let back = self.back.get(place).map_or(&[][..], Vec::as_slice);
            budget.spend(1 + back.len() as u64 / 2)?;
            let own = back.iter().filter(|(from, _)| *from == place);
            let letters = own.filter_map(|(_, class)| product.alphabet.plain.get(*class as usize));
            let letters: Vec<String> = letters
                .flatten()
                .take(MOST_ROUNDS)
                .map(ToString::to_string)
                .collect();
            if !letters.is_empty() {
                let mut tail = String::new();
                let mut at = place;
                while let Some(Some((to, class))) = onward.get(&at) {
                    tail.extend(product.letter(*class));
                    at = *to;
                }
                let words = Words {
                    some: few.clone(),
                    rounds: Some((self.word(product, place), letters.clone(), tail)),
                };
                let [single, several] = &mut found;
                let own = if letters.len() > 1 { several } else { single };
                if own.len() < most {
                    own.push(words);
                }
            }
            if found.iter().all(|found| found.len() == most) {
                break;
            }
            for (from, class) in back {
                if !onward.contains_key(from) {
                    onward.insert(*from, Some((place, *class)));
                    pending.push_back(*from);
                }
            }
        }
        let [single, several] = found;
        Ok(several.into_iter().chain(single).collect())
    }
}
