//! The flags, segments and contexts of `acceptance/scenario.json`, and who should get what.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Map, Value, json};

use super::decision::Decision;
use crate::http::Api;
use crate::outcome::Outcome;
use crate::program::root;
use anyhow::{Context, Error};

/// The scenario with every name prefixed, so that runs against one server do not meet.
#[derive(Debug)]
pub(super) struct Scenario {
    prefix: String,
    pub(super) contexts: Vec<Value>,
    /// For so many of them, the first, it was worked out by hand who should get what.
    by_hand: usize,
    segments: Vec<Value>,
    flags: Vec<Flag>,
}

/// A flag as the scenario describes it.
#[derive(Debug)]
struct Flag {
    name: String,
    on: bool,
    strategies: Vec<Value>,
    parent: Option<Value>,
    /// The users for whom it is on; where that depends on hashes, `None`.
    on_for: Option<Vec<String>>,
}

/// What the playground says, by flag and index of the context.
pub(super) type Playground = BTreeMap<(String, usize), Value>;

impl Scenario {
    /// Reads the scenario.
    pub(super) fn read(prefix: &str) -> Outcome<Scenario> {
        let file = root().join("acceptance/scenario.json");
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let document: Value = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
        let list = |field: &str| document[field].as_array().cloned().unwrap_or_default();
        let flags = list("flags")
            .iter()
            .map(|flag| Flag::read(prefix, flag))
            .collect();
        Ok(Scenario {
            prefix: prefix.to_owned(),
            contexts: contexts(&list("contexts")),
            by_hand: list("contexts").len(),
            segments: list("segments"),
            flags,
        })
    }

    /// The names of the flags.
    pub(super) fn flag_names(&self) -> impl Iterator<Item = &str> {
        self.flags.iter().map(|flag| flag.name.as_str())
    }

    /// The name of a flag that SDKs turn on and off, to see whether they see it.
    pub(super) fn edited(&self) -> String {
        format!("{}edited", self.prefix)
    }

    /// Makes segments and flags through the admin API, in the environment `development`.
    pub(super) fn create(&self, api: &Api) -> Outcome {
        let mut segments = Map::new();
        for segment in &self.segments {
            let name = text(segment, "name");
            let mut body = segment.clone();
            body["name"] = json!(format!("{}{name}", self.prefix));
            let made = api.json("POST", "/api/admin/segments", Some(&body))?;
            segments.insert(name, made["id"].clone());
        }
        let features = "/api/admin/projects/default/features";
        api.json("POST", features, Some(&json!({ "name": self.edited() })))?;
        for flag in &self.flags {
            api.json(
                "POST",
                features,
                Some(&json!({ "name": flag.name, "type": "release" })),
            )?;
            let environment = format!("{features}/{}/environments/development", flag.name);
            for strategy in &flag.strategies {
                let body = with_segment_ids(strategy, &segments);
                api.json("POST", &format!("{environment}/strategies"), Some(&body))?;
            }
            let switch = if flag.on { "on" } else { "off" };
            api.json("POST", &format!("{environment}/{switch}"), None)?;
            if let Some(parent) = &flag.parent {
                api.json(
                    "POST",
                    &format!("{features}/{}/dependencies", flag.name),
                    Some(parent),
                )?;
            }
        }
        Ok(())
    }

    /// Asks the playground about every flag in every context.
    pub(super) fn ask_playground(&self, api: &Api) -> Outcome<Playground> {
        let mut answers = Playground::new();
        for (index, context) in self.contexts.iter().enumerate() {
            let mut context = context.clone();
            context["appName"] = json!("acceptance");
            let question =
                json!({ "environments": ["development"], "projects": ["default"], "context": context });
            let answer = api.json("POST", "/api/admin/playground/advanced", Some(&question))?;
            for feature in answer["features"].as_array().into_iter().flatten() {
                let entry = &feature["environments"]["development"][0];
                answers.insert((text(feature, "name"), index), entry.clone());
            }
        }
        match self
            .flag_names()
            .find(|name| !answers.contains_key(&((*name).to_owned(), 0)))
        {
            Some(name) => Err(Error::msg(format!("the playground does not show {name}"))),
            None => Ok(answers),
        }
    }

    /// How many decisions `differences` looks at.
    pub(super) fn expectations(&self) -> usize {
        self.flags.len() * self.contexts.len()
    }

    /// Where the playground does not say what the scenario expects.
    pub(super) fn differences(&self, playground: &Playground) -> Vec<String> {
        let mut wrong = Vec::new();
        for flag in &self.flags {
            let mut outcomes = [false, false];
            for (index, context) in self.contexts.iter().enumerate() {
                let enabled = playground
                    .get(&(flag.name.clone(), index))
                    .map(|entry| &entry["isEnabled"]);
                let enabled = enabled.and_then(Value::as_bool).unwrap_or_default();
                outcomes = [outcomes[0] || enabled, outcomes[1] || !enabled];
                let user = text(context, "userId");
                let is_otherwise = |users: &Vec<String>| users.contains(&user) != enabled;
                if index < self.by_hand && flag.on_for.as_ref().is_some_and(is_otherwise) {
                    wrong.push(format!("playground: {} is {enabled} for {user}", flag.name));
                }
            }
            if flag.on_for.is_none() && outcomes != [true, true] {
                wrong.push(format!("playground: {} does not split the users", flag.name));
            }
        }
        wrong
    }

    /// Where an SDK decided otherwise than the playground, or not at all.
    pub(super) fn disagreements(
        &self,
        app: &str,
        decisions: &[Decision],
        playground: &Playground,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        if decisions.len() != self.expectations() {
            wrong.push(format!(
                "{app}: {} decisions, not {}",
                decisions.len(),
                self.expectations()
            ));
        }
        for decision in decisions {
            let entry = playground
                .get(&(decision.flag.clone(), decision.context))
                .unwrap_or(&Value::Null);
            if let Some((value, variant)) = &decision.value {
                let expected = told_by_openfeature(entry);
                if (value, variant) != (&expected.0, &expected.1) {
                    wrong.push(format!(
                        "{app}: {} in context {}: {value} {variant}, the playground says {} {}",
                        decision.flag, decision.context, expected.0, expected.1
                    ));
                }
                continue;
            }
            let (variant, other) = (comparable(&decision.variant), comparable(&entry["variant"]));
            if entry["isEnabled"] != json!(decision.enabled) || variant != other {
                wrong.push(format!(
                    "{app}: {} in context {}: {} {variant}, the playground says {} {other}",
                    decision.flag, decision.context, decision.enabled, entry["isEnabled"]
                ));
            }
        }
        wrong
    }
}

impl Flag {
    fn read(prefix: &str, flag: &Value) -> Flag {
        let mut parent = flag.get("parent").cloned();
        if let Some(parent) = &mut parent {
            parent["feature"] = json!(format!("{prefix}{}", text(parent, "feature")));
        }
        let users = flag.get("on_for").and_then(Value::as_array);
        Flag {
            name: format!("{prefix}{}", text(flag, "name")),
            on: flag["on"] == true,
            strategies: flag["strategies"].as_array().cloned().unwrap_or_default(),
            parent,
            on_for: users.map(|users| {
                users
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            }),
        }
    }
}

/// So many contexts are asked for.
const CONTEXTS: usize = 1000;

/// The contexts of the scenario, which have expectations by hand, and more that differ in each of their fields.
fn contexts(by_hand: &[Value]) -> Vec<Value> {
    let pick = |list: &[&str], number: usize| {
        list.get(number % list.len())
            .map_or(String::new(), |it| (*it).to_owned())
    };
    let more = (by_hand.len()..CONTEXTS).map(|number| {
        json!({
            "userId": format!("user-{number}"),
            "sessionId": format!("session-{}", number / 2),
            "remoteAddress": format!("10.0.{}.{}", number % 3, number % 251),
            "properties": {
                "country": pick(&["SE", "NO", "DE", "fi", "US"], number),
                "plan": pick(&["pro", "free", "Professional", "enterprise", "employee", "", "zoë"], number),
                "age": pick(&["17.99", "18", "1e2", "x", "-3"], number / 5),
                "appVersion": pick(&["1.9.9", "1.10.0", "2.0.0-rc.1", "v2", "3.0.0+b"], number / 7),
            },
        })
    });
    by_hand.iter().cloned().chain(more).collect()
}

/// The value and the variant that OpenFeature should tell.
fn told_by_openfeature(entry: &Value) -> (Value, Value) {
    let is_on = entry["isEnabled"] == true;
    let variant = &entry["variant"];
    if !is_on || variant["enabled"] != true {
        return (json!(is_on), json!(if is_on { "on" } else { "off" }));
    }
    let text = text(&variant["payload"], "value");
    let value = match variant["payload"]["type"].as_str() {
        None => json!(true),
        Some("number" | "json") => serde_json::from_str(&text).unwrap_or(json!(text)),
        Some(_) => json!(text),
    };
    (value, variant["name"].clone())
}

/// What of a variant an SDK and the playground both tell.
fn comparable(variant: &Value) -> Value {
    json!({
        "name": variant["name"],
        "enabled": variant["enabled"],
        "payload": variant["payload"],
        "feature_enabled": variant["feature_enabled"],
    })
}

/// A strategy with the numbers of its segments for their names.
fn with_segment_ids(strategy: &Value, segments: &Map<String, Value>) -> Value {
    let mut strategy = strategy.clone();
    if let Some(names) = strategy.get_mut("segments").and_then(Value::as_array_mut) {
        for name in names {
            *name = name
                .as_str()
                .and_then(|name| segments.get(name))
                .cloned()
                .unwrap_or(Value::Null);
        }
    }
    strategy
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}
