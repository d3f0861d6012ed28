//! A flag that is on has an enabled strategy, once all changes are made.

use vexil_change_request::*;
use vexil_domain::*;

use crate::world::*;

fn activate() -> Change {
    Change::UpdateEnabled(UpdateEnabled {
        enabled: true,
        activate_disabled: true,
    })
}

fn add(name: &str) -> Change {
    Change::AddStrategy(NewStrategy {
        name: name.to_owned(),
        ..NewStrategy::default()
    })
}

fn disable(id: &str) -> Change {
    Change::UpdateStrategy(StrategyUpdate {
        disabled: Some(true),
        ..StrategyUpdate::new(id)
    })
}

#[test]
fn a_flag_that_is_turned_on_without_strategies_gets_one_for_everybody() {
    let outcome = lay(&sample(), vec![("payments", on())]);
    let added = strategy(&outcome.proposed, "payments", "cr7-1-default");
    assert!(settings(&outcome.proposed, "payments").enabled);
    assert_eq!(added.name, "flexibleRollout");
    let parameters: Vec<_> = added
        .parameters
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        parameters,
        [
            ("groupId", "payments"),
            ("rollout", "100"),
            ("stickiness", "default")
        ]
    );
    assert_eq!(outcome.defaults.len(), 1);
    assert!(
        matches!(&outcome.defaults[0].change, Change::AddStrategy(new) if new.id == Some(added.id.clone()))
    );
    assert_eq!(codes(&outcome), [(1, ProblemCode::WidensExposure)]);
}

#[test]
fn the_default_strategy_of_the_projects_environment_goes_first() {
    let mut snapshot = sample();
    let project = std::sync::Arc::make_mut(snapshot.projects.get_mut("shop").unwrap());
    let mut configured =
        ActivationStrategy::new("ignored", "flexibleRollout").with_parameter("rollout", "10");
    configured.disabled = true;
    configured.constraints = vec![is_in("country", &["NO"])];
    project
        .environments
        .get_mut("production")
        .unwrap()
        .default_strategy = Some(configured);
    let outcome = lay(&snapshot, vec![("payments", on())]);
    let added = strategy(&outcome.proposed, "payments", "cr7-1-default");
    assert_eq!(added.parameters["rollout"], "10");
    assert_eq!(added.parameters["groupId"], "payments");
    assert!(!added.disabled, "a default strategy lets somebody in");
    assert_eq!(codes(&outcome), [], "it has a condition");
}

#[test]
fn turning_on_and_adding_a_strategy_never_adds_the_default_in_either_order() {
    for changes in [
        vec![("payments", on()), ("payments", add("default"))],
        vec![("payments", add("default")), ("payments", on())],
    ] {
        let outcome = lay(&sample(), changes);
        assert_eq!(settings(&outcome.proposed, "payments").strategies.len(), 1);
        assert!(settings(&outcome.proposed, "payments").enabled);
        assert!(outcome.defaults.is_empty());
    }
}

#[test]
fn disabled_strategies_are_enabled_where_that_was_asked_and_keep_what_they_say() {
    let snapshot = sample();
    let outcome = lay(
        &snapshot,
        vec![("checkout", delete("narrow")), ("checkout", activate())],
    );
    let enabled = strategy(&outcome.proposed, "checkout", "off");
    let mut expected = strategy(&snapshot, "checkout", "off").clone();
    expected.disabled = false;
    assert_eq!(*enabled, expected);
    assert_eq!(
        outcome.defaults,
        [DefaultChange {
            flag: "checkout".into(),
            change: activate()
        }]
    );
}

#[test]
fn without_that_one_default_is_added_beside_the_disabled_ones() {
    let outcome = lay(
        &sample(),
        vec![("checkout", delete("narrow")), ("checkout", on())],
    );
    let ids: Vec<_> = settings(&outcome.proposed, "checkout")
        .strategies
        .iter()
        .map(|one| one.id.as_str())
        .collect();
    assert_eq!(ids, ["off", "cr7-2-default"]);
}

#[test]
fn they_are_enabled_beside_an_enabled_one_only_where_that_was_asked() {
    let asked = lay(&sample(), vec![("checkout", activate())]);
    assert!(!strategy(&asked.proposed, "checkout", "off").disabled);
    assert_eq!(asked.defaults.len(), 1);
    let not_asked = lay(&sample(), vec![("checkout", on())]);
    assert!(strategy(&not_asked.proposed, "checkout", "off").disabled);
    assert!(not_asked.defaults.is_empty());
}

#[test]
fn without_any_strategy_to_enable_the_default_is_added() {
    let outcome = lay(&sample(), vec![("payments", activate())]);
    strategy(&outcome.proposed, "payments", "cr7-1-default");
    assert_eq!(outcome.defaults.len(), 1);
}

#[test]
fn a_flag_that_loses_its_last_enabled_strategy_goes_off() {
    for change in [delete("narrow"), disable("narrow")] {
        let outcome = lay(&sample(), vec![("checkout", change)]);
        assert!(!settings(&outcome.proposed, "checkout").enabled);
        assert_eq!(
            outcome.defaults,
            [DefaultChange {
                flag: "checkout".into(),
                change: off()
            }]
        );
    }
}

#[test]
fn a_flag_that_never_had_an_enabled_strategy_is_left_as_it_is() {
    let mut snapshot = sample();
    let mut disabled = ActivationStrategy::new("d", "default");
    disabled.disabled = true;
    put(&mut snapshot, flag("shop", "odd", true, vec![disabled]));
    let outcome = lay(&snapshot, vec![("odd", delete("d"))]);
    assert!(settings(&outcome.proposed, "odd").enabled);
    assert!(outcome.defaults.is_empty());
}

#[test]
fn a_flag_that_is_turned_off_gets_nothing() {
    let outcome = lay(
        &sample(),
        vec![("checkout", delete("narrow")), ("checkout", off())],
    );
    assert!(!settings(&outcome.proposed, "checkout").enabled);
    assert!(outcome.defaults.is_empty());
}

#[test]
fn the_last_switch_counts_and_the_earlier_one_is_noted() {
    let outcome = lay(&sample(), vec![("payments", on()), ("payments", off())]);
    assert!(!settings(&outcome.proposed, "payments").enabled);
    assert!(settings(&outcome.proposed, "payments").strategies.is_empty());
    assert_eq!(codes(&outcome), [(1, ProblemCode::DuplicateChange)]);
}

#[test]
fn default_strategies_of_direct_edits_take_their_id_from_the_edit() {
    let snapshot = sample();
    let scope = Scope {
        request: None,
        ..scope()
    };
    let outcome = overlay(&snapshot, &scope, &planned(&snapshot, vec![("payments", on())]));
    strategy(&outcome.proposed, "payments", "direct1-default");
}
