//! The proof of whom a change touches: what is answered.
//!
//! Flags that the same change decides differently in other environments stand behind those of its own, each with
//! its `environment`.
//!
//! `{…, "complete", "sentence", "effect", "flags", "features": […], "undecided", "guards", "nodes", "warnings"?}`. What is said of
//! all flags stands before them, so that a reader need not read to the end; the flags are most of it.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use vexil_domain::EnvironmentName;
use vexil_preview::{
    ConditionOn, EffectBox, EffectCondition, EffectGroup, EffectSummary, FlagEffect, GuardFinding,
    GuardVerdict, Share, Transition, Undecided, Witness,
};

use super::diff::{outcome_document, transition_name};
use super::text::write_json;
use super::warnings::PlaygroundWarnings;
use crate::timestamp::Timestamp;

/// What a proof says of all flags together.
pub struct ProofFrame<'a> {
    /// Members before all others.
    pub head: &'a Map<String, Value>,
    /// What is said of the effect.
    pub summary: &'a EffectSummary,
    /// What became of the guards, each with the environment that shows it where that is another one.
    pub guards: &'a [(GuardFinding, Option<EnvironmentName>)],
    /// How many flags cannot differ.
    pub unaffected: usize,
    /// What is to be warned of.
    pub warnings: &'a PlaygroundWarnings,
}

impl fmt::Debug for ProofFrame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProofFrame").finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct Opening<'a> {
    #[serde(flatten)]
    head: &'a Map<String, Value>,
    complete: bool,
    sentence: &'static str,
    effect: Option<String>,
    flags: Counts,
}

#[derive(Serialize)]
struct Counts {
    compared: usize,
    changed: usize,
    unaffected: usize,
}

#[derive(Serialize)]
struct Closing<'a> {
    undecided: Vec<UndecidedDocument<'a>>,
    guards: Vec<Value>,
    nodes: u64,
    #[serde(skip_serializing_if = "PlaygroundWarnings::is_empty")]
    warnings: &'a PlaygroundWarnings,
}

impl ProofFrame<'_> {
    fn opening(&self) -> Opening<'_> {
        let summary = self.summary;
        Opening {
            head: self.head,
            complete: summary.is_complete(),
            sentence: sentence(summary),
            effect: summary.digest(),
            flags: Counts {
                compared: summary.compared,
                changed: summary.changed(),
                unaffected: self.unaffected,
            },
        }
    }

    fn closing(&self) -> Closing<'_> {
        Closing {
            undecided: self.summary.undecided.iter().map(UndecidedDocument).collect(),
            guards: self.guards.iter().map(guard).collect(),
            nodes: self.summary.nodes,
            warnings: self.warnings,
        }
    }

    /// The JSON text that stands before the flags.
    #[must_use]
    pub fn before_flags(&self) -> Vec<u8> {
        let mut text = Vec::new();
        write_json(&self.opening(), &mut text);
        // the object goes on
        text.pop();
        text.extend_from_slice(b",\"features\":[");
        text
    }

    /// The JSON text that stands behind the flags, which stand between the two with commas between them.
    #[must_use]
    pub fn after_flags(&self) -> Vec<u8> {
        let mut text = b"],".to_vec();
        let begin = text.len();
        write_json(&self.closing(), &mut text);
        // no object begins here
        text.remove(begin);
        text
    }

    /// The whole as a document, with these flags.
    ///
    /// # Errors
    ///
    /// None of what proofs say: a value that cannot be a document.
    pub fn document(&self, flags: Vec<Value>) -> Result<Value, serde_json::Error> {
        let mut document = serde_json::to_value(self.opening())?;
        let closing = serde_json::to_value(self.closing())?;
        if let (Some(members), Value::Object(closing)) = (document.as_object_mut(), closing) {
            members.insert("features".to_owned(), Value::Array(flags));
            members.extend(closing);
        }
        Ok(document)
    }
}

/// What the proof says in one sentence.
fn sentence(summary: &EffectSummary) -> &'static str {
    match (summary.is_complete(), summary.changed()) {
        (true, 0) => "Nothing changes for anybody: proven.",
        (true, _) => "Nobody else changes: proven.",
        (false, _) => "Others may change: not everything could be decided.",
    }
}

struct UndecidedDocument<'a>(&'a Undecided);

impl Serialize for UndecidedDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("flag", self.0.flag.as_str())?;
        map.serialize_entry("reason", &self.0.reason.to_string())?;
        map.end()
    }
}

/// A flag of a proof, as it is written.
pub struct ProvenFlag<'a> {
    effect: &'a FlagEffect,
    elsewhere: Option<&'a EnvironmentName>,
}

impl fmt::Debug for ProvenFlag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProvenFlag").finish_non_exhaustive()
    }
}

impl<'a> ProvenFlag<'a> {
    /// The flag of an effect, unless there is nothing to say of it; `elsewhere` is the environment where that is
    /// another one than the answer is about.
    #[must_use]
    pub fn of(effect: &'a FlagEffect, elsewhere: Option<&'a EnvironmentName>) -> Option<Self> {
        let is_told = !effect.groups.is_empty() || !effect.is_complete();
        is_told.then_some(Self { effect, elsewhere })
    }
}

impl Serialize for ProvenFlag<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let flag = self.effect;
        let mut map = serializer.serialize_map(Some(4 + usize::from(self.elsewhere.is_some())))?;
        map.serialize_entry("name", flag.flag.as_str())?;
        if let Some(environment) = self.elsewhere {
            map.serialize_entry("environment", environment.as_str())?;
        }
        map.serialize_entry("project", &flag.project.as_ref().map(|project| project.as_str()))?;
        map.serialize_entry("complete", &flag.is_complete())?;
        map.serialize_entry("groups", &List(&flag.groups, GroupDocument))?;
        map.end()
    }
}

/// Some things, each as the document that it makes.
struct List<'a, T, D>(&'a [T], fn(&'a T) -> D);

impl<T, D: Serialize> Serialize for List<'_, T, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

struct GroupDocument<'a>(&'a EffectGroup);

impl Serialize for GroupDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let group = self.0;
        let change = transition_name(Transition::of(&group.before, &group.after));
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("change", change)?;
        map.serialize_entry("before", &outcome_document(&group.before))?;
        map.serialize_entry("after", &outcome_document(&group.after))?;
        map.serialize_entry("sentence", &group.before.change_to(&group.after))?;
        map.serialize_entry("boxes", &List(&group.boxes, BoxDocument))?;
        map.serialize_entry("more", &group.more)?;
        map.end()
    }
}

struct BoxDocument<'a>(&'a EffectBox);

impl Serialize for BoxDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let region = self.0;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("sentence", &region.to_string())?;
        map.serialize_entry("conditions", &List(&region.conditions, ConditionDocument))?;
        map.serialize_entry("share", &region.share.map(share))?;
        map.serialize_entry("witness", &region.witness.as_ref().map(witness))?;
        map.end()
    }
}

struct ConditionDocument<'a>(&'a EffectCondition);

impl Serialize for ConditionDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, name) = match &self.0.on {
            ConditionOn::Field(field) => ("field", Some(&**field)),
            ConditionOn::Host => ("host", None),
            ConditionOn::Strategy(name) => ("strategy", Some(&**name)),
            ConditionOn::Bucket(field) => ("bucket", Some(&**field)),
            ConditionOn::Chance => ("chance", None),
        };
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("name", &name)?;
        map.serialize_entry("words", &*self.0.words)?;
        map.end()
    }
}

/// A share as two whole numbers and a percentage. Numbers that not every reader keeps exact are texts.
fn share(share: Share) -> Value {
    let exact = |number: u128| match u64::try_from(number) {
        Ok(number) if number < 1 << 53 => json!(number),
        _ => json!(number.to_string()),
    };
    json!({
        "numerator": exact(share.numerator()),
        "denominator": exact(share.denominator()),
        "percent": share.as_f64() * 100.0,
    })
}

/// A witness as a document: the context as the playground takes it, and what else the answer depends on.
fn witness(witness: &Witness) -> Value {
    let context: Map<String, Value> = witness
        .context
        .iter()
        .map(|(field, value)| (field.clone(), json!(value)))
        .collect();
    let mut document = Map::new();
    document.insert("context".to_owned(), Value::Object(context));
    if let Some(now) = witness.now {
        document.insert("now".to_owned(), json!(Timestamp(now)));
    }
    if let Some(seed) = witness.seed {
        document.insert("seed".to_owned(), json!(seed.to_string()));
    }
    if let Some(host) = &witness.host_name {
        document.insert("hostName".to_owned(), json!(host));
    }
    if !witness.strategies.is_empty() {
        let says = witness.strategies.iter();
        let says =
            says.map(|one| json!({ "name": one.name, "parameters": one.parameters, "says": one.says }));
        document.insert("strategies".to_owned(), says.collect());
    }
    Value::Object(document)
}

fn guard((finding, elsewhere): &(GuardFinding, Option<EnvironmentName>)) -> Value {
    let mut document = Map::new();
    document.insert("guard".to_owned(), json!(finding.guard.to_string()));
    let verdict = match &finding.verdict {
        GuardVerdict::Holds => "holds",
        GuardVerdict::Undecided => "undecided",
        GuardVerdict::Broken {
            flag,
            witness: shown,
            share: largest,
        } => {
            document.insert("flag".to_owned(), json!(flag.as_str()));
            if let Some(environment) = elsewhere {
                document.insert("environment".to_owned(), json!(environment.as_str()));
            }
            document.insert("witness".to_owned(), witness(shown));
            if let Some(largest) = largest {
                document.insert("share".to_owned(), share(*largest));
            }
            "broken"
        }
    };
    document.insert("verdict".to_owned(), json!(verdict));
    Value::Object(document)
}
