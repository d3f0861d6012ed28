//! What a state says in words that nobody reads, and what it leaves open. An SDK passes over both, since later servers say
//! more; who compares states must not take a misspelt condition for none.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use vexil_admin_api::segment::SEGMENT;
use vexil_admin_api::strategy_fields::STRATEGY;
use vexil_client_api::json::closest;
use vexil_domain::ConstraintMember;

/// The members of a flag, or of its settings, that decide something.
const FLAG: &[&str] = &[
    "name",
    "featureName",
    "enabled",
    "archived",
    "strategies",
    "variants",
    "dependencies",
];
/// The members that are lists of what decides.
const LISTS: &[&str] = &[
    "strategies",
    "constraints",
    "segments",
    "variants",
    "dependencies",
];
/// The lists of a state.
const OF_STATE: &[&str] = &[
    "features",
    "featureStrategies",
    "featureEnvironments",
    "segments",
    "dependencies",
];

/// Refuses a misspelt member, `null` where a list is, and a segment that is used and does not say what it holds.
pub(super) fn check(document: &Value) -> Result<(), String> {
    let Some(members) = document.as_object() else {
        return Ok(());
    };
    if let Some(list) = OF_STATE
        .iter()
        .find(|list| members.get(**list) == Some(&Value::Null))
    {
        return Err(format!("`{list}` is null: give a list, or leave it out"));
    }
    let mut used = BTreeSet::new();
    for list in ["features", "featureEnvironments"] {
        for (place, flag) in objects(members, list, list.to_owned()) {
            check_members(&place, flag, FLAG)?;
            for (place, strategy) in objects(flag, "strategies", format!("{place}.strategies")) {
                check_strategy(&place, strategy, &mut used)?;
            }
        }
    }
    for (place, strategy) in objects(members, "featureStrategies", "featureStrategies".to_owned()) {
        check_strategy(&place, strategy, &mut used)?;
    }
    for (place, segment) in objects(members, "segments", "segments".to_owned()) {
        check_members(&place, segment, SEGMENT)?;
        check_constraints(&place, segment)?;
        let is_used = segment.get("id").is_some_and(|id| used.contains(&id.to_string()));
        if is_used && !segment.contains_key("constraints") {
            let named = segment
                .get("name")
                .map_or_else(String::new, |name| format!(" ({name})"));
            return Err(format!(
                "`{place}`{named} has no `constraints`, so the state does not say whom a strategy with it lets in, as exports do not: add them, or give client features"
            ));
        }
    }
    Ok(())
}

fn check_strategy(
    place: &str,
    strategy: &Map<String, Value>,
    used: &mut BTreeSet<String>,
) -> Result<(), String> {
    check_members(place, strategy, STRATEGY)?;
    let segments = strategy.get("segments").and_then(Value::as_array);
    used.extend(segments.into_iter().flatten().map(Value::to_string));
    check_constraints(place, strategy)
}

fn check_constraints(place: &str, of: &Map<String, Value>) -> Result<(), String> {
    let known: Vec<&str> = ConstraintMember::ALL.iter().map(|member| member.name()).collect();
    let mut constraints = objects(of, "constraints", format!("{place}.constraints"));
    constraints.try_for_each(|(place, constraint)| check_members(&place, constraint, &known))
}

fn check_members(place: &str, object: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    for (name, value) in object {
        if known.contains(&name.as_str()) {
            if value.is_null() && LISTS.contains(&name.as_str()) {
                let message = format!("`{place}.{name}` is null: give a list, or leave it out");
                return Err(message);
            }
        } else if let Some(meant) = closest(name, known) {
            let message = format!("`{place}.{name}` would be passed over: did you mean `{meant}`?");
            return Err(message);
        }
    }
    Ok(())
}

/// The objects in a list of another, each with its place.
fn objects<'a>(
    of: &'a Map<String, Value>,
    list: &str,
    place: String,
) -> impl Iterator<Item = (String, &'a Map<String, Value>)> + use<'a> {
    let items = of.get(list).and_then(Value::as_array).into_iter().flatten();
    let numbered = items
        .enumerate()
        .map(move |(number, item)| (format!("{place}[{number}]"), item));
    numbered.filter_map(|(place, item)| Some((place, item.as_object()?)))
}
