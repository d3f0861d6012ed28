//! Equal effects have equal digests, whatever the edits were; others have others.

use std::collections::{BTreeMap, BTreeSet};

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, Context, Operator};

use super::around::asks;
use super::of_flag;
use super::sides::{Random, Sides, asked_for};
use crate::outcome::outcome;

/// Constraints that must all hold; in each list for one strategy.
type Asked = Vec<Vec<Constraint>>;

/// The digest of what it does to switch these strategies on.
fn digest(asked: &Asked) -> [u8; 32] {
    let strategies = asked.iter().enumerate().map(|(number, constraints)| {
        let mut strategy = ActivationStrategy::new(format!("s{number}"), "default");
        strategy.constraints.clone_from(constraints);
        strategy
    });
    let nobody = ActivationStrategy::new("n", "flexibleRollout").with_parameter("rollout", "0");
    let sides = Sides::new((of_flag(vec![nobody]), of_flag(strategies.collect())));
    let effect = sides
        .comparison()
        .effect(&["f".into()], &[], &Budget::unlimited());
    let digest = effect.flags.first().and_then(|flag| flag.digest);
    digest.unwrap_or_else(|| panic!("{asked:?}: {effect:#?}"))
}

#[test]
fn equal_effects_have_equal_digests_and_others_have_others() {
    use Operator::{
        DateAfter, DateBefore, In, InCidr, NotIn, NumEq, NumGt, NumGte, SemverEq, SemverLt, StrStartsWith,
    };
    let one = |operator, value: &str| vec![asks(operator, value)];
    let both =
        |one: (Operator, &str), other: (Operator, &str)| vec![asks(one.0, one.1), asks(other.0, other.1)];
    let letters = || -> Asked {
        let starts = (0..70).map(|number| format!("k{number}-"));
        starts.map(|start| one(StrStartsWith, &start)).collect()
    };
    // in each row one effect, by different edits
    let rows: Vec<Vec<Asked>> = vec![
        vec![
            vec![one(In, "a")],
            vec![both((In, "a,c"), (NotIn, "c"))],
            // a date is no `a`
            vec![one(In, "a"), both((In, "a"), (DateAfter, "2024-07-01"))],
            vec![one(In, "a"), both((In, "a"), (NumGt, "7"))],
        ],
        vec![vec![one(In, "c")], vec![both((In, "a,c"), (NotIn, "a"))]],
        vec![vec![one(In, "a,b")], vec![one(In, "b"), one(In, "a")]],
        vec![
            vec![one(InCidr, "10.0.0.0/8")],
            vec![one(InCidr, "10.128.0.0/9"), one(InCidr, "10.0.0.0/9")],
            vec![one(InCidr, "10.0.0.0/8,10.1.2.3")],
            // some of the blocks lie between others that fare alike
            vec![one(InCidr, "10.0.0.0/8"), one(InCidr, "10.1.0.0/16")],
        ],
        vec![vec![one(InCidr, "10.0.0.0/9")]],
        vec![vec![one(InCidr, "10.128.0.0/9")]],
        vec![
            vec![one(NumGte, "5")],
            vec![one(NumGte, "5"), one(NumGt, "7")],
            vec![one(NumGte, "5"), one(NumEq, "7"), one(NumEq, "9")],
        ],
        vec![vec![one(NumGt, "5")], vec![one(NumGt, "5"), one(NumGt, "6")]],
        vec![
            vec![one(DateAfter, "2024-07-01")],
            vec![
                one(DateAfter, "2024-07-01T00:00:00Z"),
                one(DateAfter, "2024-07-02"),
            ],
        ],
        vec![vec![one(DateBefore, "2024-07-01")]],
        vec![
            vec![one(SemverLt, "2.0.0")],
            vec![one(SemverLt, "1.0.0"), one(SemverLt, "2.0.0")],
            vec![one(SemverLt, "2.0.0"), one(SemverEq, "1.2.3")],
        ],
        vec![
            letters(),
            [letters(), vec![one(StrStartsWith, "k1-x")]].concat(),
            letters().into_iter().rev().collect(),
        ],
        vec![letters().split_off(1)],
        vec![letters()[..69].to_vec()],
    ];
    let mut known = BTreeSet::new();
    for row in &rows {
        let digests: BTreeSet<[u8; 32]> = row.iter().map(digest).collect();
        assert_eq!(digests.len(), 1, "{row:?}");
        for digest in digests {
            assert!(known.insert(digest), "{row:?}");
        }
    }
}

const FIELDS: [&str; 3] = ["plan", "tenant", "userId"];

/// A strategy that asks up to two fields, and perhaps the bucket of another, as `hashed` says.
fn strategy(hashed: &str, random: &mut Random) -> ActivationStrategy {
    let mut strategy = match random.below(2) {
        0 => ActivationStrategy::new("s", "default"),
        _ => ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", *random.one_of(&["30", "60", "100"]))
            .with_parameter("stickiness", hashed)
            .with_parameter("groupId", "g"),
    };
    for _ in 0..random.below(3) {
        strategy.constraints.push(listed(random));
    }
    strategy
}

fn listed(random: &mut Random) -> Constraint {
    let mut constraint = Constraint::new(
        *random.one_of(&FIELDS),
        random.one_of(&[Operator::In, Operator::NotIn]).clone(),
    );
    let values = *random.one_of(&[&["a"][..], &["b"], &["a", "b"]]);
    constraint.values = values.iter().map(|value| (*value).to_owned()).collect();
    constraint
}

/// The same strategies in another order, and beside each perhaps one that lets in some of those that it does.
fn said_otherwise(strategies: &[ActivationStrategy], random: &mut Random) -> Vec<ActivationStrategy> {
    let mut all = Vec::new();
    for strategy in strategies {
        all.insert(random.below(all.len() + 1), strategy.clone());
        if random.below(2) == 0 {
            let mut narrower = strategy.clone();
            narrower.constraints.push(listed(random));
            all.insert(random.below(all.len() + 1), narrower);
        }
    }
    all
}

/// Values of a field of which each is decided for itself: listed ones, one of each bucket, and none.
fn values(random: &mut Random) -> Vec<String> {
    let mut all = vec![String::new(), "a".to_owned(), "b".to_owned()];
    for bucket in [0..30, 30..60, 60..100] {
        let mut texts = std::iter::repeat_with(|| format!("u{}", random.below(100_000)));
        let own = |text: &String| {
            let hash = murmur3::murmur3_32(&mut std::io::Cursor::new(format!("g:{text}")), 0);
            bucket.contains(&(hash.unwrap() % 100))
        };
        all.extend(texts.find(own));
    }
    all
}

/// Of each combination of values, in their order, whether it is switched on or off.
fn what_becomes(sides: &Sides, [one, two, three]: &[Vec<String>; 3]) -> String {
    let ambient = sides.comparison().ambient;
    let mut told = String::new();
    for one in one {
        for two in two {
            for three in three {
                let mut context = Context::default();
                for (field, value) in FIELDS.iter().zip([one, two, three]) {
                    context.set(field, value.as_str());
                }
                let [was, is] = sides.both().map(|side| outcome(side, "f", &context, &ambient));
                told.push(match (was == is, is == crate::Outcome::Off) {
                    (true, _) => '.',
                    (_, true) => '-',
                    _ => '+',
                });
            }
        }
    }
    told
}

#[test]
fn a_digest_tells_a_change_by_what_becomes_of_every_context() {
    let mut random = Random(asked_for("SEED", 43));
    let mut by_effect: BTreeMap<String, [u8; 32]> = BTreeMap::new();
    let mut by_digest: BTreeMap<[u8; 32], String> = BTreeMap::new();
    for hashed in FIELDS {
        let each = FIELDS.map(|_| values(&mut random));
        for _ in 0..asked_for("CHANGES", 60) {
            let mut side = || -> Vec<ActivationStrategy> {
                (0..random.below(3))
                    .map(|_| strategy(hashed, &mut random))
                    .collect()
            };
            let (before, after) = (side(), side());
            for _ in 0..2 {
                let [before, after] =
                    [&before, &after].map(|side| of_flag(said_otherwise(side, &mut random)));
                let sides = Sides::new((before, after));
                let comparison = sides.comparison();
                let effect = comparison.effect(&["f".into()], &[], &Budget::unlimited());
                let digest = effect.flags[0].digest.unwrap_or_else(|| panic!("{effect:#?}"));
                let told = format!("{hashed}{}", what_becomes(&sides, &each));
                let known = by_effect.entry(told.clone()).or_insert(digest);
                assert_eq!(
                    *known,
                    digest,
                    "{told} {sides:#?}",
                    sides = (&sides.before, &sides.after)
                );
                if told.contains(['+', '-']) {
                    let known = by_digest.entry(digest).or_insert_with(|| told.clone());
                    let [known, told] =
                        [&*known, &told].map(|told| told.trim_start_matches(char::is_alphabetic));
                    assert_eq!(known, told);
                }
            }
        }
    }
    assert!(by_effect.len() > 80, "{}", by_effect.len());
}
