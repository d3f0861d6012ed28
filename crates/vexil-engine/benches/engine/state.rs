//! The flags and contexts that are measured, as client features.

use serde_json::{Value, json};
use unleash_yggdrasil::{EngineState, UpdateMessage};
use vexil_domain::Context;
use vexil_engine::Engine;

/// A little of everything, as in a real instance: mostly rollouts, some lists, segments, variants.
/// About 620 bytes of JSON for each flag, descriptions, ids and empty lists included.
pub(crate) fn mix(count: usize) -> Value {
    let flags: Vec<Value> = (0..count).map(mixed_flag).collect();
    json!({ "version": 2, "features": flags, "segments": segments() })
}

/// The name of a mixed flag.
pub(crate) fn name_of(number: usize) -> String {
    format!("team-{:02}.feature-{number:06}", number % 40)
}

pub(crate) fn mixed_flag(number: usize) -> Value {
    let name = name_of(number);
    let rollout = |percentage: u32| parameters(&percentage.to_string(), "default", &name);
    let strategies = match number % 20 {
        0..=4 => json!([strategy("flexibleRollout", rollout(100), json!([]))]),
        5..=8 => json!([strategy("flexibleRollout", rollout(50), json!([]))]),
        9 | 10 => json!([strategy("default", json!({}), json!([]))]),
        11..=13 => {
            json!([strategy(
                "flexibleRollout",
                rollout(100),
                json!([is_one_of("country", 8)])
            )])
        }
        14 => json!([
            strategy("flexibleRollout", rollout(25), json!([is_one_of("plan", 3)])),
            strategy(
                "flexibleRollout",
                rollout(75),
                json!([{ "contextName": "version", "operator": "SEMVER_GT", "value": "1.2.0" }])
            ),
        ]),
        15 => json!([strategy(
            "flexibleRollout",
            rollout(100),
            json!([
                { "contextName": "age", "operator": "NUM_GTE", "value": "18" },
                { "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2024-01-01T00:00:00Z" }
            ])
        )]),
        16 => json!([with(
            "segments",
            json!([number % 20]),
            strategy("flexibleRollout", rollout(100), json!([]))
        )]),
        17 => json!([with(
            "variants",
            variants(),
            strategy("flexibleRollout", rollout(100), json!([]))
        )]),
        18 => json!([strategy(
            "userWithId",
            json!({ "userIds": "u-1, u-2, u-3, user-42" }),
            json!([])
        )]),
        _ => json!([
            strategy("flexibleRollout", rollout(0), json!([])),
            strategy(
                "remoteAddress",
                json!({ "IPs": "10.0.0.0/8, 192.168.1.20" }),
                json!([])
            ),
        ]),
    };
    flag(&name, number % 10 != 3, strategies)
}

/// The scenarios that are measured one by one, among ten thousand mixed flags.
pub(crate) fn scenarios() -> Value {
    let mut state = mix(10_000);
    let flags = state["features"].as_array_mut().unwrap();
    let ten: Vec<Value> = (0..10).map(one_of_ten).collect();
    let plain: [(&str, Value); 8] = [
        ("none", json!([])),
        ("default", json!([strategy("default", json!({}), json!([]))])),
        (
            "rollout",
            json!([strategy(
                "flexibleRollout",
                parameters("50", "userId", "group-of-rollout"),
                json!([])
            )]),
        ),
        (
            "in10",
            json!([strategy("default", json!({}), json!([is_one_of("country", 10)]))]),
        ),
        (
            "in1000",
            json!([strategy(
                "default",
                json!({}),
                json!([is_one_of("country", 1_000)])
            )]),
        ),
        (
            "in100000",
            json!([strategy(
                "default",
                json!({}),
                json!([is_one_of("country", 100_000)])
            )]),
        ),
        (
            "5c1seg",
            json!([with(
                "segments",
                json!([99]),
                strategy("default", json!({}), five())
            )]),
        ),
        ("10strat", Value::Array(ten)),
    ];
    for (name, strategies) in plain {
        let twins = if name == "in100000" {
            Vec::new()
        } else {
            twenty_of(name)
        };
        for twin in twins {
            let group = format!("group-of-{twin}");
            let text = strategies.to_string().replace("group-of-rollout", &group);
            flags.push(flag(&twin, true, serde_json::from_str(&text).unwrap()));
        }
        let mut with_variants = flag(&format!("{name}-variant"), true, strategies.clone());
        with_variants["variants"] = variants();
        flags.push(with_variants);
        flags.push(flag(name, true, strategies));
    }
    state
}

/// So many flags of each kind a request asks for.
pub(crate) const TWENTY: usize = 20;

/// The names of the flags that are as this scenario, each a rollout of its own; the long list is not repeated.
pub(crate) fn twenty_of(scenario: &str) -> Vec<String> {
    let scenario = if scenario == "in100000" {
        "in1000"
    } else {
        scenario
    };
    (0..TWENTY)
        .map(|number| format!("{scenario}-{number:02}"))
        .collect()
}

/// The tenth alone lets the user in.
fn one_of_ten(number: usize) -> Value {
    let country = if number == 9 { "country-0" } else { "nowhere" };
    let constraints =
        json!([{ "contextName": "country", "operator": "IN", "values": [country, "elsewhere"] }]);
    strategy(
        "flexibleRollout",
        parameters("100", "userId", &format!("group-{number}")),
        constraints,
    )
}

fn five() -> Value {
    json!([
        { "contextName": "email", "operator": "STR_ENDS_WITH", "values": ["@example.org", "@Example.com"], "caseInsensitive": true },
        { "contextName": "device", "operator": "STR_STARTS_WITH", "values": ["tablet", "phone"] },
        { "contextName": "age", "operator": "NUM_GTE", "value": "18" },
        { "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2024-01-01T00:00:00Z" },
        { "contextName": "version", "operator": "SEMVER_GT", "value": "1.2.0" },
    ])
}

fn segments() -> Value {
    let mut segments: Vec<Value> = (0..20)
        .map(|id| json!({ "id": id, "name": format!("segment {id}"), "constraints": [is_one_of("plan", 3)] }))
        .collect();
    segments.push(
        json!({ "id": 99, "name": "grown-ups of some plans", "constraints": [
            is_one_of("plan", 20), { "contextName": "age", "operator": "NUM_LT", "value": "99" }
        ]}),
    );
    Value::Array(segments)
}

fn flag(name: &str, enabled: bool, strategies: Value) -> Value {
    json!({
        "name": name, "type": "release", "enabled": enabled, "project": "default", "stale": false,
        "strategies": strategies, "variants": [], "impressionData": false, "dependencies": [],
        "description": format!("What {name} is for, and whom to ask before it is taken away again")
    })
}

fn strategy(name: &str, parameters: Value, constraints: Value) -> Value {
    json!({
        "id": "5f1dd0b1-5d8e-4ea5-a2f0-2c5d2b1b8f63", "title": null, "disabled": false, "segments": [],
        "name": name, "constraints": constraints, "parameters": parameters, "variants": []
    })
}

fn with(key: &str, value: Value, mut strategy: Value) -> Value {
    strategy[key] = value;
    strategy
}

fn parameters(percentage: &str, stickiness: &str, group: &str) -> Value {
    json!({ "rollout": percentage, "stickiness": stickiness, "groupId": group })
}

fn is_one_of(field: &str, count: usize) -> Value {
    let values: Vec<String> = (0..count).map(|number| format!("{field}-{number}")).collect();
    json!({ "contextName": field, "operator": "IN", "values": values })
}

fn variants() -> Value {
    let variant = |name: &str| {
        json!({
            "name": name, "weight": 250, "weightType": "variable", "stickiness": "default",
            "payload": { "type": "string", "value": format!("the payload of {name}") }
        })
    };
    json!([
        variant("red"),
        variant("green"),
        variant("blue"),
        variant("yellow")
    ])
}

/// A user with six properties, who is in every list.
pub(crate) fn context(user: &str) -> Context {
    Context {
        user_id: Some(user.to_owned()),
        session_id: Some("session-7".to_owned()),
        remote_address: Some("192.168.1.20".to_owned()),
        environment: Some("production".to_owned()),
        app_name: Some("web".to_owned()),
        current_time: Some("2024-07-01T12:00:00Z".to_owned()),
        properties: [
            ("country", "country-0"),
            ("plan", "plan-1"),
            ("email", "someone@example.com"),
            ("device", "phone-9"),
            ("age", "42"),
            ("version", "1.10.3"),
        ]
        .into_iter()
        .collect(),
    }
}

/// The same for yggdrasil.
pub(crate) fn their_context(context: &Context) -> unleash_yggdrasil::Context {
    let properties = context.properties.iter();
    unleash_yggdrasil::Context {
        user_id: context.user_id.clone(),
        session_id: context.session_id.clone(),
        environment: context.environment.clone(),
        app_name: context.app_name.clone(),
        current_time: context.current_time.clone(),
        remote_address: context.remote_address.clone(),
        properties: Some(
            properties
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        ),
    }
}

pub(crate) fn ours(json: &[u8]) -> Engine {
    let loaded = vexil_client_api::load_engine(json).unwrap();
    assert!(
        loaded.problems.is_empty() && loaded.warnings.is_empty(),
        "{:?}",
        loaded.warnings
    );
    loaded.engine
}

pub(crate) fn theirs(json: &[u8]) -> EngineState {
    let engine = EngineState::default();
    let warnings = engine.take_state(UpdateMessage::FullResponse(serde_json::from_slice(json).unwrap()));
    assert!(warnings.is_none());
    engine
}
