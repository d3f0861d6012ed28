//! Equal effects have equal digests, whatever the edits were; others have others.

use std::collections::BTreeSet;

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, Operator};

use super::around::asks;
use super::of_flag;
use super::sides::Sides;

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
    use Operator::{DateAfter, DateBefore, In, InCidr, NotIn, NumGt, NumGte, SemverLt, StrStartsWith};
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
        ],
        vec![vec![one(InCidr, "10.0.0.0/9")]],
        vec![vec![one(InCidr, "10.128.0.0/9")]],
        vec![vec![one(NumGte, "5")], vec![one(NumGte, "5"), one(NumGt, "7")]],
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
