//! What is left of rules, compared with what both sides decide for all answers that are still open.

use std::collections::BTreeMap;

use super::*;
use crate::effect::rules::{Literal, Test};
use crate::effect::tests::sides::Random;

/// Each level asks so many literals: those of level 0 are 0 and 1.
const EACH: usize = 2;
const LEVELS: usize = 4;
/// The last two levels are hashes of two fields.
const HASHED: [Option<u32>; LEVELS] = [None, None, Some(0), Some(1)];

/// Where a walk stands.
#[derive(Debug)]
struct At {
    level: usize,
    pinned: u64,
    alive: Set<1>,
}

impl At {
    /// Whether a literal is still to be asked.
    fn is_open(&self, literal: usize) -> bool {
        let level = literal / EACH;
        let is_settled = HASHED[level].is_some_and(|number| self.pinned >> number & 1 == 1);
        level >= self.level && !is_settled
    }

    /// What a list gives where these literals hold.
    fn first(&self, list: &List, rules: &Rules<'_>, holding: u32) -> u32 {
        let holds = |rule: usize| {
            let mut open = rules.conjunctions[rule]
                .iter()
                .filter(|literal| self.is_open(**literal));
            self.alive.contains(rule) && open.all(|literal| holding >> literal & 1 == 1)
        };
        let mut own = list.rules.iter();
        own.find(|(rule, _)| holds(*rule))
            .map_or(list.otherwise, |(_, value)| *value)
    }

    fn decides(&self, side: &SideRules, rules: &Rules<'_>, holding: u32) -> u32 {
        let mut parents = side.parents.iter();
        match parents.any(|parent| self.first(parent, rules, holding) == 0) {
            true => OFF,
            false => self.first(&side.own, rules, holding),
        }
    }

    /// What both sides decide, for all answers.
    fn decisions(&self, sides: &[SideRules; 2], rules: &Rules<'_>) -> Vec<[u32; 2]> {
        let all = 0..1_u32 << (EACH * LEVELS);
        all.map(|holding| sides.each_ref().map(|side| self.decides(side, rules, holding)))
            .collect()
    }
}

fn drawn_list(count: usize, values: u32, random: &mut Random) -> List {
    let mut rules: Vec<(usize, u32)> = Vec::new();
    for _ in 0..random.below(5) {
        let rule = random.below(count);
        if rules.iter().all(|(known, _)| *known != rule) {
            rules.push((rule, random.below(values as usize) as u32));
        }
    }
    let otherwise = random.below(values as usize) as u32;
    List { rules, otherwise }
}

/// Sides that are often much alike.
fn drawn_sides(count: usize, random: &mut Random) -> [SideRules; 2] {
    let side = |random: &mut Random| SideRules {
        own: drawn_list(count, 3, random),
        parents: (0..random.below(3))
            .map(|_| drawn_list(count, 2, random))
            .collect(),
    };
    let before = side(random);
    let mut after = before.clone();
    match random.below(3) {
        0 => after = side(random),
        1 => after.own = drawn_list(count, 3, random),
        _ => after.parents.reverse(),
    }
    [before, after]
}

fn drawn_rules(random: &mut Random) -> Rules<'static> {
    let literal = |number: usize| Literal {
        dimension: number / EACH,
        test: Test::Says,
        probe: None,
    };
    let mut rules = Rules::default();
    rules.literals = (0..EACH * LEVELS).map(literal).collect();
    for _ in 0..8 {
        let mut own: Vec<usize> = (0..random.below(4))
            .map(|_| random.below(EACH * LEVELS))
            .collect();
        own.sort_unstable();
        own.dedup();
        if !rules.conjunctions.contains(&own) {
            rules.conjunctions.push(own);
        }
    }
    rules
}

fn drawn_place(count: usize, random: &mut Random) -> At {
    let mut alive = Set::EMPTY;
    for rule in (0..count).filter(|_| random.below(4) > 0) {
        alive.insert(rule);
    }
    At {
        level: random.below(LEVELS + 1),
        pinned: random.below(4) as u64,
        alive,
    }
}

#[test]
fn what_is_left_is_what_both_sides_decide_and_equal_remainders_decide_the_same() {
    let mut random = Random(1);
    let (mut same, mut decided, mut open, mut again) = (0, 0, 0, 0);
    for _ in 0..120 {
        let rules = drawn_rules(&mut random);
        let count = rules.conjunctions.len();
        let sides = drawn_sides(count, &mut random);
        let mut remainders = Remainders::new(&rules, (0..LEVELS).collect(), HASHED.to_vec());
        let mut known: BTreeMap<Vec<u32>, Vec<[u32; 2]>> = BTreeMap::new();
        for _ in 0..24 {
            let at = drawn_place(count, &mut random);
            let (what, used) = remainders.of(&sides, &at.alive, at.level, at.pinned);
            let key = remainders.key().to_vec();
            let decisions = at.decisions(&sides, &rules);
            let told = || format!("{at:?} {sides:?} {:?}", rules.conjunctions);
            match what {
                Remaining::Same => {
                    assert!(decisions.iter().all(|[was, is]| was == is), "{}", told());
                    same += 1;
                }
                Remaining::Decided(was, is) => {
                    assert!(decisions.iter().all(|both| *both == [was, is]), "{}", told());
                    decided += 1;
                }
                Remaining::Open(next) => {
                    let asks = |literal: usize| literal / EACH == next && at.is_open(literal);
                    let mut own = (0..count).filter(|rule| used.contains(*rule));
                    let is_asked = own.any(|rule| rules.conjunctions[rule].iter().any(|one| asks(*one)));
                    assert!(is_asked, "{next} {}", told());
                    // whatever is said of what comes before makes no difference
                    let before = (1_usize << (EACH * next)) - 1;
                    for holding in 0..decisions.len() {
                        assert_eq!(
                            decisions[holding],
                            decisions[holding & !before],
                            "{next} {}",
                            told()
                        );
                    }
                    open += 1;
                }
            }
            let is_left = |rule: usize| {
                let mut own = rules.conjunctions[rule].iter();
                at.alive.contains(rule) && own.any(|literal| at.is_open(*literal))
            };
            let is_open = matches!(what, Remaining::Open(_));
            assert!(!is_open || (0..count).any(is_left), "{}", told());
            again += usize::from(is_open && known.contains_key(&key));
            assert_eq!(
                known.entry(key.clone()).or_insert_with(|| decisions.clone()),
                &decisions,
                "{}",
                told()
            );
            let (middle, lists) = key.split_last().unwrap();
            for lists in <[&[u32]; 2]>::from(lists.split_at(*middle as usize)) {
                assert!(is_plain(lists), "{key:?} {}", told());
            }
            // nothing follows from the other rules
            assert_eq!(used.without(&at.alive), Set::EMPTY, "{}", told());
            let others = at.alive.without(&used);
            let mut some = used;
            others
                .iter()
                .filter(|_| random.below(2) == 0)
                .for_each(|rule| some.insert(rule));
            for alive in [used, some] {
                remainders.of(&sides, &alive, at.level, at.pinned);
                assert_eq!(remainders.key(), key, "{}", told());
            }
            let [was, is] = other_way(&sides, &mut random);
            remainders.of(&[was, is], &at.alive, at.level, at.pinned);
            assert_eq!(remainders.key(), key, "{}", told());
        }
    }
    println!("{same} same, {decided} decided, {open} open, {again} of them again");
    assert!(same > 200 && decided > 200 && open > 200 && again > 50);
}

/// The same sides, written in another way: neighbours of one value exchanged, a parent named twice, and others before
/// those that came first.
fn other_way(sides: &[SideRules; 2], random: &mut Random) -> [SideRules; 2] {
    let exchanged = |list: &mut List| {
        for run in list.rules.chunk_by_mut(|one, other| one.1 == other.1) {
            run.reverse();
        }
    };
    let mut sides = sides.clone();
    for side in &mut sides {
        exchanged(&mut side.own);
        side.parents.iter_mut().for_each(exchanged);
        side.parents.reverse();
        let twice = (!side.parents.is_empty()).then(|| random.one_of(&side.parents).clone());
        side.parents.extend(twice);
    }
    sides
}

/// Whether no rule is left that never decides: behind one of which the same is left, or last with the value that the
/// list has anyway; `[u32::MAX, value]` is a decision.
fn is_plain(mut lists: &[u32]) -> bool {
    while let [otherwise, count, rest @ ..] = lists {
        if *otherwise == u32::MAX {
            return rest.is_empty();
        }
        let (own, behind) = rest.split_at(2 * *count as usize);
        let mut left: Vec<u32> = own.chunks(2).map(|rule| rule[1]).collect();
        left.sort_unstable();
        if left.windows(2).any(|two| two[0] == two[1])
            || own.chunks(2).last().is_some_and(|it| it[0] == *otherwise)
        {
            return false;
        }
        lists = behind;
    }
    true
}
