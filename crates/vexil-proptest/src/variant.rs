//! Variants, payloads and stickiness.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use vexil_domain::{Payload, Stickiness, Variant, VariantOverride, WeightType};

use crate::context::{arb_context_value, arb_field_name};
use crate::memoized::memoized;
use crate::text::arb_text;

/// The default, chance, or a context field.
pub fn arb_stickiness() -> BoxedStrategy<Stickiness> {
    memoized!(Stickiness, {
        prop_oneof![
            2 => Just(Stickiness::Default),
            1 => Just(Stickiness::Random),
            3 => arb_field_name().prop_map(|field| Stickiness::from_name(&field)),
        ]
        .boxed()
    })
}

/// Payloads of every kind, deeply nested JSON included.
pub fn arb_payload() -> BoxedStrategy<Payload> {
    memoized!(Payload, {
        let value = prop_oneof![
            4 => arb_text(),
            1 => (1_usize..400).prop_map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth))),
        ];
        (
            prop_oneof!["json", "csv", "string", "number", "[a-z]{0,4}"],
            value,
        )
            .prop_map(|(kind, value)| Payload { kind, value })
            .boxed()
    })
}

/// Any variant, with weights that include none and the largest.
pub fn arb_variant() -> BoxedStrategy<Variant> {
    memoized!(Variant, {
        let weight = prop_oneof![4 => 0_u32..=1000, 2 => Just(0), 1 => Just(1), 1 => Just(u32::MAX)];
        let weight_type = prop_oneof![
            Just(WeightType::Variable),
            Just(WeightType::Fix),
            Just(WeightType::from_name("someday")),
        ];
        let one = (arb_field_name(), vec(arb_context_value(), 0..3))
            .prop_map(|(context_name, values)| VariantOverride { context_name, values });
        let overrides = prop_oneof![3 => Just(Vec::new()), 1 => vec(one, 0..3)];
        (
            arb_text(),
            weight,
            weight_type,
            option::of(arb_stickiness()),
            option::of(arb_payload()),
            overrides,
        )
            .prop_map(
                |(name, weight, weight_type, stickiness, payload, overrides)| Variant {
                    name,
                    weight,
                    weight_type,
                    stickiness,
                    payload,
                    overrides,
                },
            )
            .boxed()
    })
}

/// Up to four variants.
pub fn arb_variants() -> BoxedStrategy<Vec<Variant>> {
    memoized!(Vec<Variant>, { vec(arb_variant(), 0..5).boxed() })
}
