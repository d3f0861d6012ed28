//! The flags for LaunchDarkly, in its JSON model and a store in memory.
//!
//! Its evaluation borrows a flag, but its store's interface gives flags away: each look-up is a copy,
//! which costs the more the longer the flag's lists are. Both ways are measured.

use std::collections::HashMap;

use launchdarkly_server_sdk_evaluation::{
    Context, ContextBuilder, Flag, FlagValue, Segment, Store, evaluate,
};
use serde_json::{Value, json};

use crate::state::{ATTRIBUTES, SALT, USER, countries, others};

/// The flags and the user.
pub(crate) struct Peer {
    store: InMemory,
    user: Context,
}

struct InMemory(HashMap<String, Flag>);

impl Store for InMemory {
    fn flag(&self, name: &str) -> Option<Flag> {
        self.0.get(name).cloned()
    }

    fn segment(&self, _: &str) -> Option<Segment> {
        None
    }
}

impl Peer {
    pub(crate) fn new() -> Self {
        let on = json!({ "variation": 1 });
        let half = json!({ "rollout": { "variations": [
            { "variation": 1, "weight": 50_000 }, { "variation": 0, "weight": 50_000 }
        ] } });
        let off = json!({ "variation": 0 });
        let mut flags = vec![
            flag("default", json!([]), &on),
            flag("rollout", json!([]), &half),
            flag("in10", is_one_of(10), &off),
            flag("in1000", is_one_of(1_000), &off),
        ];
        flags.extend(others().map(|name| flag(&name, json!([]), &on)));
        let mut user = ContextBuilder::new(USER);
        for (name, value) in ATTRIBUTES {
            user.set_string(name, value);
        }
        Self {
            store: InMemory(flags.into_iter().map(|flag| (flag.key.clone(), flag)).collect()),
            user: user.build().unwrap(),
        }
    }

    pub(crate) fn is_enabled(&self, name: &str) -> bool {
        self.store.0.get(name).is_some_and(|flag| self.is_on(flag))
    }

    pub(crate) fn is_enabled_in_a_copy(&self, name: &str) -> bool {
        self.store.flag(name).is_some_and(|flag| self.is_on(&flag))
    }

    fn is_on(&self, flag: &Flag) -> bool {
        let detail = evaluate(&self.store, flag, &self.user, None);
        matches!(detail.value, Some(FlagValue::Bool(true)))
    }
}

fn flag(name: &str, rules: Value, fallthrough: &Value) -> Flag {
    serde_json::from_value(json!({
        "key": name, "version": 1, "on": true, "targets": [], "rules": rules, "prerequisites": [],
        "fallthrough": fallthrough, "offVariation": 0, "variations": [false, true],
        "clientSide": false, "salt": SALT
    }))
    .unwrap()
}

fn is_one_of(count: usize) -> Value {
    let clause = json!({ "attribute": "country", "op": "in", "values": countries(count), "negate": false });
    json!([{ "id": "first", "clauses": [clause], "variation": 1, "trackEvents": false }])
}
