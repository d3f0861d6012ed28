//! The difference that a change request makes, as a document.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use vexil_domain::{Payload, Stickiness};
use vexil_preview::{
    Cell, Condition, ContextBox, Counts, Difference, FlagDifference, FlagMovement, Group, Impact, Outcome,
    RolloutMovement, RolloutRange, Share, Suggestion, Transition, VariantMovement,
};

/// All that is answered to a question for the difference.
#[derive(Debug, Clone, Copy)]
pub struct DiffAnswer<'a> {
    /// What changes.
    pub difference: &'a Difference,
    /// How many flags are shown as unchanged without being looked at.
    pub unaffected: usize,
    /// What moves in the hash space.
    pub movements: &'a [FlagMovement],
    /// The values that were tried besides those asked for.
    pub suggestion: Option<&'a Suggestion>,
    /// What the change makes of synthetic users.
    pub impact: Option<&'a Impact>,
}

impl DiffAnswer<'_> {
    /// How often each transition occurs, the flags that were not looked at included.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = self.difference.counts;
        let unaffected = self
            .difference
            .combinations
            .saturating_mul(self.unaffected as u128);
        counts.add(Transition::Unchanged, unaffected);
        counts
    }
}

/// Writes the members `combinations`, `evaluations`, `flags`, `counts`, `features`, and, where they
/// were asked for, `suggested` and `population`. Features without a change are only counted.
impl Serialize for DiffAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let difference = self.difference;
        let changed: Vec<FlagDocument<'_>> = difference
            .flags
            .iter()
            .filter(|flag| flag.counts.changed() > 0)
            .map(|flag| self.flag(flag))
            .collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("combinations", &difference.combinations)?;
        map.serialize_entry("evaluations", &difference.evaluations)?;
        map.serialize_entry(
            "flags",
            &json!({
                "compared": difference.flags.len(),
                "changed": changed.len(),
                "unchanged": difference.flags.len() - changed.len() + self.unaffected,
            }),
        )?;
        map.serialize_entry("counts", &CountsDocument(&self.counts()))?;
        map.serialize_entry("features", &changed)?;
        if let Some(suggestion) = self.suggestion {
            let fields = suggestion
                .fields
                .iter()
                .map(|field| (field.name.clone(), json!(field.values)));
            let fields: Map<String, Value> = fields.collect();
            map.serialize_entry(
                "suggested",
                &json!({ "fields": fields, "incomplete": suggestion.incomplete }),
            )?;
        }
        if let Some(impact) = self.impact {
            map.serialize_entry("population", &ImpactDocument(impact))?;
        }
        map.end()
    }
}

impl<'a> DiffAnswer<'a> {
    fn flag(&self, flag: &'a FlagDifference) -> FlagDocument<'a> {
        let movement = self.movements.iter().find(|movement| movement.flag == flag.flag);
        FlagDocument {
            name: flag.flag.as_str(),
            project: flag.project.as_ref().map(|project| project.as_str()),
            reads: &flag.fields,
            counts: CountsDocument(&flag.counts),
            groups: flag.groups.iter().map(GroupDocument).collect(),
            rollouts: movement.iter().flat_map(|it| &it.rollouts).map(rollout).collect(),
            variants: movement
                .iter()
                .flat_map(|it| &it.variants)
                .map(variants)
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct FlagDocument<'a> {
    name: &'a str,
    project: Option<&'a str>,
    reads: &'a [String],
    counts: CountsDocument<'a>,
    groups: Vec<GroupDocument<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rollouts: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Value>,
}

struct CountsDocument<'a>(&'a Counts);

impl Serialize for CountsDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Counts {
            turns_on,
            turns_off,
            variant_changes,
            becomes_unknown,
            no_longer_unknown,
            appears,
            disappears,
            unchanged,
        } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("offToOn", turns_on)?;
        map.serialize_entry("onToOff", turns_off)?;
        map.serialize_entry("variantChanged", variant_changes)?;
        map.serialize_entry("becomesUnknown", becomes_unknown)?;
        map.serialize_entry("noLongerUnknown", no_longer_unknown)?;
        map.serialize_entry("appears", appears)?;
        map.serialize_entry("disappears", disappears)?;
        map.serialize_entry("unchanged", unchanged)?;
        map.end()
    }
}

/// The name of a transition, as in `counts`.
#[must_use]
pub fn transition_name(transition: Transition) -> &'static str {
    match transition {
        Transition::TurnsOn => "offToOn",
        Transition::TurnsOff => "onToOff",
        Transition::VariantChanges => "variantChanged",
        Transition::BecomesUnknown => "becomesUnknown",
        Transition::NoLongerUnknown => "noLongerUnknown",
        Transition::Appears => "appears",
        Transition::Disappears => "disappears",
        Transition::Unchanged => "unchanged",
    }
}

struct GroupDocument<'a>(&'a Group);

impl Serialize for GroupDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let group = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("change", transition_name(group.transition()))?;
        map.serialize_entry("before", &outcome_document(&group.before))?;
        map.serialize_entry("after", &outcome_document(&group.after))?;
        map.serialize_entry("combinations", &group.combinations)?;
        map.serialize_entry("when", &group.boxes.iter().map(BoxDocument).collect::<Vec<_>>())?;
        map.serialize_entry("sentence", &group.to_string())?;
        map.serialize_entry("cell", &CellDocument(&group.cell))?;
        map.end()
    }
}

/// A box: each field that matters with the values that decide, or with all but which.
struct BoxDocument<'a>(&'a ContextBox);

impl Serialize for BoxDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.conditions.len()))?;
        for Condition {
            field,
            values,
            except,
        } in &self.0.conditions
        {
            let key = if *except { "isNot" } else { "is" };
            map.serialize_entry(field, &json!({ key: values }))?;
        }
        map.end()
    }
}

/// A cell; fields without a value are left out of its context.
struct CellDocument<'a>(&'a Cell);

impl Serialize for CellDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let set = self.0.context.iter().filter(|(_, value)| !value.is_empty());
        let context: Map<String, Value> = set.map(|(field, value)| (field.clone(), json!(value))).collect();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("combination", &self.0.combination)?;
        map.serialize_entry("context", &context)?;
        map.end()
    }
}

/// What a flag is for a context: `exists`, `enabled` (true, false or `"unknown"`), and the variant of one that is on.
#[must_use]
pub fn outcome_document(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Absent => json!({ "exists": false, "enabled": false }),
        Outcome::Off => json!({ "exists": true, "enabled": false }),
        Outcome::Unknown => json!({ "exists": true, "enabled": "unknown" }),
        Outcome::On(None) => json!({ "exists": true, "enabled": true }),
        Outcome::On(Some(variant)) => {
            let mut document = json!({ "name": variant.name });
            if let (Some(Payload { kind, value }), Some(members)) =
                (&variant.payload, document.as_object_mut())
            {
                members.insert("payload".to_owned(), json!({ "type": kind, "value": value }));
            }
            json!({ "exists": true, "enabled": true, "variant": document })
        }
    }
}

fn share(share: Share) -> Value {
    json!({ "of": [share.numerator() as u64, share.denominator() as u64], "percent": share.as_f64() * 100.0 })
}

fn range(range: Option<&RolloutRange>) -> Value {
    range.map_or(Value::Null, |range| {
        json!({ "buckets": [1, range.percentage], "of": 100, "group": range.group, "stickiness": stickiness(&range.stickiness) })
    })
}

fn stickiness(stickiness: &Stickiness) -> &str {
    stickiness.name()
}

fn rollout(movement: &RolloutMovement) -> Value {
    json!({
        "strategy": movement.strategy.as_str(),
        "before": range(movement.before.as_ref()),
        "after": range(movement.after.as_ref()),
        "enters": share(movement.enters),
        "leaves": share(movement.leaves),
        "redrawn": movement.redrawn,
    })
}

fn variants(movement: &VariantMovement) -> Value {
    let moves = movement
        .moves
        .iter()
        .map(|one| json!({ "from": one.from, "to": one.to, "share": share(one.share) }));
    json!({
        "strategy": movement.strategy.as_ref().map(|strategy| strategy.as_str()),
        "moves": moves.collect::<Vec<_>>(),
        "stays": share(movement.stays),
        "redrawn": movement.redrawn,
    })
}

struct ImpactDocument<'a>(&'a Impact);

impl Serialize for ImpactDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let impact = self.0;
        let (low, high) = impact.interval();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("users", &impact.users)?;
        map.serialize_entry("hit", &impact.hit)?;
        map.serialize_entry("share", &impact.share())?;
        map.serialize_entry(
            "interval",
            &json!({ "low": low, "high": high, "confidence": 0.95 }),
        )?;
        let flags: Vec<FlagCounts<'_>> = impact
            .flags
            .iter()
            .filter(|(_, counts)| counts.changed() > 0)
            .map(|(flag, counts)| FlagCounts {
                name: flag.as_str(),
                counts: CountsDocument(counts),
            })
            .collect();
        map.serialize_entry("features", &flags)?;
        map.end()
    }
}

#[derive(Serialize)]
struct FlagCounts<'a> {
    name: &'a str,
    counts: CountsDocument<'a>,
}
