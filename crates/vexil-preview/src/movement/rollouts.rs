//! What moves when rollouts change.

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{Context, FlagName, Stickiness, StrategyId};
use vexil_engine::{Explanation, Rule};

use super::findings::{RolloutMovement, RolloutRange};
use super::lookup::{group, strategy, strategy_ids};
use crate::{Comparison, Share, Side};

/// How many buckets there are.
const BUCKETS: u128 = 100;

pub(super) fn movements(
    comparison: &Comparison<'_>,
    flag: &FlagName,
    budget: &Budget,
) -> Result<Vec<RolloutMovement>, Exhausted> {
    let explain = |side: Side<'_>| {
        let nobody = Context::default();
        side.engine.explain(flag.as_str(), &nobody, &comparison.ambient)
    };
    let (old, new) = (explain(comparison.before), explain(comparison.after));
    let movement = |id: StrategyId| {
        let before = old
            .as_ref()
            .and_then(|old| range(comparison.before, flag, &id, old));
        let after = new
            .as_ref()
            .and_then(|new| range(comparison.after, flag, &id, new));
        (before != after).then(|| moved(id, before, after))
    };
    Ok(strategy_ids(comparison, flag, budget)?
        .into_iter()
        .filter_map(movement)
        .collect())
}

fn range(
    side: Side<'_>,
    flag: &FlagName,
    id: &StrategyId,
    explanation: &Explanation,
) -> Option<RolloutRange> {
    let (place, found, strategy) = strategy(side, flag, id)?;
    let stickiness = match strategy.name.as_str() {
        "gradualRolloutUserId" => Stickiness::Field("userId".to_owned()),
        "gradualRolloutSessionId" => Stickiness::Field("sessionId".to_owned()),
        "gradualRolloutRandom" => Stickiness::Random,
        _ => Stickiness::from_name(strategy.parameters.get("stickiness").map_or("", String::as_str)),
    };
    match &explanation.strategies.get(place)?.rule {
        Rule::Rollout(rollout) => {
            let group = group(found, strategy).to_owned();
            Some(RolloutRange {
                group,
                stickiness,
                percentage: rollout.bound,
            })
        }
        _ => None,
    }
}

pub(super) fn moved(
    strategy: StrategyId,
    before: Option<RolloutRange>,
    after: Option<RolloutRange>,
) -> RolloutMovement {
    let percentage =
        |range: &Option<RolloutRange>| range.as_ref().map_or(0, |range| u128::from(range.percentage));
    let (was, is) = (percentage(&before), percentage(&after));
    let redrawn = before
        .as_ref()
        .zip(after.as_ref())
        .is_some_and(|(before, after)| {
            let random = before.stickiness == Stickiness::Random || after.stickiness == Stickiness::Random;
            random || before.group != after.group || before.stickiness != after.stickiness
        });
    let (enters, leaves) = if redrawn {
        let independent = |to: u128, from: u128| Share::new(to * (BUCKETS - from), BUCKETS * BUCKETS);
        (independent(is, was), independent(was, is))
    } else {
        (
            Share::new(is.saturating_sub(was), BUCKETS),
            Share::new(was.saturating_sub(is), BUCKETS),
        )
    };
    RolloutMovement {
        strategy,
        before,
        after,
        enters,
        leaves,
        redrawn,
    }
}
