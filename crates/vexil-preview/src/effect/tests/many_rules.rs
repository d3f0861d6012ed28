//! Of as many rules as are told apart the last is looked at as the first is; where there are more, that is said.

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, EnvironmentSnapshot, Operator};

use super::of_flag;
use super::sides::Sides;
use crate::effect::rules::Rules;
use crate::{ContextMatrix, Covers, Meeting};

/// So many rules, and whether they are told apart: around each size of the sets that they are kept in.
const COUNTS: [(usize, bool); 6] = [
    (64, true),
    (65, true),
    (512, true),
    (513, true),
    (4_096, true),
    (4_097, false),
];

/// A strategy for users of these names.
fn for_users(names: Vec<String>) -> ActivationStrategy {
    let mut constraint = Constraint::new("userId", Operator::In);
    constraint.values = names;
    let mut strategy = ActivationStrategy::new("s", "default");
    strategy.constraints = vec![constraint];
    strategy
}

/// An environment with so many strategies, each for others of a few users, and one more.
fn with(count: usize, more: Option<ActivationStrategy>) -> EnvironmentSnapshot {
    let bits = |number: usize| (0..usize::BITS).filter(move |bit| number >> bit & 1 == 1);
    let kept = (1..=count).map(|number| for_users(bits(number).map(|bit| bit.to_string()).collect()));
    of_flag(kept.chain(more).collect())
}

#[test]
fn the_last_of_many_rules_changes_what_it_changes_among_few() {
    let new = || vec!["new".to_owned()];
    for (count, is_told) in COUNTS {
        let sides = Sides::new((with(count - 1, None), with(count - 1, Some(for_users(new())))));
        let rules = Rules::of(sides.both(), &"f".into());
        assert_eq!(rules.conjunctions.len(), count);

        let (comparison, budget) = (sides.comparison(), Budget::unlimited());
        let effect = comparison.effect(&["f".into()], &[], &budget);
        assert_eq!(effect.is_complete(), is_told, "{count}");
        assert_eq!(effect.flags[0].groups.len(), usize::from(is_told), "{count}");

        let mut matrix = ContextMatrix::new();
        matrix.set("userId", new());
        let expected = Covers {
            regions: usize::from(is_told),
            covered: usize::from(is_told),
            complete: is_told,
        };
        let covers = comparison.covers(&["f".into()], &matrix, &budget).unwrap();
        assert_eq!(covers, expected, "{count}");
    }
}

#[test]
fn changes_by_the_last_of_many_rules_meet_as_those_by_few_do() {
    let users = |names: &[&str]| for_users(names.iter().map(|name| (*name).to_owned()).collect());
    for (count, is_told) in COUNTS {
        let before = with(count - 2, None);
        let sides = Sides::new((before.clone(), with(count - 2, Some(users(&["new", "own"])))));
        let met = |third: ActivationStrategy| {
            let others = Sides::new((before.clone(), with(count - 2, Some(third))));
            let [_, third] = others.both();
            let comparison = sides.comparison();
            comparison.meeting(third, &"f".into(), &Budget::unlimited())
        };
        let meeting = met(users(&["new", "other"]));
        if !is_told {
            assert_eq!(meeting, Meeting::Undecided);
            continue;
        }
        let Meeting::At(place) = meeting else {
            panic!("{count}: {meeting:?}");
        };
        let context = place.witness.unwrap().to_context();
        assert_eq!(context.user_id.as_deref(), Some("new"), "{count}");
        // to put so many rules together takes a while
        if count < 4_096 {
            assert_eq!(met(users(&["other"])), Meeting::Apart, "{count}");
        }
    }
}
