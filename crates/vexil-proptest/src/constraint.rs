//! Constraints and segments.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use vexil_domain::{Constraint, Operator, Segment, SegmentId};

use crate::context::{arb_context_value, arb_field_name};
use crate::memoized::memoized;
use crate::text::{
    arb_date_text, arb_network_text, arb_number_text, arb_pattern_text, arb_text, arb_version_text,
};

/// Any operator: mostly a known one.
pub fn arb_operator() -> BoxedStrategy<Operator> {
    memoized!(Operator, {
        prop_oneof![
            30 => select(Operator::KNOWN),
            1 => arb_text().prop_map(|name| Operator::from_name(&name)),
        ]
        .boxed()
    })
}

/// Any constraint: mostly with values of the kind that its operator compares, sometimes with
/// others, or with none.
pub fn arb_constraint() -> BoxedStrategy<Constraint> {
    memoized!(Constraint, {
        (arb_field_name(), arb_operator())
            .prop_flat_map(|(field, operator)| arb_constraint_on(field, operator))
            .boxed()
    })
}

/// A constraint on this field with this operator.
pub fn arb_constraint_on(field: String, operator: Operator) -> BoxedStrategy<Constraint> {
    let fitting = match operator {
        Operator::NumEq | Operator::NumGt | Operator::NumGte | Operator::NumLt | Operator::NumLte => {
            arb_number_text()
        }
        Operator::DateAfter | Operator::DateBefore => arb_date_text(),
        Operator::SemverEq
        | Operator::SemverGt
        | Operator::SemverGte
        | Operator::SemverLt
        | Operator::SemverLte => arb_version_text(),
        Operator::Regex => arb_pattern_text(),
        Operator::InCidr => arb_network_text(),
        Operator::In
        | Operator::NotIn
        | Operator::StrStartsWith
        | Operator::StrEndsWith
        | Operator::StrContains
        | Operator::Unknown(_) => arb_context_value(),
    };
    let value = prop_oneof![8 => fitting, 1 => arb_text()].boxed();
    let (one, several) = if operator.takes_values() {
        (0.1, 0..8)
    } else {
        (0.95, 0..2)
    };
    (
        vec(value.clone(), several),
        option::weighted(one, value),
        option::of(any::<bool>()),
        option::of(any::<bool>()),
    )
        .prop_map(move |(values, value, inverted, case_insensitive)| Constraint {
            context_name: field.clone(),
            operator: operator.clone(),
            values,
            value,
            inverted,
            case_insensitive,
        })
        .boxed()
}

/// A segment of this id, with up to three constraints.
pub fn arb_segment(id: SegmentId) -> BoxedStrategy<Segment> {
    (arb_text(), vec(arb_constraint(), 0..4))
        .prop_map(move |(name, constraints)| Segment::new(id, name, constraints))
        .boxed()
}
