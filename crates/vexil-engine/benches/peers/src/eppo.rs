//! The flags for Eppo, as its universal flag configuration.
//!
//! Assignments are not logged (`doLog`), and the time is handed in: both spare Eppo work.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use eppo_core::eval::get_assignment;
use eppo_core::ufc::{AssignmentValue, UniversalFlagConfig, VariationType};
use eppo_core::{Attributes, Configuration, SdkMetadata, Str};
use serde_json::{Value, json};

use crate::state::{ATTRIBUTES, SALT, USER, countries, others};

/// The compiled flags and the user.
pub(crate) struct Peer {
    configuration: Configuration,
    subject: Str,
    attributes: Arc<Attributes>,
    now: DateTime<Utc>,
}

impl Peer {
    pub(crate) fn new() -> Self {
        let mut flags = serde_json::Map::new();
        let mut add = |name: &str, rules: Value, shards: Value| {
            flags.insert(name.to_owned(), flag(name, rules, shards));
        };
        let half = json!([{ "salt": SALT, "ranges": [{ "start": 0, "end": 5_000 }] }]);
        add("default", json!([]), json!([]));
        add("rollout", json!([]), half);
        add("in10", is_one_of(10), json!([]));
        add("in1000", is_one_of(1_000), json!([]));
        others().for_each(|name| add(&name, json!([]), json!([])));
        let document = json!({
            "createdAt": "2024-01-01T00:00:00Z", "format": "SERVER",
            "environment": { "name": "production" }, "flags": flags
        });
        let metadata = SdkMetadata {
            name: "benchmark",
            version: "0.0.0",
        };
        let flags = UniversalFlagConfig::from_json(metadata, document.to_string().into_bytes()).unwrap();
        Self {
            configuration: Configuration::from_server_response(flags, None),
            subject: USER.into(),
            attributes: Arc::new(
                ATTRIBUTES
                    .into_iter()
                    .map(|(name, value)| (name.into(), value.into()))
                    .collect(),
            ),
            now: DateTime::UNIX_EPOCH,
        }
    }

    pub(crate) fn is_enabled(&self, name: &str) -> bool {
        let assignment = get_assignment(
            Some(&self.configuration),
            name,
            &self.subject,
            &self.attributes,
            Some(VariationType::Boolean),
            self.now,
        );
        let value = assignment.unwrap().map(|assignment| assignment.value);
        matches!(value, Some(AssignmentValue::Boolean(true)))
    }
}

fn flag(name: &str, rules: Value, shards: Value) -> Value {
    json!({
        "key": name, "enabled": true, "variationType": "BOOLEAN", "totalShards": 10_000,
        "variations": { "on": { "key": "on", "value": true }, "off": { "key": "off", "value": false } },
        "allocations": [{
            "key": "first", "doLog": false, "rules": rules,
            "splits": [{ "variationKey": "on", "shards": shards }]
        }]
    })
}

fn is_one_of(count: usize) -> Value {
    let condition = json!({ "attribute": "country", "operator": "ONE_OF", "value": countries(count) });
    json!([{ "conditions": [condition] }])
}
