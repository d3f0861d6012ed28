//! What is said of boxes, read back: a sentence is true of a value exactly where its atom is one of those it tells of.

use std::collections::BTreeMap;

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, Context, Operator, Variant};

use super::around::{asking, asks};
use super::of_flag;
use super::sides::{Random, Sides};
use crate::effect::atoms::{Asked, Fixed};
use crate::effect::rules::{Dimension, Rules};
use crate::effect::walk::Walk;
use crate::effect::words::{Columns, words};
use crate::{Outcome, outcome};

/// The texts of a list: "a, b or `[c]`".
fn listed(list: &str, word: &str) -> Vec<String> {
    let commas = list.replace(&format!(" {word} "), ", ");
    commas.split(", ").map(|text| text.replace('`', "")).collect()
}

/// Reads conditions, and asks the engine whether they hold.
#[derive(Default)]
struct Reader {
    asked: BTreeMap<(String, String), bool>,
}

impl Reader {
    /// Whether a sentence is true of a value; of no value, of the empty one.
    fn is_true(&mut self, sentence: &str, value: &str) -> bool {
        let (_, said) = sentence.split_once(' ').unwrap();
        said.split(", or ").any(|one| match one {
            "is unset" => value.is_empty(),
            _ => !value.is_empty() && one.split(" and ").all(|it| self.holds(it, value)),
        })
    }

    fn holds(&mut self, said: &str, value: &str) -> bool {
        let key = (said.to_owned(), value.to_owned());
        *self.asked.entry(key).or_insert_with(|| {
            let Some((constraint, wanted)) = constraint(said) else {
                return said == "is set";
            };
            let sides = Sides::new((Default::default(), asking(vec![constraint])));
            let [_, after] = sides.both();
            let context = Context::default().with("name", value);
            (outcome(after, "f", &context, &sides.comparison().ambient) == Outcome::On(None)) == wanted
        })
    }
}

/// The constraint that a condition is, and whether it must hold; `None` where it asks for a value only.
fn constraint(said: &str) -> Option<(Constraint, bool)> {
    use Operator::{
        DateAfter, DateBefore, InCidr, NumEq, NumGt, NumGte, NumLt, NumLte, Regex, SemverEq, SemverGt,
        SemverGte, SemverLt, SemverLte, StrContains, StrEndsWith, StrStartsWith,
    };
    if said == "is set" {
        return None;
    }
    let of_list = |operator: Operator, list: &str, word: &str| {
        let mut made = Constraint::new("name", operator);
        let (list, case) = list
            .strip_suffix(" in any case")
            .map_or((list, false), |list| (list, true));
        made.values = listed(list, word);
        made.case_insensitive = Some(case);
        made
    };
    let looks = [
        ("starts with ", "does not start with ", StrStartsWith),
        ("ends with ", "does not end with ", StrEndsWith),
        ("contains ", "does not contain ", StrContains),
        ("is in ", "is not in ", InCidr),
    ];
    for (yes, no, operator) in looks {
        for (verb, wanted) in [(yes, true), (no, false)] {
            if let Some(list) = said.strip_prefix(verb) {
                return Some((of_list(operator, list, "or"), wanted));
            }
        }
    }
    for (verb, wanted) in [("matches /", true), ("does not match /", false)] {
        if let Some(rest) = said.strip_prefix(verb) {
            let (pattern, case) = rest.rsplit_once('/').unwrap();
            let mut made = asks(Regex, pattern);
            made.case_insensitive = Some(case == " in any case");
            return Some((made, wanted));
        }
    }
    let compared = [
        ("the number ", NumEq),
        ("above version ", SemverGt),
        ("at least version ", SemverGte),
        ("below version ", SemverLt),
        ("at most version ", SemverLte),
        ("version ", SemverEq),
        ("above ", NumGt),
        ("at least ", NumGte),
        ("below ", NumLt),
        ("at most ", NumLte),
        ("after ", DateAfter),
        ("before ", DateBefore),
    ];
    for (is, operator) in compared {
        for (verb, wanted) in [("is ", true), ("is not ", false)] {
            if let Some(value) = said.strip_prefix(verb).and_then(|said| said.strip_prefix(is)) {
                return Some((asks(operator, value), wanted));
            }
        }
    }
    if let Some(list) = said.strip_prefix("is neither ") {
        return Some((of_list(Operator::In, list, "nor"), false));
    }
    if let Some(text) = said.strip_prefix("is not ") {
        return Some((of_list(Operator::In, text, "or"), false));
    }
    let list = said
        .strip_prefix("is ")
        .unwrap_or_else(|| panic!("what is {said:?}?"));
    Some((of_list(Operator::In, list, "or"), true))
}

/// Operators with values to ask of, and values to try besides.
fn kinds() -> Vec<(Vec<Operator>, Vec<&'static str>, Vec<&'static str>)> {
    use Operator::*;
    vec![
        (
            vec![In, NotIn, StrStartsWith, StrEndsWith, StrContains],
            vec!["NO", "SE", "NOR", "no", "S", "E", "ORSE", " SE ", ""],
            vec!["x", "NO-1", "1-SE", "seno", "ENORM"],
        ),
        (
            vec![In, NumEq, NumGt, NumGte, NumLt, NumLte],
            vec!["1", "2", "5", "-3", "0.5"],
            vec!["1.0", "3", "9", "-9", "x", "0.7"],
        ),
        (
            vec![NotIn, SemverEq, SemverGt, SemverGte, SemverLt, SemverLte],
            vec!["1.0.0", "1.2.0", "2.0.0-beta", "2.0.0"],
            vec!["1.0.1", "1.2.0+b", "3.0.0", "0.1.0", "2.0.0-a", "x"],
        ),
        (
            vec![In, DateAfter, DateBefore],
            vec!["2024-01-01T00:00:00Z", "2024-06-01T12:00:00Z"],
            vec![
                "2024-01-01T00:00:00.000000001Z",
                "2025-01-01T00:00:00Z",
                "2023-01-01T00:00:00+02:00",
                "x",
            ],
        ),
        (
            vec![In, InCidr],
            vec!["10.0.0.0/30", "10.0.0.1", "10.0.0.0/8", "fd00::/16"],
            vec![
                "10.0.0.2", "10.0.0.4", "10.9.9.9", "11.0.0.0", "fd00::1", "fd01::1", "x",
            ],
        ),
        (
            vec![Regex, In],
            vec!["^a+$", "a", "b$", "[ab]"],
            vec!["aa", "ab", "b", "A", "xay", "B", "bb"],
        ),
    ]
}

#[test]
fn a_sentence_is_true_of_exactly_the_values_that_it_tells_of() {
    let mut random = Random(4);
    let mut reader = Reader::default();
    let budget = Budget::unlimited();
    let (mut read, mut vague) = (0, 0);
    for round in 0..72 {
        let all = kinds();
        let (operators, values, others) = &all[round % all.len()];
        let (field, list) = match operators.contains(&Operator::InCidr) {
            true => ("remoteAddress", "remoteAddress"),
            false => ("userId", "userWithId"),
        };
        let strategies = (0..random.below(3) + 1).map(|number| {
            let mut strategy = ActivationStrategy::new(format!("s{number}"), "default");
            let count = random.below(2) + 1;
            strategy.constraints = (0..count)
                .map(|_| Constraint {
                    context_name: field.to_owned(),
                    ..drawn(operators, values, &mut random)
                })
                .collect();
            if random.below(4) == 0 {
                strategy.name = list.to_owned();
                let texts = [(); 3].map(|()| *random.one_of::<&str>(values));
                for parameter in ["userIds", "IPs"] {
                    strategy.parameters.insert(parameter.to_owned(), texts.join(", "));
                }
            }
            strategy
        });
        let sides = Sides::new((Default::default(), of_flag(strategies.collect())));
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
        assert_eq!(
            rules.dimensions[made.dimension],
            Dimension::Field(field.to_owned())
        );
        let columns = Columns::new(&made.atoms);
        let count = made.atoms.list.len();
        for _ in 0..12 {
            let chosen: Vec<u32> = (0..count as u32).filter(|_| random.below(2) == 0).collect();
            if chosen.is_empty() || chosen.len() == count {
                continue;
            }
            let said = words(&rules, made.dimension, &made.atoms, &columns, &chosen);
            if said.contains("another text") {
                vague += 1;
                continue;
            }
            read += 1;
            for value in values.iter().chain(others).copied().chain([""]) {
                let context = Context::default().with(field, value);
                let ambient = sides.comparison().ambient;
                let atom = walk
                    .atom(made.dimension, &made.atoms, &context, &ambient)
                    .unwrap();
                let inside = chosen.contains(&(atom.unwrap() as u32));
                let flags = &sides.after.flags;
                assert_eq!(
                    reader.is_true(&said, value),
                    inside,
                    "{value}: {said}\n{flags:#?}"
                );
            }
        }
    }
    println!("{read} read, {vague} vague");
    assert!(read > 20 * vague && read > 300, "{read} {vague}");
}

fn drawn(operators: &[Operator], values: &[&str], random: &mut Random) -> Constraint {
    let operator = random.one_of(operators).clone();
    let mut made = asks(operator.clone(), random.one_of::<&str>(values));
    if made.value.is_none() && random.below(2) == 0 {
        made.values.push((*random.one_of(values)).to_owned());
    }
    made.inverted = Some(random.below(3) == 0);
    let any_case = [
        Operator::StrStartsWith,
        Operator::StrEndsWith,
        Operator::StrContains,
        Operator::Regex,
    ];
    made.case_insensitive = Some(any_case.contains(&operator) && random.below(3) == 0);
    made
}

/// The numbers of the buckets that a list of ranges tells of, and of how many: `1 to 30 and 41 of 1000`.
fn buckets(said: &str) -> (Vec<u64>, u64) {
    let (ranges, of) = match said.split_once(" of ") {
        Some((ranges, of)) => (ranges, of.parse::<u64>().unwrap()),
        None => (said, 100),
    };
    let of_range = |range: String| {
        let (first, last) = range.split_once(" to ").unwrap_or((&range, &range));
        first.parse::<u64>().unwrap()..=last.parse::<u64>().unwrap()
    };
    (listed(ranges, "and").into_iter().flat_map(of_range).collect(), of)
}

#[test]
fn a_sentence_names_exactly_the_buckets_whose_users_it_tells_of() {
    let mut random = Random(6);
    let budget = Budget::unlimited();
    for round in 0..30 {
        let of_variants = round % 2 == 1;
        let strategies = (0..random.below(3) + 1).map(|number| {
            let rollout = if of_variants { 100 } else { random.below(98) + 1 };
            let mut strategy = ActivationStrategy::new(format!("s{number}"), "flexibleRollout")
                .with_parameter("rollout", rollout.to_string())
                .with_parameter("stickiness", "userId")
                .with_parameter("groupId", "g");
            if of_variants {
                let weights = [1 + random.below(8) as u32, 2, 3, 4];
                let rest = 20 - weights.iter().sum::<u32>();
                strategy.variants = weights
                    .into_iter()
                    .chain([rest])
                    .zip(["a", "b", "c", "d", "e"])
                    .map(|(weight, name)| Variant::new(name, weight))
                    .collect();
            }
            strategy
        });
        let sides = Sides::new((Default::default(), of_flag(strategies.collect())));
        let rules = Rules::of(sides.both(), &"f".into());
        let asked = Asked {
            flag: &"f".into(),
            rules: &rules,
            fixed: &Fixed::default(),
            budget: &budget,
        };
        let mut walk = Walk::<1>::new(&asked);
        let is_hash = |number: &usize| matches!(rules.dimensions[*number], Dimension::Hash { .. });
        let level = walk.order.iter().position(is_hash).unwrap();
        walk.fill(level).unwrap();
        let made = walk.levels[level].as_ref().unwrap();
        let columns = Columns::new(&made.atoms);
        let count = made.atoms.list.len();
        for _ in 0..6 {
            let chosen: Vec<u32> = (0..count as u32).filter(|_| random.below(2) == 0).collect();
            if chosen.is_empty() {
                continue;
            }
            let said = words(&rules, made.dimension, &made.atoms, &columns, &chosen);
            let kind = if of_variants { "variant buckets" } else { "buckets" };
            let ranges = said.strip_prefix(&format!("userId in {kind} "));
            let ranges = ranges.and_then(|rest| rest.strip_suffix(" of g")).unwrap();
            let (named, of) = buckets(ranges);
            assert_eq!(of, if of_variants { 20 } else { 100 }, "{said}");
            assert!(named.is_sorted_by(|one, next| one < next), "{said}");
            // neighbours are told as one range
            let whole = ranges.split_once(" of ").map_or(ranges, |(ranges, _)| ranges);
            let gaps = named.windows(2).filter(|two| two[0] + 1 < two[1]).count();
            assert_eq!(listed(whole, "and").len(), gaps + 1, "{said}");
            for user in 0..60 {
                let user = user.to_string();
                let context = Context::default().with("userId", user.as_str());
                let atom = walk
                    .atom(made.dimension, &made.atoms, &context, &sides.comparison().ambient)
                    .unwrap();
                let seed = if of_variants { 86_028_157 } else { 0 };
                let hash = murmur3::murmur3_32(&mut format!("g:{user}").as_bytes(), seed).unwrap();
                let bucket = u64::from(hash) % of + 1;
                let inside = chosen.contains(&(atom.unwrap() as u32));
                assert_eq!(named.contains(&bucket), inside, "{user} in {bucket}: {said}");
            }
        }
    }
}
