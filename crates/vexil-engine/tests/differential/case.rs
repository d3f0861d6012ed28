//! One question, and what an engine answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_client_api::client_features::{Query, Segments, write_features};
use vexil_client_api::load_engine;
use vexil_domain::{Context, EnvironmentName, EnvironmentSnapshot, FlagName, SegmentId, WeightType};
use vexil_engine::Ambient;

/// A flag among others, and who asks.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) snapshot: EnvironmentSnapshot,
    pub(crate) flag: FlagName,
    pub(crate) context: Context,
}

impl Case {
    pub(crate) fn show(&self) -> String {
        let document = document(&self.snapshot);
        format!("`{}` for {:?} in {document}", self.flag, self.context)
    }
}

/// What an engine says of a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Off,
    On,
    Variant(String, Option<String>),
    /// It gave up.
    Failed(String),
}

impl Answer {
    pub(crate) fn new(on: bool, variant: Option<(String, Option<String>)>) -> Self {
        match variant {
            _ if !on => Self::Off,
            None => Self::On,
            Some((name, payload)) => Self::Variant(name, payload),
        }
    }
}

/// The document that servers send of a state.
pub(crate) fn document(snapshot: &EnvironmentSnapshot) -> String {
    let query = Query {
        projects: None,
        name_prefix: None,
        tagged: None,
        environment: &EnvironmentName::from("production"),
        revision: 1,
        tag: "",
        hash: "",
    };
    let mut out = Vec::new();
    write_features(snapshot, Segments::Listed, &query, &mut out);
    String::from_utf8(out).unwrap()
}

/// The state without flags that have no name, without variants that share one, and without numbers that the other engine
/// refuses with the whole document.
pub(crate) fn sendable(mut snapshot: EnvironmentSnapshot) -> EnvironmentSnapshot {
    let engine = load_engine(document(&snapshot).as_bytes()).unwrap().engine;
    snapshot
        .flags
        .retain(|name, _| engine.flag(name.as_str()).is_some());
    for flag in snapshot.flags.values_mut() {
        let settings = Arc::make_mut(&mut Arc::make_mut(flag).settings);
        let of_strategies = settings
            .strategies
            .iter_mut()
            .map(|strategy| &mut strategy.variants);
        for variants in of_strategies.chain([&mut settings.variants]) {
            let mut names = BTreeSet::new();
            variants.retain(|variant| names.insert(variant.name.clone()));
            for variant in variants {
                variant.weight = variant.weight.min(i32::MAX as u32);
                if matches!(variant.weight_type, WeightType::Other(_)) {
                    variant.weight_type = WeightType::Variable;
                }
            }
        }
        for strategy in &mut settings.strategies {
            for id in &mut strategy.segments {
                *id = SegmentId(id.0.min(9_999));
            }
        }
    }
    snapshot
}

/// What this engine says: for each flag, for each context.
pub(crate) fn ours(snapshot: &EnvironmentSnapshot, flags: &[FlagName], contexts: &[Context]) -> Vec<Answer> {
    let engine = load_engine(document(snapshot).as_bytes()).unwrap().engine;
    let ambient = Ambient::new(OffsetDateTime::now_utc(), 0);
    let each = flags
        .iter()
        .flat_map(|flag| contexts.iter().map(move |context| (flag, context)));
    each.map(|(flag, context)| {
        let choice = engine.variant(flag.as_str(), context, &ambient);
        let variant = choice.enabled.then(|| {
            let payload = choice.payload.map(|payload| payload.value.clone());
            (choice.name.to_owned(), payload)
        });
        assert_eq!(
            engine.is_enabled(flag.as_str(), context, &ambient),
            choice.feature_enabled
        );
        Answer::new(choice.feature_enabled, variant)
    })
    .collect()
}
