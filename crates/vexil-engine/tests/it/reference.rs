//! A second engine, written straight from the rules: clear and slow, with nothing compiled.
//!
//! It does not know what chance decides. Where chance has a say, it answers "perhaps", and only
//! certain answers are compared.

mod interpreter;
mod values;

use proptest::prelude::*;
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, Operator, Segment};
use vexil_engine::Engine;
use vexil_proptest::{arb_context, arb_environment_snapshot};

use crate::support::{NOW, ambient};
use interpreter::Interpreter;

proptest! {
    #[test]
    fn the_engine_answers_what_the_rules_say(
        snapshot in arb_environment_snapshot(),
        contexts in prop::collection::vec(arb_context(), 4),
        seed: u64,
    ) {
        let snapshot = with_plain_patterns(snapshot);
        let engine = Engine::compile(&snapshot).0;
        let mut ambient = ambient(seed);
        ambient.host_name = (seed % 2 == 0).then_some("Ab");
        for context in &contexts {
            let rules = Interpreter { snapshot: &snapshot, context, now: NOW, host: ambient.host_name };
            for (name, flag) in &snapshot.flags {
                if let Some(enabled) = rules.is_enabled(flag) {
                    prop_assert_eq!(engine.is_enabled(name.as_str(), context, &ambient), enabled, "{}", name);
                }
                if let Some(variant) = rules.variant(flag) {
                    let choice = engine.variant(name.as_str(), context, &ambient);
                    prop_assert_eq!(choice.enabled.then_some(choice.name), variant, "{}", name);
                }
            }
        }
    }
}

/// The dialect of regular expressions is tested where it is translated; here are only patterns that
/// every dialect reads in one way.
fn with_plain_patterns(mut snapshot: EnvironmentSnapshot) -> EnvironmentSnapshot {
    let plain = |constraints: &mut Vec<vexil_domain::Constraint>| {
        for constraint in constraints
            .iter_mut()
            .filter(|one| one.operator == Operator::Regex)
        {
            if let Some(value) = &mut constraint.value
                && !["^a", "b$", "a|b", "[0-9]+", "(", "(?i)ABC", "(a+)+$"].contains(&value.as_str())
            {
                *value = "^[ab]".to_owned();
            }
        }
    };
    for segment in snapshot.segments.values_mut() {
        let segment: &mut Segment = std::sync::Arc::make_mut(segment);
        plain(&mut segment.constraints);
    }
    for flag in snapshot.flags.values_mut() {
        let flag: &mut EnvironmentFlag = std::sync::Arc::make_mut(flag);
        let settings = std::sync::Arc::make_mut(&mut flag.settings);
        settings
            .strategies
            .iter_mut()
            .for_each(|strategy| plain(&mut strategy.constraints));
    }
    snapshot
}
