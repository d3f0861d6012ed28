//! The proof of whom a change touches: what is asked, and what is answered.

use serde_json::{Map, Value, json};
use vexil_client_api::json::{Node, Problems};
use vexil_preview::{
    ConditionOn, ContextSet, Effect, EffectBox, EffectGroup, FlagEffect, Guard, GuardFinding, GuardVerdict,
    Share, Transition, Witness,
};

use super::diff::{outcome_document, transition_name};
use super::part::Part;
use crate::timestamp::Timestamp;

/// What is asked of a proof: the guards.
#[derive(Debug, Default)]
pub struct ProofQuestion {
    /// In the order `never`, `only`, `atMost`.
    pub guards: Vec<Guard>,
}

/// `{"never": ["plan=enterprise"], "only": [], "atMost": "10%"}`.
impl Part for ProofQuestion {
    fn members() -> Vec<&'static str> {
        vec!["never", "only", "atMost"]
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let mut guards = Vec::new();
        for (name, make) in [
            ("never", Guard::Never as fn(ContextSet) -> Guard),
            ("only", Guard::Only),
        ] {
            let place = node.get(name);
            let Some(value) = place.value() else {
                continue;
            };
            let texts: Option<Vec<&str>> = match value {
                Value::String(text) => Some(vec![text]),
                Value::Array(list) => list.iter().map(Value::as_str).collect(),
                _ => None,
            };
            for text in texts.iter().flatten() {
                match read_set(text) {
                    Ok(set) => guards.push(make(set)),
                    Err(message) => problems.refuse(place.path(), &message, value),
                }
            }
            if texts.is_none() {
                problems.refuse(
                    place.path(),
                    "must be a list of texts such as `plan=enterprise;country=NO,SE`",
                    value,
                );
            }
        }
        let place = node.get("atMost").nullable();
        if let Some(value) = place.value() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match read_share(&text) {
                Ok(share) => guards.push(Guard::AtMost(share)),
                Err(message) => problems.refuse(place.path(), &message, value),
            }
        }
        Some(Self { guards })
    }
}

/// Reads `field=value,value;field=value`; an empty value means that the field is unset.
///
/// # Errors
///
/// Why it is none, for people.
pub fn read_set(text: &str) -> Result<ContextSet, String> {
    let mut set = ContextSet::default();
    for part in text.split(';').filter(|part| !part.trim().is_empty()) {
        let Some((field, values)) = part.split_once('=') else {
            return Err(format!("`{part}` says no value; write it as `field=value,value`"));
        };
        let values = values.split(',').map(str::to_owned).collect();
        set.fields.push((field.trim().to_owned(), values));
    }
    if set.fields.is_empty() {
        return Err("must name a field, such as `plan=enterprise`".to_owned());
    }
    Ok(set)
}

/// Reads a share: `10%`, `0.5 %` or `33.3`, all of a hundred, exactly.
///
/// # Errors
///
/// Why it is none, for people.
pub fn read_share(text: &str) -> Result<Share, String> {
    let bad = || format!("`{text}` is not a percentage from 0 to 100, such as `10%`");
    let number = text.trim().trim_end_matches('%').trim_end();
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || whole.len() > 3 || fraction.len() > 12 {
        return Err(bad());
    }
    let scale = 10_u128.pow(fraction.len() as u32);
    let parts: u128 = format!("{whole}{fraction}")
        .parse::<u128>()
        .ok()
        .ok_or_else(bad)?;
    if parts > 100 * scale {
        return Err(bad());
    }
    Ok(Share::new(parts, 100 * scale))
}

/// The proof as a document. `unaffected` is how many flags cannot differ.
#[must_use]
pub fn proof_document(effect: &Effect, unaffected: usize) -> Map<String, Value> {
    let changed = effect.flags.iter().filter(|flag| !flag.groups.is_empty());
    let features: Vec<Value> = effect
        .flags
        .iter()
        .filter(|flag| !flag.groups.is_empty() || !flag.is_complete())
        .map(feature)
        .collect();
    let undecided = effect.flags.iter().flat_map(|flag| &flag.undecided);
    let undecided =
        undecided.map(|one| json!({ "flag": one.flag.as_str(), "reason": one.reason.to_string() }));
    let nodes: u64 = effect.flags.iter().map(|flag| flag.nodes).sum();
    let mut document = Map::new();
    let mut put = |name: &str, value: Value| drop(document.insert(name.to_owned(), value));
    put("complete", json!(effect.is_complete()));
    put("sentence", json!(sentence(effect)));
    put("effect", json!(effect.digest()));
    put(
        "flags",
        json!({ "compared": effect.flags.len(), "changed": changed.count(), "unaffected": unaffected }),
    );
    put("features", Value::Array(features));
    put("undecided", undecided.collect());
    put("guards", effect.guards.iter().map(guard).collect());
    put("nodes", json!(nodes));
    document
}

/// What the proof says in one sentence.
fn sentence(effect: &Effect) -> String {
    let changed = effect.flags.iter().filter(|flag| !flag.groups.is_empty()).count();
    match (effect.is_complete(), changed) {
        (true, 0) => "Nothing changes for anybody: proven.".to_owned(),
        (true, _) => "Nobody else changes: proven.".to_owned(),
        (false, _) => "Others may change: not everything could be decided.".to_owned(),
    }
}

fn feature(flag: &FlagEffect) -> Value {
    json!({
        "name": flag.flag.as_str(),
        "project": flag.project.as_ref().map(|project| project.as_str()),
        "complete": flag.is_complete(),
        "groups": flag.groups.iter().map(group).collect::<Vec<_>>(),
    })
}

fn group(group: &EffectGroup) -> Value {
    json!({
        "change": transition_name(Transition::of(&group.before, &group.after)),
        "before": outcome_document(&group.before),
        "after": outcome_document(&group.after),
        "sentence": format!("{} -> {}", group.before, group.after),
        "boxes": group.boxes.iter().map(region).collect::<Vec<_>>(),
        "more": group.more,
    })
}

fn region(region: &EffectBox) -> Value {
    let conditions = region.conditions.iter().map(|condition| {
        let (kind, name) = match &condition.on {
            ConditionOn::Field(field) => ("field", Some(field.as_str())),
            ConditionOn::Host => ("host", None),
            ConditionOn::Strategy(name) => ("strategy", Some(name.as_str())),
            ConditionOn::Bucket(field) => ("bucket", Some(field.as_str())),
            ConditionOn::Chance => ("chance", None),
        };
        json!({ "kind": kind, "name": name, "words": condition.words })
    });
    json!({
        "sentence": region.to_string(),
        "conditions": conditions.collect::<Vec<_>>(),
        "share": region.share.map(share),
        "witness": region.witness.as_ref().map(witness),
    })
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

fn guard(finding: &GuardFinding) -> Value {
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
            document.insert("witness".to_owned(), shown.as_ref().map_or(Value::Null, witness));
            if let Some(largest) = largest {
                document.insert("share".to_owned(), share(*largest));
            }
            "broken"
        }
    };
    document.insert("verdict".to_owned(), json!(verdict));
    Value::Object(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_read_exactly() {
        for (text, share) in [
            ("10%", Share::new(1, 10)),
            ("0.5 %", Share::new(1, 200)),
            ("33.3", Share::new(333, 1000)),
            ("100%", Share::ALL),
            ("0", Share::NONE),
        ] {
            assert_eq!(read_share(text), Ok(share), "{text}");
        }
        for text in ["", "%", "-1%", "101%", "1e1", "10%%x", "1000", "ten"] {
            assert!(read_share(text).is_err(), "{text}");
        }
    }

    #[test]
    fn guards_are_read_and_all_that_is_wrong_is_listed() {
        let body = json!({ "never": ["plan=enterprise"], "only": ["country=NO,SE;plan="], "atMost": "10%" });
        let question = ProofQuestion::read(&body).unwrap();
        let texts: Vec<String> = question.guards.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "never plan=enterprise",
                "only country=NO,SE;plan=unset",
                "at most 10 %"
            ]
        );
        let problems =
            ProofQuestion::read(&json!({ "never": ["plan"], "only": 3, "atMost": "x" })).unwrap_err();
        assert_eq!(problems.len(), 3);
        assert!(ProofQuestion::read(&json!({})).unwrap().guards.is_empty());
    }
}
