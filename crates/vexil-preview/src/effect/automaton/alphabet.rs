//! Letters, put together where no expression tells them apart.

use regex_syntax::hir::ClassUnicode;

use crate::effect::fast::FastMap;

/// So many letters of a class are kept to write texts with.
const PLAIN: usize = 12;
/// The letters of ASCII that can be seen, the plainest first.
const PLAINEST: &str = concat!(
    "abcdefghijklmnopqrstuvwxyz0123456789-_~ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    r##"!"#$%&'()*+,./:;<=>?@[\]^`{|}"##,
);
/// All letters of a class are listed where there are no more.
const FEW: usize = 256;

/// Classes of letters, by number.
pub(super) struct Alphabet {
    /// Where a run of letters starts, with its class; ascending. Surrogates are in none.
    runs: Vec<(u32, Option<usize>)>,
    /// A few letters of each class, the plainest first.
    pub(super) plain: Vec<Vec<char>>,
    /// All letters of each class, where they are few.
    pub(super) all: Vec<Option<Vec<char>>>,
}

impl Alphabet {
    /// The classes that these sets of letters tell apart, and for each set the classes in it.
    pub(super) fn new(sets: &[ClassUnicode]) -> (Self, Vec<Vec<usize>>) {
        // letters that constraints and people write are told apart from all others in any case
        let mut cuts = vec![0, 0xd800, 0xe000, 0x11_0000];
        for range in sets.iter().flat_map(ClassUnicode::ranges) {
            cuts.push(range.start() as u32);
            cuts.push(range.end() as u32 + 1);
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); cuts.len()];
        for (number, set) in (0..).zip(sets) {
            for range in set.ranges() {
                let from = cuts.partition_point(|cut| *cut < range.start() as u32);
                let to = cuts.partition_point(|cut| *cut <= range.end() as u32);
                for run in members.get_mut(from..to).into_iter().flatten() {
                    run.push(number);
                }
            }
        }
        let mut known: FastMap<Vec<u32>, usize> = FastMap::default();
        let mut runs: Vec<(u32, Option<usize>)> = Vec::with_capacity(cuts.len());
        let mut classes = vec![Vec::new(); sets.len()];
        let mut counts: Vec<u32> = Vec::new();
        for (place, (start, inside)) in cuts.iter().zip(members).enumerate() {
            let end = cuts.get(place + 1).copied().unwrap_or(*start);
            if char::from_u32(*start).is_none() || end == *start {
                runs.push((*start, None));
                continue;
            }
            let class = match known.get(&inside) {
                Some(class) => *class,
                None => {
                    for set in &inside {
                        if let Some(classes) = classes.get_mut(*set as usize) {
                            classes.push(counts.len());
                        }
                    }
                    known.insert(inside, counts.len());
                    counts.push(0);
                    counts.len() - 1
                }
            };
            if let Some(count) = counts.get_mut(class) {
                *count += end - start;
            }
            runs.push((*start, Some(class)));
        }
        let mut alphabet = Self {
            runs,
            plain: vec![Vec::new(); counts.len()],
            all: vec![None; counts.len()],
        };
        alphabet.name(&counts);
        (alphabet, classes)
    }

    fn name(&mut self, counts: &[u32]) {
        for letter in PLAINEST.chars() {
            let class = self.class(letter);
            if let Some(plain) = class.and_then(|class| self.plain.get_mut(class))
                && plain.len() < PLAIN
            {
                plain.push(letter);
            }
        }
        let ends = self
            .runs
            .iter()
            .skip(1)
            .map(|(start, _)| *start)
            .chain([0x11_0000]);
        for ((start, class), end) in self.runs.iter().zip(ends) {
            let Some(class) = *class else { continue };
            let letters = || (*start..end).filter_map(char::from_u32);
            if let Some(plain) = self.plain.get_mut(class) {
                let left = PLAIN - plain.len();
                let more: Vec<char> = letters()
                    .filter(|letter| !plain.contains(letter))
                    .take(left)
                    .collect();
                plain.extend(more);
            }
            if counts.get(class).is_some_and(|count| *count as usize <= FEW)
                && let Some(all) = self.all.get_mut(class)
            {
                all.get_or_insert_default().extend(letters());
            }
        }
    }

    /// How many classes there are.
    pub(super) fn len(&self) -> usize {
        self.plain.len()
    }

    /// The class of a letter.
    pub(super) fn class(&self, letter: char) -> Option<usize> {
        let place = self.runs.partition_point(|(start, _)| *start <= letter as u32);
        self.runs.get(place.checked_sub(1)?)?.1
    }
}
