//! What names the effect of a change request: who would get which flag, before and after.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sha2::{Digest as _, Sha256};
use vexil_domain::{
    ActivationStrategy, Constraint, Dependents, EnvironmentName, FeatureFlag, FlagName, FlagSettings,
    SegmentId, Snapshot, Variant, Write,
};

/// The form of the text that is hashed. A digest of another form is a digest of another effect, so a new form
/// asks for every approval again.
const FORM: &str = "1";

/// Names an effect. Two effects with the same digest let the same users in.
///
/// It is text such as `1:9f86d0…`: the form, and a SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct EffectDigest(String);

impl EffectDigest {
    /// A digest as it was stored. What is no digest equals none.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The digest as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EffectDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An effect as somebody approves it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct SignedEffect {
    /// Which effect it is.
    pub digest: EffectDigest,
    /// The same in words.
    pub words: String,
    /// The revision of the configuration at which it was found.
    pub revision: u64,
}

impl SignedEffect {
    /// An effect of which only the digest is known.
    #[must_use]
    pub fn of(digest: EffectDigest) -> Self {
        Self {
            digest,
            words: String::new(),
            revision: 0,
        }
    }
}

/// The digest of what `after` changes for users, by what flags say: what lets the same users in by other words
/// has another digest.
///
/// It covers, for each live flag and each environment in which the flag says something else afterwards, what
/// it says before and after: the switch; while that is on, the enabled strategies in their order with
/// parameters, constraints and the content of their segments; variants; and what it depends on, with what that
/// parent says. Default strategies that are added count, as all else. Titles, descriptions, ids and what is
/// disabled do not.
#[must_use]
pub fn effect_digest(before: &Snapshot, after: &Snapshot) -> EffectDigest {
    let (mut then, mut now) = (Teller::new(before), Teller::new(after));
    let mut hash = Hash::new();
    hash.text(FORM);
    for name in touched(before, after) {
        let flags = [before, after].map(|snapshot| snapshot.flags.get(&name));
        let environments: BTreeSet<&EnvironmentName> = flags
            .iter()
            .flatten()
            .flat_map(|flag| flag.environments.keys())
            .collect();
        for environment in environments {
            let (was, is) = (then.told(&name, environment), now.told(&name, environment));
            if was != is {
                hash.text(name.as_str());
                hash.text(environment.as_str());
                hash.bytes(&was);
                hash.bytes(&is);
            }
        }
    }
    let sum = hash.finish();
    let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    EffectDigest(format!("{FORM}:{hex}"))
}

/// The flags that may be decided differently: those edited, those that use an edited segment, and those that
/// depend on any of them.
fn touched(before: &Snapshot, after: &Snapshot) -> BTreeSet<FlagName> {
    let delta = after.since(before);
    let mut names: BTreeSet<FlagName> = BTreeSet::new();
    for write in &delta.flags {
        names.insert(match write {
            Write::Upsert(flag) => flag.name.clone(),
            Write::Delete(name) => name.clone(),
        });
    }
    let segments: BTreeSet<SegmentId> = delta
        .segments
        .iter()
        .map(|write| match write {
            Write::Upsert(segment) => segment.id,
            Write::Delete(id) => *id,
        })
        .collect();
    if !segments.is_empty() {
        for snapshot in [before, after] {
            let using = snapshot.flags.values().filter(|flag| uses(flag, &segments));
            names.extend(using.map(|flag| flag.name.clone()));
        }
    }
    if names.is_empty() {
        return names;
    }
    for dependents in [before, after].map(Dependents::of) {
        let children: Vec<FlagName> = names
            .iter()
            .flat_map(|name| dependents.on(name))
            .cloned()
            .collect();
        names.extend(children);
    }
    names
}

fn uses(flag: &FeatureFlag, segments: &BTreeSet<SegmentId>) -> bool {
    let settings = flag.environments.values();
    let mut used = settings
        .flat_map(|settings| &settings.strategies)
        .flat_map(|it| &it.segments);
    used.any(|id| segments.contains(id))
}

type Sum = [u8; 32];

/// Tells what flags of one snapshot say, each segment and each flag by a sum of its own.
struct Teller<'a> {
    snapshot: &'a Snapshot,
    segments: BTreeMap<SegmentId, Sum>,
}

impl<'a> Teller<'a> {
    fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            segments: BTreeMap::new(),
        }
    }

    /// What a flag says in an environment, its parents included.
    fn told(&mut self, name: &FlagName, environment: &EnvironmentName) -> Sum {
        let mut hash = Hash::new();
        self.tell(&mut hash, name, environment, true);
        hash.finish()
    }

    fn tell(&mut self, hash: &mut Hash, name: &FlagName, environment: &EnvironmentName, parents: bool) {
        let live = self.snapshot.flags.get(name).filter(|flag| !flag.is_archived());
        let Some(flag) = live else {
            hash.text("absent");
            return;
        };
        let settings = flag
            .environments
            .get(environment)
            .filter(|settings| settings.enabled);
        let Some(settings) = settings else {
            hash.text("off");
            return;
        };
        hash.text("on");
        self.tell_settings(hash, settings);
        hash.count(flag.dependencies.len());
        for dependency in &flag.dependencies {
            hash.text(dependency.parent.as_str());
            hash.text(if dependency.enabled { "on" } else { "off" });
            let variants: BTreeSet<&String> = dependency.variants.iter().collect();
            hash.count(variants.len());
            variants.into_iter().for_each(|variant| hash.text(variant));
            // a parent with parents of its own satisfies nobody, so one level is enough
            if parents {
                self.tell(hash, &dependency.parent, environment, false);
            }
        }
    }

    fn tell_settings(&mut self, hash: &mut Hash, settings: &FlagSettings) {
        // without any strategy a flag is on for everybody, with disabled ones alone for nobody
        hash.text(if settings.strategies.is_empty() {
            "everybody"
        } else {
            "some"
        });
        let enabled: Vec<&ActivationStrategy> = settings
            .strategies
            .iter()
            .filter(|strategy| !strategy.disabled)
            .collect();
        hash.count(enabled.len());
        for strategy in enabled {
            hash.text(&strategy.name);
            hash.count(strategy.parameters.len());
            for (name, value) in &strategy.parameters {
                hash.text(name);
                hash.text(value);
            }
            tell_constraints(hash, &strategy.constraints);
            let segments: BTreeSet<SegmentId> = strategy.segments.iter().copied().collect();
            let mut sums: Vec<Sum> = segments.into_iter().map(|id| self.segment(id)).collect();
            sums.sort_unstable();
            hash.count(sums.len());
            sums.iter().for_each(|sum| hash.bytes(sum));
            tell_variants(hash, &strategy.variants);
        }
        tell_variants(hash, &settings.variants);
    }

    fn segment(&mut self, id: SegmentId) -> Sum {
        let snapshot = self.snapshot;
        *self.segments.entry(id).or_insert_with(|| {
            let mut hash = Hash::new();
            match snapshot.segments.get(&id) {
                Some(segment) => tell_constraints(&mut hash, &segment.constraints),
                None => hash.text("absent"),
            }
            hash.finish()
        })
    }
}

/// Constraints must all hold, so their order does not count.
fn tell_constraints(hash: &mut Hash, all: &[Constraint]) {
    let mut sums: Vec<Sum> = all.iter().map(constraint).collect();
    sums.sort_unstable();
    hash.count(sums.len());
    sums.iter().for_each(|sum| hash.bytes(sum));
}

fn constraint(constraint: &Constraint) -> Sum {
    let mut hash = Hash::new();
    hash.text(&constraint.context_name);
    hash.text(constraint.operator.name());
    hash.text(if constraint.is_inverted() { "not" } else { "" });
    hash.text(if constraint.is_case_insensitive() {
        "ignoring case"
    } else {
        ""
    });
    hash.text(constraint.value.as_deref().unwrap_or_default());
    let values: BTreeSet<&String> = constraint.values.iter().collect();
    hash.count(values.len());
    values.into_iter().for_each(|value| hash.text(value));
    hash.finish()
}

/// Variants take their ranges one after the other, so their order counts.
fn tell_variants(hash: &mut Hash, all: &[Variant]) {
    hash.count(all.len());
    for variant in all {
        hash.text(&variant.name);
        hash.count(variant.weight as usize);
        hash.text(variant.stickiness.as_ref().map_or("", |one| one.name()));
        let payload = variant.payload.as_ref();
        hash.text(payload.map_or("", |payload| &payload.kind));
        hash.text(payload.map_or("", |payload| &payload.value));
        hash.count(variant.overrides.len());
        for entry in &variant.overrides {
            hash.text(&entry.context_name);
            hash.count(entry.values.len());
            entry.values.iter().for_each(|value| hash.text(value));
        }
    }
}

/// A hash over parts, each with its length before it, so that no two lists of parts are the same text.
struct Hash(Sha256);

impl Hash {
    fn new() -> Self {
        Self(Sha256::new())
    }

    fn count(&mut self, count: usize) {
        self.0.update((count as u64).to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn finish(self) -> Sum {
        self.0.finalize().into()
    }
}
