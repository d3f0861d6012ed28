//! The flags for Vexil, as client features.

use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_domain::Context;
use vexil_engine::{Ambient, Engine, Prepared};

use crate::state::{ATTRIBUTES, USER, countries, others};

/// The compiled flags.
pub(crate) struct Flags(Engine);

impl Flags {
    pub(crate) fn new() -> Self {
        let rollout = json!({ "rollout": "50", "stickiness": "userId", "groupId": "group-of-rollout" });
        let mut features = vec![
            flag("default", "default", json!({}), json!([])),
            flag("rollout", "flexibleRollout", rollout, json!([])),
            flag("in10", "default", json!({}), is_one_of(10)),
            flag("in1000", "default", json!({}), is_one_of(1_000)),
        ];
        features.extend(others().map(|name| flag(&name, "default", json!({}), json!([]))));
        let document = json!({ "version": 2, "features": features }).to_string();
        let loaded = vexil_client_api::load_engine(document.as_bytes()).unwrap();
        assert!(loaded.problems.is_empty() && loaded.warnings.is_empty());
        Self(loaded.engine)
    }

    pub(crate) fn prepare<'a>(&'a self, user: &'a Context, ambient: &'a Ambient<'a>) -> Prepared<'a> {
        self.0.prepare(user, ambient)
    }

    pub(crate) fn is_enabled(&self, name: &str, user: &Context, ambient: &Ambient<'_>) -> bool {
        self.0.is_enabled(name, user, ambient)
    }
}

pub(crate) fn user() -> Context {
    Context {
        user_id: Some(USER.to_owned()),
        properties: ATTRIBUTES.into_iter().collect(),
        ..Context::default()
    }
}

pub(crate) fn ambient() -> Ambient<'static> {
    Ambient::new(OffsetDateTime::UNIX_EPOCH, 0)
}

fn flag(name: &str, strategy: &str, parameters: Value, constraints: Value) -> Value {
    let strategy = json!({ "name": strategy, "parameters": parameters, "constraints": constraints });
    json!({ "name": name, "enabled": true, "project": "default", "strategies": [strategy] })
}

fn is_one_of(count: usize) -> Value {
    json!([{ "contextName": "country", "operator": "IN", "values": countries(count) }])
}
