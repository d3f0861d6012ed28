//! A matrix reaches a region exactly when one of its combinations is in it.

use vexil_budget::Budget;
use vexil_domain::Context;

use super::sides::{Random, Sides, asked_for};
use super::small::{COUNTRIES, PLANS, VERSIONS, all_boxes, change, is_inside};
use crate::effect::atoms::{Asked, Fixed};
use crate::effect::rules::Rules;
use crate::effect::walk::Walk;
use crate::{ContextMatrix, Covers};

/// Some values of each field: now and then none, so that it is unset.
fn drawn(random: &mut Random) -> Vec<(&'static str, Vec<String>)> {
    let mut fields = Vec::new();
    for (field, values) in [("country", COUNTRIES), ("plan", PLANS), ("appVersion", VERSIONS)] {
        let mut own = values.map(str::to_owned).to_vec();
        own.retain(|_| random.below(2) == 0);
        fields.push((field, own));
    }
    let users = (0..random.below(6)).map(|_| random.below(100).to_string());
    fields.push(("userId", users.collect()));
    fields.retain(|(_, values)| !values.is_empty());
    fields
}

/// The combination of this number; `None` behind the last.
fn combination(fields: &[(&str, Vec<String>)], mut number: usize) -> Option<Context> {
    let mut context = Context::default();
    for (field, values) in fields {
        let value = &values[number % values.len()];
        number /= values.len();
        if !value.is_empty() {
            context.set(field, value.as_str());
        }
    }
    (number == 0).then_some(context)
}

#[test]
fn a_matrix_covers_the_regions_that_one_of_its_combinations_is_in() {
    let mut random = Random(asked_for("SEED", 2));
    let (mut regions, mut covered) = (0, 0);
    for _ in 0..asked_for("CHANGES", 120) {
        let sides = Sides::new(change(&mut random));
        let comparison = sides.comparison();
        let budget = Budget::unlimited();
        let rules = Rules::of(sides.both(), &"f".into());
        let asked = Asked {
            flag: &"f".into(),
            rules: &rules,
            fixed: &Fixed::default(),
            budget: &budget,
        };
        let mut walk = Walk::<8>::new(&asked);
        let all = all_boxes(&mut walk);
        for _ in 0..4 {
            let fields = drawn(&mut random);
            let contexts: Vec<Context> = (0..).map_while(|number| combination(&fields, number)).collect();
            let reached = all.iter().filter(|(_, place)| {
                let mut inside = contexts.iter();
                inside.any(|context| is_inside(&walk, place, context, &comparison.ambient))
            });
            let mut matrix = ContextMatrix::new();
            for (field, values) in &fields {
                matrix.set(field, values.clone());
            }
            let expected = Covers {
                regions: all.len(),
                covered: reached.count(),
                complete: true,
            };
            let found = comparison.covers(&["f".into()], &matrix, &budget).unwrap();
            assert_eq!(
                found, expected,
                "{fields:?} {:#?}\n{:#?}",
                sides.before.flags, sides.after.flags
            );
            regions += found.regions;
            covered += found.covered;
        }
    }
    println!("regions {regions}, covered {covered}");
    assert!(covered * 10 > regions && covered * 10 < regions * 9);
}
