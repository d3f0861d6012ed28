//! Explanations as documents.

use serde_json::{Value, json};
use vexil_domain::EnvironmentFlag;
use vexil_engine::{
    ConstraintExplanation, Decider, Draw, Evaluation, Explanation, Finding, Found, ParentExplanation,
    ParentFinding, Pick, PickedBy, Rule, SegmentExplanation, StrategyExplanation, VariantOutcome, Verdict,
};

/// Why a flag is on or off, with the ids and names of `flag` as it was asked.
#[must_use]
pub fn explanation_document(explanation: &Explanation, flag: &EnvironmentFlag) -> Value {
    let strategies = explanation.strategies.iter().zip(&flag.settings.strategies);
    let strategies = strategies.map(|(found, strategy)| {
        let mut document = strategy_document(found);
        if let Some(members) = document.as_object_mut() {
            members.insert("id".to_owned(), json!(strategy.id.as_str()));
            members.insert("name".to_owned(), json!(strategy.name));
        }
        document
    });
    let variant = match explanation.variant {
        VariantOutcome::Disabled => None,
        VariantOutcome::OfStrategy { strategy, variant } => flag
            .settings
            .strategies
            .get(strategy)
            .and_then(|strategy| strategy.variants.get(variant)),
        VariantOutcome::OfFlag { variant } => flag.settings.variants.get(variant),
    };
    json!({
        "enabled": explanation.enabled,
        "enabledInEnvironment": explanation.enabled_in_environment,
        "decidedBy": decider(explanation),
        "parents": explanation.parents.iter().map(parent).collect::<Vec<_>>(),
        "strategiesResult": verdict(explanation.strategies_result),
        "strategies": strategies.collect::<Vec<_>>(),
        "variant": variant.map(|variant| variant.name.as_str()),
        "flagVariants": explanation.flag_variants.as_ref().map(pick),
    })
}

fn decider(explanation: &Explanation) -> Value {
    match explanation.decider() {
        Decider::Switch => json!({ "kind": "switch" }),
        Decider::OnlyDisabledStrategies => json!({ "kind": "onlyDisabledStrategies" }),
        Decider::Parent(parent) => json!({ "kind": "parent", "index": parent }),
        Decider::Strategy(strategy) => json!({ "kind": "strategy", "index": strategy }),
        Decider::NoStrategyHolds => json!({ "kind": "noStrategyHolds" }),
    }
}

fn parent(found: &ParentExplanation) -> Value {
    let (finding, variant) = match &found.finding {
        ParentFinding::Missing => ("missing", None),
        ParentFinding::HasParents => ("hasParents", None),
        ParentFinding::Off => ("off", None),
        ParentFinding::On { variant } => ("on", Some(variant)),
    };
    json!({ "feature": found.parent.as_str(), "satisfied": found.satisfied, "found": finding, "variant": variant })
}

fn verdict(verdict: Verdict) -> Value {
    match verdict {
        Verdict::True => Value::Bool(true),
        Verdict::False => Value::Bool(false),
        Verdict::Unknown => json!("unknown"),
    }
}

fn strategy_document(found: &StrategyExplanation) -> Value {
    json!({
        "disabled": found.disabled,
        "evaluationStatus": match found.evaluation {
            Evaluation::Complete => "complete",
            Evaluation::Incomplete => "incomplete",
            Evaluation::Unevaluated => "unevaluated",
        },
        "result": verdict(found.verdict),
        "rule": rule(&found.rule),
        "constraints": found.constraints.iter().map(constraint).collect::<Vec<_>>(),
        "segments": found.segments.iter().map(segment).collect::<Vec<_>>(),
        "variants": found.variants.as_ref().map(pick),
    })
}

fn rule(rule: &Rule) -> Value {
    match rule {
        Rule::Always => json!({ "kind": "always" }),
        Rule::Rollout(rollout) => json!({
            "kind": "rollout", "group": rollout.group, "draw": draw(&rollout.draw),
            "bucket": rollout.bucket, "bound": rollout.bound, "holds": rollout.holds(),
        }),
        Rule::Listed { field, found, holds } => {
            json!({ "kind": "listed", "field": field.as_ref(), "found": found, "holds": holds })
        }
        Rule::Network { found, network } => {
            json!({ "kind": "network", "found": found, "network": network, "holds": network.is_some() })
        }
        Rule::HostName { found, holds } => json!({ "kind": "hostName", "found": found, "holds": holds }),
        Rule::NotEvaluable { strategy } => json!({ "kind": "notEvaluable", "strategy": strategy }),
        Rule::Unusable { parameter } => json!({ "kind": "unusable", "parameter": parameter, "holds": false }),
        _ => json!({ "kind": "other" }),
    }
}

fn draw(draw: &Draw) -> Value {
    let names = |missing: &[std::sync::Arc<str>]| {
        missing
            .iter()
            .map(|name| json!(name.as_ref()))
            .collect::<Vec<_>>()
    };
    match draw {
        Draw::Value { field, value } => json!({ "from": "value", "field": field.as_ref(), "value": value }),
        Draw::Chance { missing } => json!({ "from": "chance", "missing": names(missing) }),
        Draw::Nothing { missing } => json!({ "from": "nothing", "missing": names(missing) }),
    }
}

fn pick(pick: &Pick) -> Value {
    let by = match &pick.by {
        PickedBy::Override { field, value } => {
            json!({ "kind": "override", "field": field.as_ref(), "value": value })
        }
        PickedBy::Weight {
            draw: from,
            bucket,
            bound,
            total,
        } => {
            json!({ "kind": "weight", "draw": draw(from), "bucket": bucket, "bound": bound, "total": total })
        }
        PickedBy::NoWeight => json!({ "kind": "noWeight" }),
    };
    json!({ "variant": pick.variant, "by": by })
}

fn segment(found: &SegmentExplanation) -> Value {
    json!({
        "id": found.id.0, "found": found.found, "result": found.holds,
        "constraints": found.constraints.iter().map(constraint).collect::<Vec<_>>(),
    })
}

fn constraint(found: &ConstraintExplanation) -> Value {
    let value = match &found.found {
        Found::Missing => Value::Null,
        Found::Value(value) => json!(value),
        Found::Now(now) => json!(crate::timestamp::Timestamp(*now)),
    };
    let finding = match &found.finding {
        Finding::Listed { value } => json!({ "kind": "listed", "value": value }),
        Finding::NotListed { values } => json!({ "kind": "notListed", "values": values }),
        Finding::Compared { with, holds } => json!({ "kind": "compared", "with": with, "holds": holds }),
        Finding::Missing => json!({ "kind": "missing" }),
        Finding::Unreadable { expected } => json!({ "kind": "unreadable", "expected": expected.to_string() }),
        Finding::Invalid(problem) => json!({ "kind": "invalid", "problem": problem.to_string() }),
        _ => json!({ "kind": "other" }),
    };
    json!({
        "contextName": found.field.as_ref(), "operator": found.operator.name(), "inverted": found.inverted,
        "found": value, "finding": finding, "result": found.holds,
    })
}
