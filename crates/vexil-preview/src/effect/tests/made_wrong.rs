//! Proofs that are made wrong in ways that are seldom drawn.

use vexil_domain::{ActivationStrategy, Constraint, EnvironmentSnapshot, Operator};
use vexil_proof_check::{Atom, Dimension, On, Proof, ProofError, check};

use super::around::asks;
use super::of_flag;
use super::sides::Sides;

fn default_with(constraints: Vec<Constraint>) -> ActivationStrategy {
    let mut strategy = ActivationStrategy::new("s", "default");
    strategy.constraints = constraints;
    strategy
}

/// The sides, and a proof that is accepted.
fn proven(before: EnvironmentSnapshot, after: EnvironmentSnapshot) -> (Sides, Proof) {
    let sides = Sides::new((before, after));
    let proof = sides.proof();
    (sides, proof)
}

/// Leaves an atom out of the first dimension.
pub(super) fn leave_out(proof: &mut Proof, gone: usize) {
    proof.dimensions[0].atoms.remove(gone);
    proof.regions.retain_mut(|region| {
        let Some(own) = region.atoms.get_mut(&0) else {
            return true;
        };
        own.retain(|atom| *atom != gone);
        own.iter_mut()
            .filter(|atom| **atom > gone)
            .for_each(|atom| *atom -= 1);
        !own.is_empty()
    });
}

/// A flag that is off for everybody.
fn off() -> EnvironmentSnapshot {
    of_flag(vec![
        ActivationStrategy::new("n", "flexibleRollout").with_parameter("rollout", "0"),
    ])
}

fn three_of(name: &str) -> Dimension {
    let atom = |sample: Option<&str>| Atom {
        sample: sample.map(str::to_owned),
        now: None,
        alone: false,
        ranges: Vec::new(),
    };
    Dimension {
        on: On::Field(name.to_owned()),
        atoms: vec![atom(None), atom(Some("1")), atom(Some("2"))],
    }
}

#[test]
fn an_atom_that_is_named_twice_stands_for_no_other() {
    // two atoms change alike
    let before = of_flag(vec![default_with(vec![asks(Operator::StrStartsWith, "a")])]);
    let after = of_flag(vec![default_with(vec![asks(Operator::StrStartsWith, "a,b")])]);
    let ends = default_with(vec![asks(Operator::StrEndsWith, "z"), asks(Operator::In, "-")]);
    let [before, after] = [before, after].map(|mut side: EnvironmentSnapshot| {
        let flag = std::sync::Arc::make_mut(side.flags.get_mut("f").unwrap());
        let settings = std::sync::Arc::make_mut(&mut flag.settings);
        settings.strategies.push(ends.clone());
        side
    });
    let (sides, mut proof) = proven(before, after);
    let mut regions = proof
        .regions
        .iter_mut()
        .flat_map(|region| region.atoms.values_mut());
    let own = regions.find(|own| own.len() > 1).unwrap();
    own[1] = own[0];
    assert!(matches!(
        check(sides.to_check(), &proof),
        Err(ProofError::Malformed(_))
    ));
}

#[test]
fn a_box_that_holds_another_change_is_refused_though_the_sizes_agree() {
    let before = of_flag(vec![default_with(vec![asks(Operator::In, "a")])]);
    let after = of_flag(vec![default_with(vec![asks(Operator::NotIn, "a")])]);
    let (sides, mut proof) = proven(before, after);
    assert_eq!((proof.regions.len(), proof.dimensions[0].atoms.len()), (2, 3));
    // what decides nothing may be beside it
    proof.dimensions.push(three_of("plan"));
    assert_eq!(check(sides.to_check(), &proof), Ok(()));
    let mut left = 0..3;
    for region in &mut proof.regions {
        let count = region.atoms[&0].len();
        region.atoms = [(1, left.by_ref().take(count).collect())].into();
    }
    assert_eq!(check(sides.to_check(), &proof), Err(ProofError::WrongBox(0)));
}

#[test]
fn a_dimension_that_is_named_twice_is_refused() {
    let (sides, mut proof) = proven(off(), of_flag(vec![default_with(vec![asks(Operator::In, "a")])]));
    proof.dimensions.push(three_of("plan"));
    proof.dimensions.push(three_of("plan"));
    assert!(matches!(
        check(sides.to_check(), &proof),
        Err(ProofError::Malformed(_))
    ));
}

#[test]
fn no_text_of_its_own_stands_for_another() {
    let mut strategy = default_with(vec![asks(Operator::In, "a,b,c,d,e,f,g,h")]);
    strategy.name = "flexibleRollout".to_owned();
    let strategy = strategy
        .with_parameter("rollout", "50")
        .with_parameter("stickiness", "name")
        .with_parameter("groupId", "g");
    let (sides, proof) = proven(off(), of_flag(vec![strategy]));
    assert_eq!(proof.dimensions[0].on, On::Field("name".to_owned()));
    let (mut refused, atoms) = (0, &proof.dimensions[0].atoms);
    for gone in (0..atoms.len()).filter(|gone| atoms[*gone].alone) {
        let mut proof = proof.clone();
        leave_out(&mut proof, gone);
        let refusal = check(sides.to_check(), &proof).unwrap_err();
        refused += usize::from(matches!(refusal, ProofError::MissingAtom { .. }));
    }
    assert!(refused > 0, "{proof:#?}");
    // nor is it a witness of the other's box
    let mut apart = proof.clone();
    let region = apart.regions.remove(0);
    let own = &region.atoms[&0];
    assert!(
        own.len() > 1 && own.iter().all(|atom| atoms[*atom].alone),
        "{region:#?}"
    );
    let number = apart.regions.len();
    for chosen in [&own[..1], &own[1..]] {
        let mut part = region.clone();
        part.witness.context = vec![("name".to_owned(), atoms[chosen[0]].sample.clone().unwrap())];
        part.atoms.insert(0, chosen.to_vec());
        apart.regions.push(part);
    }
    assert_eq!(check(sides.to_check(), &apart), Ok(()), "{apart:#?}");
    let first = apart.regions[number].witness.clone();
    apart.regions[number].witness = std::mem::replace(&mut apart.regions[number + 1].witness, first);
    assert_eq!(
        check(sides.to_check(), &apart),
        Err(ProofError::WitnessElsewhere(number))
    );
}

#[test]
fn no_present_is_left_out() {
    let asks = |operator, text: &str| Constraint {
        value: Some(text.to_owned()),
        values: vec![text.to_owned()],
        ..Constraint::new("currentTime", operator)
    };
    // which no text is that says a moment
    let mut no_text = asks(Operator::StrContains, "-");
    no_text.inverted = Some(true);
    let after = vec![asks(Operator::DateAfter, "2024-07-01T00:00:00Z"), no_text];
    let (sides, mut proof) = proven(off(), of_flag(vec![default_with(after)]));
    let gone = proof.regions[0].atoms[&0].clone();
    assert_eq!((proof.regions.len(), gone.len()), (1, 1), "{proof:#?}");
    leave_out(&mut proof, gone[0]);
    let refusal = check(sides.to_check(), &proof);
    assert!(
        matches!(refusal, Err(ProofError::MissingAtom { .. })),
        "{refusal:?}"
    );
}

#[test]
fn of_a_field_that_a_witness_names_twice_the_last_value_counts() {
    let plan = |value: &str| Constraint {
        values: vec![value.to_owned()],
        ..Constraint::new("plan", Operator::In)
    };
    let strategies = vec![
        default_with(vec![asks(Operator::In, "a")]),
        default_with(vec![plan("x")]),
    ];
    let (sides, proof) = proven(off(), of_flag(strategies));
    let plan = |value: &str| ("plan".to_owned(), value.to_owned());
    let name = |value: &str| ("name".to_owned(), value.to_owned());
    // where both hold is in one of two boxes that change alike, and each of them has a witness that is in it alone
    for (number, own) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let contexts = [[name("a"), plan("z")], [name("z"), plan("x")]];
        let mut twice = proof.clone();
        let witness = &mut twice.regions[number].witness;
        witness.context = [contexts[1 - own].clone(), contexts[own].clone()].concat();
        let checked = check(sides.to_check(), &twice);
        twice.regions[number].witness.context = contexts[own].to_vec();
        assert_eq!(checked, check(sides.to_check(), &twice), "{proof:#?}");
    }
}
