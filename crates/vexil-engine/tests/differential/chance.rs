//! Which answers chance has a say in.

use time::OffsetDateTime;
use vexil_client_api::load_engine;
use vexil_domain::{Context, EnvironmentSnapshot, FlagName};
use vexil_engine::{Ambient, Draw, Engine, Explanation, PickedBy, Rule};

use crate::case::document;

/// For each flag, for each context: whether nothing is left to chance anywhere in it.
pub(crate) fn certain(snapshot: &EnvironmentSnapshot, flags: &[FlagName], contexts: &[Context]) -> Vec<bool> {
    let engine = load_engine(document(snapshot).as_bytes()).unwrap().engine;
    let ambient = Ambient::new(OffsetDateTime::now_utc(), 0);
    let each = flags
        .iter()
        .flat_map(|flag| contexts.iter().map(move |context| (flag, context)));
    each.map(|(flag, context)| {
        let explanation = engine.explain(flag.as_str(), context, &ambient).unwrap();
        is_certain(&engine, &ambient, &explanation, context)
    })
    .collect()
}

fn is_certain(engine: &Engine, ambient: &Ambient<'_>, explanation: &Explanation, context: &Context) -> bool {
    let is_drawn = |draw: &Draw| matches!(draw, Draw::Chance { .. });
    let picks = explanation
        .strategies
        .iter()
        .filter_map(|strategy| strategy.variants.as_ref());
    let mut picks = picks.chain(&explanation.flag_variants);
    let picks_are = picks.all(|pick| !matches!(&pick.by, PickedBy::Weight { draw, .. } if is_drawn(draw)));
    let mut strategies = explanation.strategies.iter();
    let rules_are = strategies
        .all(|strategy| !matches!(&strategy.rule, Rule::Rollout(rollout) if is_drawn(&rollout.draw)));
    let parents_are = explanation.parents.iter().all(|parent| {
        let parent = engine.explain(parent.parent.as_str(), context, ambient);
        parent
            .is_none_or(|parent| !parent.parents.is_empty() || is_certain(engine, ambient, &parent, context))
    });
    picks_are && rules_are && parents_are
}
