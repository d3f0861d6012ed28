//! What an import changes in its environment, as changes: what is as the document says stays.

use std::collections::BTreeMap;

use vexil_admin_api::change_requests::Proposal;
use vexil_admin_api::import::{Import, ImportedFlag, Placed};
use vexil_change_request::{Change, CheckedChange, NewStrategy, UpdateEnabled};
use vexil_domain::{ActivationStrategy, Dependency, FlagName, FlagSettings, SegmentId, StrategyId};

use super::fate::{Fate, fate};
use crate::transaction::Transaction;

/// The changes. What segments are called must have been found here. In a change request, strategies get their ids from
/// the request.
pub(super) fn of(tx: &Transaction<'_>, import: &Import, protected: bool) -> Vec<Proposal> {
    let snapshot = &tx.snapshot;
    let new_id = || (!protected).then(|| tx.random_strategy_id());
    let by_name: BTreeMap<&str, SegmentId> = snapshot
        .segments
        .values()
        .map(|segment| (segment.name.as_str(), segment.id))
        .collect();
    let here = |id: &SegmentId| by_name.get(import.segments.get(id)?.as_str()).copied();
    let mut proposals = Vec::new();
    let unset = FlagSettings::default();
    for flag in &import.flags {
        let (settings, dependencies) = match fate(snapshot, flag) {
            Fate::Left => continue,
            Fate::Made if flag.form.archived => continue,
            Fate::Made => (None, &[] as &[_]),
            Fate::Replaced(known) => (known.environments.get(&import.environment), &*known.dependencies),
        };
        let mut changes = Changes {
            flag,
            settings: settings.map_or(&unset, AsRef::as_ref),
            proposals: &mut proposals,
        };
        changes.of_strategies(&here, &new_id);
        changes.of_settings();
        changes.of_dependencies(dependencies);
    }
    // what no longer depends on another may be depended on
    let (mut first, rest): (Vec<Proposal>, Vec<Proposal>) = proposals
        .into_iter()
        .partition(|it| matches!(&*it.change, Change::DeleteDependency { .. }));
    first.extend(rest);
    first
}

/// The changes of one flag.
struct Changes<'a> {
    flag: &'a ImportedFlag,
    /// What the flag is in the environment now.
    settings: &'a FlagSettings,
    proposals: &'a mut Vec<Proposal>,
}

impl Changes<'_> {
    fn add(&mut self, path: &str, change: Change) {
        self.proposals.push(Proposal {
            flag: Some(self.flag.form.name.clone()),
            change: CheckedChange::new(change),
            path: path.to_owned(),
        });
    }

    /// Replaces the strategies, unless they are as they shall be.
    fn of_strategies(
        &mut self,
        here: &impl Fn(&SegmentId) -> Option<SegmentId>,
        new_id: &impl Fn() -> Option<StrategyId>,
    ) {
        let wanted = self.flag.strategies.iter().map(|one| Placed {
            path: one.path.clone(),
            value: NewStrategy {
                id: new_id(),
                segments: one.value.segments.iter().filter_map(here).collect(),
                ..one.value.clone()
            },
        });
        let wanted: Vec<Placed<NewStrategy>> = wanted.collect();
        let now = &self.settings.strategies;
        let mut pairs = now.iter().zip(&wanted);
        if now.len() == wanted.len() && pairs.all(|(now, wanted)| is_like(now, &wanted.value)) {
            return;
        }
        for strategy in now {
            let id = strategy.id.clone();
            self.add("/body/data/featureStrategies", Change::DeleteStrategy { id });
        }
        for one in wanted {
            self.add(&one.path, Change::AddStrategy(one.value));
        }
    }

    /// Turns the switch and replaces the variants, where the document tells of them.
    fn of_settings(&mut self) {
        let flag = self.flag;
        let Some(Placed { path, value: wanted }) = &flag.settings else {
            return;
        };
        if let Some(variants) = wanted
            .variants
            .as_ref()
            .filter(|it| **it != self.settings.variants)
        {
            let variants = variants.clone();
            self.add(path, Change::PatchVariant { variants });
        }
        // what is to be on and has no way in gets one, as whatever is turned on does
        let way_in = flag.strategies.iter().any(|one| one.value.disabled != Some(true));
        if wanted.enabled != self.settings.enabled || (wanted.enabled && !way_in) {
            let update = UpdateEnabled {
                enabled: wanted.enabled,
                activate_disabled: false,
            };
            self.add(path, Change::UpdateEnabled(update));
        }
    }

    fn of_dependencies(&mut self, now: &[Dependency]) {
        let flag = self.flag;
        let Some(wanted) = &flag.dependencies else {
            return;
        };
        match wanted.as_slice() {
            [] if now.is_empty() => {}
            [] => self.add(
                "/body/data/dependencies",
                Change::DeleteDependency { parent: None },
            ),
            [one, ..] if now.len() == 1 && now.first() == Some(&one.value) => {}
            [one, ..] => self.add(&one.path, Change::AddDependency(one.value.clone())),
        }
    }
}

/// Whether a strategy is what another one would be once it is added.
fn is_like(now: &ActivationStrategy, wanted: &NewStrategy) -> bool {
    now.name == wanted.name
        && now.title == wanted.title
        && now.disabled == wanted.disabled.unwrap_or(false)
        && now.parameters == wanted.parameters
        && now.constraints == wanted.constraints
        && now.segments == wanted.segments
        && now.variants == wanted.variants
}

/// The parents that the flags of an import are to have, with the places where they stand.
pub(super) fn parents(import: &Import) -> impl Iterator<Item = (&FlagName, &str)> {
    let all = import.flags.iter().filter_map(|flag| flag.dependencies.as_ref());
    all.flatten().map(|one| (&one.value.parent, one.path.as_str()))
}
