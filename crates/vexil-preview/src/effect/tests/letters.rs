//! Conditions on letters: each short text is in an atom, and texts of an atom are told apart by none of them.

use std::collections::BTreeSet;

use vexil_budget::Budget;
use vexil_domain::{Constraint, Context, Operator};

use super::around::{asking, asks};
use super::sides::{Random, Sides, asked_for};
use crate::effect::atoms::{Asked, Fixed, Part};
use crate::effect::probe::Sample;
use crate::effect::rules::Rules;
use crate::effect::walk::Walk;

const LETTERS: [&str; 5] = ["a", "b", "A", "B", "-"];

/// All texts of up to four of the letters, but that of none.
fn short() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut first = 0;
    for _ in 0..4 {
        let last = all.len();
        for place in first..last {
            all.extend(LETTERS.map(|letter| format!("{}{letter}", all[place])));
        }
        first = last;
    }
    all.split_off(1)
}

fn drawn(random: &mut Random) -> Constraint {
    let operators = [
        Operator::StrStartsWith,
        Operator::StrEndsWith,
        Operator::StrContains,
        Operator::In,
    ];
    let operator = random.one_of(&operators).clone();
    let text = |random: &mut Random| -> String {
        (0..random.below(3) + 1)
            .map(|_| *random.one_of(&LETTERS))
            .collect()
    };
    let mut made = asks(operator.clone(), &text(random));
    if random.below(2) == 0 {
        made.values.push(text(random));
    }
    made.case_insensitive = Some(operator != Operator::In && random.below(3) == 0);
    made.inverted = Some(random.below(4) == 0);
    made
}

/// Whether a constraint holds for a text, as its operator says.
fn holds(constraint: &Constraint, text: &str) -> bool {
    let fold = |text: &str| match constraint.is_case_insensitive() {
        true => text.to_lowercase(),
        false => text.to_owned(),
    };
    let own = fold(text);
    let found = constraint
        .values
        .iter()
        .map(|value| fold(value))
        .any(|value| match constraint.operator {
            Operator::StrStartsWith => own.starts_with(&value),
            Operator::StrEndsWith => own.ends_with(&value),
            Operator::StrContains => own.contains(&value),
            _ => own == value,
        });
    found != constraint.is_inverted()
}

#[test]
fn each_short_text_is_in_the_atom_of_its_answers_and_so_are_all_texts_of_an_atom() {
    let mut random = Random(asked_for("SEED", 5));
    let budget = Budget::unlimited();
    let short = short();
    let (mut atoms, mut found) = (0, 0);
    for _ in 0..asked_for("CHANGES", 60) {
        let constraints: Vec<Constraint> = (0..random.below(4) + 1).map(|_| drawn(&mut random)).collect();
        let sides = Sides::new((Default::default(), asking(constraints)));
        let rules = Rules::of(sides.both(), &"f".into());
        let asked = Asked {
            flag: &"f".into(),
            rules: &rules,
            fixed: &Fixed::default(),
            budget: &budget,
        };
        let mut walk = Walk::<1>::new(&asked);
        walk.fill(0).unwrap();
        let made = walk.levels[0].as_ref().unwrap();
        assert!(made.atoms.undecided.is_empty());
        let ambient = sides.comparison().ambient;
        let flag = &sides.after.flags.values().next().unwrap().settings;
        let constraints = &flag.strategies[0].constraints;
        let answers = |text: &str| -> BTreeSet<(String, bool)> {
            let one = |it: &Constraint| (format!("{it:?}"), holds(it, text));
            constraints.iter().map(one).collect()
        };
        let mut reached = BTreeSet::new();
        let mut of_atom = vec![None; made.atoms.list.len()];
        let mut put = |place: usize, text: &str| {
            let own = answers(text);
            let known = of_atom[place].get_or_insert_with(|| own.clone());
            assert_eq!(*known, own, "{text} {constraints:#?}");
        };
        for text in &short {
            let context = Context::default().with("name", text.as_str());
            let place = walk.atom(0, &made.atoms, &context, &ambient).unwrap().unwrap();
            put(place, text);
            reached.insert(place);
        }
        for (place, atom) in made.atoms.list.iter().enumerate() {
            let samples = atom.parts.iter().filter_map(|(_, sample)| match sample {
                Sample::Text(text) => Some(text.clone()),
                _ => None,
            });
            let more = atom.parts.iter().flat_map(|(part, _)| match part {
                Part::Texts(skeleton) => (0..12).map(|number| skeleton.text(number)).collect(),
                Part::Matching(words) | Part::Among(words) => words.texts().take(12).collect(),
                Part::Listed(text) => vec![text.clone()],
                _ => Vec::new(),
            });
            samples.chain(more).for_each(|text| put(place, &text));
        }
        // no two atoms are alike
        let distinct: BTreeSet<_> = of_atom.iter().flatten().collect();
        assert_eq!(
            distinct.len(),
            of_atom.iter().flatten().count(),
            "{constraints:#?}"
        );
        atoms += of_atom.len();
        found += reached.len();
    }
    println!("{atoms} atoms, {found} of them of short texts");
    assert!(found * 2 > atoms, "{atoms} {found}");
}
