//! The engine that most SDKs share gives the same answers.
//!
//! States and contexts are drawn from what both can understand. Left out, because that engine is known
//! to be wrong there or to have no say (`sdk_differences.rs` and `docs/COMPATIBILITY.md` have the rows):
//!
//! * a constraint it cannot parse turns the whole flag off, but for patterns: unknown operators, values of the wrong kind,
//!   numbers spelt `.5` or ` 5 `, dates without a zone or with a fraction that has not three digits,
//!   quotes and backslashes in texts;
//! * list values are not trimmed, and an empty context value is not absent;
//! * a standard field among the properties is not found;
//! * rollouts with a fraction are off, and gradual rollouts without `groupId` are;
//! * `\d`, `\w` and `\b` in patterns are not ASCII;
//! * variants whose weights are all zero end the process, and their `default` stickiness does not look at
//!   `remoteAddress`;
//! * a parent without variants satisfies any list of variants;
//! * a parent's rollout without `groupId` takes the name of the flag that asks, not its own;
//! * what chance decides differs by nature.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use unleash_yggdrasil::{EngineState, UpdateMessage};
use vexil_client_api::load_engine;
use vexil_domain::Context;
use vexil_engine::{Draw, Engine, Explanation, PickedBy, Rule};

use crate::support::ambient;

fn field() -> impl Strategy<Value = &'static str> {
    select(
        &[
            "userId",
            "sessionId",
            "environment",
            "appName",
            "plan",
            "age",
            "größe",
        ][..],
    )
}

fn text() -> BoxedStrategy<String> {
    prop_oneof![4 => "[a-c]{1,2}", 1 => "[A-C]{1,2}", 1 => "[éß日🙂]{1,2}", 1 => "[0-9]{1,2}"].boxed()
}

fn version() -> BoxedStrategy<String> {
    "[0-2]\\.[0-2]\\.[0-2](-(alpha|rc)(\\.[1-9])?)?(\\+b1)?".boxed()
}

fn date() -> BoxedStrategy<String> {
    "2024-07-01T0[0-2]:00:0[0-2](\\.[0-9]{3})?(Z|\\+01:00)".boxed()
}

fn network() -> BoxedStrategy<String> {
    prop_oneof![
        "10\\.0\\.0\\.[0-9]/(2[0-9]|3[0-2])",
        "10\\.0\\.0\\.[0-9]",
        "2001:db8::[0-9]/12[0-8]"
    ]
    .boxed()
}

fn address() -> BoxedStrategy<String> {
    prop_oneof![4 => "10\\.0\\.0\\.[0-9]", 1 => "2001:db8::[0-9]", 1 => "nowhere"].boxed()
}

fn constraint() -> BoxedStrategy<Value> {
    let lists = vec(text(), 0..5).prop_flat_map(|values| {
        let operators = &["IN", "NOT_IN", "STR_STARTS_WITH", "STR_ENDS_WITH", "STR_CONTAINS"][..];
        let operators = if values.is_empty() {
            &operators[..2]
        } else {
            operators
        };
        (select(operators), field(), any::<(bool, bool)>()).prop_map(
            move |(operator, field, (inverted, folded))| {
                json!({ "contextName": field, "operator": operator, "values": values, "inverted": inverted,
                "caseInsensitive": folded })
            },
        )
    });
    let one = |operators: &'static [&'static str],
               fields: &'static [&'static str],
               value: BoxedStrategy<String>| {
        (select(operators), select(fields), value, any::<bool>()).prop_map(|(operator, field, value, inverted)| {
            json!({ "contextName": field, "operator": operator, "value": value, "inverted": inverted })
        })
    };
    let number = prop_oneof!["-?[0-9]{1,2}", "[0-9]\\.[05]", "1e[1-3]"].boxed();
    prop_oneof![
        4 => lists,
        2 => one(&["NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE"], &["age", "plan"], number),
        1 => one(&["DATE_AFTER", "DATE_BEFORE"], &["currentTime", "joined"], date()),
        1 => one(&["SEMVER_EQ", "SEMVER_GT", "SEMVER_GTE", "SEMVER_LT", "SEMVER_LTE"], &["version", "plan"], version()),
        1 => one(&["REGEX"], &["userId", "plan"], "[a-c.]{1,2}[$*+?]?".boxed()),
        1 => (vec(network(), 1..4), any::<bool>()).prop_map(|(values, inverted)| json!({
            "contextName": "remoteAddress", "operator": "IN_CIDR", "values": values, "inverted": inverted
        })),
    ]
    .boxed()
}

fn variants() -> BoxedStrategy<Value> {
    let variant = (
        1_u32..500,
        option::of("[a-c]"),
        option::of(("[a-c]{1,2}", field())),
    );
    vec(variant, 0..4)
        .prop_map(|variants| {
            let variants = variants
                .into_iter()
                .enumerate()
                .map(|(place, (weight, payload, listed))| {
                    let mut variant =
                        json!({ "name": format!("v{place}"), "weight": weight, "stickiness": "userId" });
                    if let Some(value) = payload {
                        variant["payload"] = json!({ "type": "string", "value": value });
                    }
                    if let Some((value, field)) = listed {
                        variant["overrides"] = json!([{ "contextName": field, "values": [value] }]);
                    }
                    variant
                });
            variants.collect()
        })
        .boxed()
}

fn strategy() -> BoxedStrategy<Value> {
    let percentage = (0_u32..=100).prop_map(|percentage| percentage.to_string());
    let sticky = select(&["default", "userId", "sessionId", "plan"][..]);
    let parameters = prop_oneof![
        4 => (percentage.clone(), sticky, option::of("[a-c]")).prop_map(|(rollout, sticky, group)| {
            let mut parameters = json!({ "rollout": rollout, "stickiness": sticky });
            if let Some(group) = group {
                parameters["groupId"] = group.into();
            }
            ("flexibleRollout", parameters)
        }),
        2 => Just(("default", json!({ "stickiness": "userId" }))),
        1 => (percentage.clone(), "[a-c]").prop_map(|(percentage, group)| {
            ("gradualRolloutUserId", json!({ "percentage": percentage, "groupId": group }))
        }),
        1 => (percentage, "[a-c]").prop_map(|(percentage, group)| {
            ("gradualRolloutSessionId", json!({ "percentage": percentage, "groupId": group }))
        }),
        1 => vec("[a-c]", 1..4).prop_map(|ids| ("userWithId", json!({ "userIds": ids.join(", ") }))),
        1 => vec(network(), 1..4).prop_map(|ips| ("remoteAddress", json!({ "IPs": ips.join(",") }))),
        1 => Just(("ofTheirOwn", json!({}))),
    ];
    (parameters, vec(constraint(), 0..4), vec(0..3, 0..2), variants())
        .prop_map(|((name, parameters), constraints, segments, mut variants)| {
            for variant in variants.as_array_mut().unwrap() {
                variant.as_object_mut().unwrap().remove("overrides");
            }
            json!({ "name": name, "parameters": parameters, "constraints": constraints, "segments": segments,
                "variants": variants })
        })
        .boxed()
}

fn state() -> BoxedStrategy<Value> {
    let parent = option::weighted(0.3, (select(&["a", "b", "c", "none"][..]), any::<bool>()));
    let flag = (
        proptest::bool::weighted(0.9),
        vec(strategy(), 0..4),
        variants(),
        parent,
    );
    (vec(flag, 1..5), vec(vec(constraint(), 0..3), 3))
        .prop_map(|(flags, segments)| {
            let parents: Vec<_> = flags.iter().filter_map(|flag| flag.3.map(|(parent, _)| parent)).collect();
            let flags = flags.into_iter().zip(["a", "b", "c", "d"]);
            let flags = flags.map(|((enabled, mut strategies, variants, parent), name)| {
                if parents.contains(&name) {
                    strategies.iter_mut().for_each(|strategy| say_group(strategy, name));
                }
                let dependencies = parent.map(|(parent, enabled)| json!({ "feature": parent, "enabled": enabled }));
                json!({ "name": name, "enabled": enabled, "strategies": strategies, "variants": variants,
                    "dependencies": dependencies.into_iter().collect::<Vec<_>>() })
            });
            let segments = segments.into_iter().zip(0..);
            let segments = segments.map(|(constraints, id)| json!({ "id": id, "constraints": constraints }));
            json!({ "version": 2, "features": flags.collect::<Vec<_>>(), "segments": segments.collect::<Vec<_>>() })
        })
        .boxed()
}

/// Says the group that a rollout has by default.
fn say_group(strategy: &mut Value, flag: &str) {
    if strategy["name"] == "flexibleRollout" && strategy["parameters"].get("groupId").is_none() {
        strategy["parameters"]["groupId"] = flag.into();
    }
}

fn context() -> BoxedStrategy<Context> {
    let fields = (
        option::of(text()),
        option::of(text()),
        option::of(address()),
        option::of(text()),
    );
    let properties = (
        option::of(text()),
        option::of("[0-9]{1,2}"),
        option::of(version()),
        option::of(date()),
    );
    (fields, properties, option::of(text()), date())
        .prop_map(|(fields, properties, size, now)| {
            let named = [
                ("userId", fields.0),
                ("sessionId", fields.1),
                ("remoteAddress", fields.2),
                ("appName", fields.3),
                ("plan", properties.0),
                ("age", properties.1),
                ("version", properties.2),
                ("joined", properties.3),
                ("größe", size),
                ("currentTime", Some(now)),
            ];
            named
                .into_iter()
                .fold(Context::default(), |context, (name, value)| match value {
                    Some(value) => context.with(name, value),
                    None => context,
                })
        })
        .boxed()
}

fn their_context(context: &Context) -> unleash_yggdrasil::Context {
    let properties: HashMap<_, _> = context
        .properties
        .iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    unleash_yggdrasil::Context {
        user_id: context.user_id.clone(),
        session_id: context.session_id.clone(),
        environment: context.environment.clone(),
        app_name: context.app_name.clone(),
        current_time: context.current_time.clone(),
        remote_address: context.remote_address.clone(),
        properties: Some(properties),
    }
}

/// Whether chance, or an address that stands for a user, has a say anywhere in the flag.
fn is_certain(engine: &Engine, explanation: &Explanation, context: &Context) -> bool {
    let by_value = |draw: &Draw| match draw {
        Draw::Value { field, .. } => &**field != "remoteAddress",
        Draw::Chance { .. } => false,
        Draw::Nothing { .. } => true,
    };
    let picks = explanation
        .strategies
        .iter()
        .filter_map(|strategy| strategy.variants.as_ref());
    let picks = picks.chain(&explanation.flag_variants);
    let picks_are = picks.into_iter().all(|pick| match &pick.by {
        PickedBy::Weight { draw, .. } => by_value(draw),
        _ => true,
    });
    let rules_are = explanation
        .strategies
        .iter()
        .all(|strategy| match &strategy.rule {
            Rule::Rollout(rollout) => by_value(&rollout.draw),
            _ => true,
        });
    let parents_are = explanation.parents.iter().all(|parent| {
        let parent = engine.explain(parent.parent.as_str(), context, &ambient(0));
        parent.is_none_or(|parent| !parent.parents.is_empty() || is_certain(engine, &parent, context))
    });
    picks_are && rules_are && parents_are
}

proptest! {
    #[test]
    fn yggdrasil_gives_the_same_answers(state in state(), contexts in vec(context(), 6)) {
        let json = state.to_string();
        let loaded = load_engine(json.as_bytes()).unwrap();
        prop_assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        let ours = loaded.engine;
        let theirs = EngineState::default();
        let warnings = theirs.take_state(UpdateMessage::FullResponse(serde_json::from_str(&json).unwrap()));
        prop_assert!(warnings.is_none(), "{:?}", warnings);
        for context in &contexts {
            let their_context = their_context(context);
            for name in ours.flags().filter_map(|id| ours.name(id)) {
                let explanation = ours.explain(name.as_str(), context, &ambient(0)).unwrap();
                if !is_certain(&ours, &explanation, context) {
                    continue;
                }
                let enabled = theirs.is_enabled(name.as_str(), &their_context, &None);
                prop_assert_eq!(explanation.enabled, enabled, "{}", explanation);
                let choice = ours.variant(name.as_str(), context, &ambient(0));
                let variant = theirs.get_variant(name.as_str(), &their_context, &None);
                prop_assert_eq!(choice.name, &variant.name, "{}", explanation);
                prop_assert_eq!(choice.enabled, variant.enabled);
                prop_assert_eq!(choice.feature_enabled, variant.feature_enabled);
                let payload = variant.payload.map(|payload| payload.value);
                prop_assert_eq!(choice.payload.map(|payload| payload.value.clone()), payload);
            }
        }
    }
}
