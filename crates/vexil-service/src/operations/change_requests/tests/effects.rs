//! An approval is for an effect: another one is refused, however it came about, and the same one is not disturbed.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use vexil_change_request::{ChangeRequest, State};
use vexil_domain::{
    ActivationStrategy, ChangeRequestRule, ChangedEffect, Constraint, Context, EnvironmentSnapshot,
    FeatureFlag, FlagSettings, Operator, Project,
};
use vexil_engine::{Ambient, Engine};
use vexil_preview::{Side, outcome};

use super::*;

const COUNTRIES: [&str; 4] = ["", "NO", "SE", "another"];
const PLANS: [&str; 4] = ["", "pro", "free", "another"];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// One user for each of the hundred buckets of the group, and none.
fn users() -> Vec<String> {
    let mut flags = EnvironmentSnapshot::default();
    for percentage in 1..=100 {
        let settings = FlagSettings {
            enabled: true,
            strategies: vec![rollout("s", percentage)],
            variants: Vec::new(),
        };
        let mut flag = FeatureFlag::new(format!("f{percentage}"), "default", NOW);
        flag.environments.insert("development".into(), Arc::new(settings));
        let flag = flag.in_environment(&"development".into());
        flags.flags.insert(flag.name.clone(), Arc::new(flag));
    }
    let (engine, _) = Engine::compile(&flags);
    let mut known = BTreeSet::new();
    let mut users = vec![String::new()];
    for number in 0.. {
        let user = number.to_string();
        let mut context = Context::default();
        context.set("userId", user.as_str());
        let side = Side {
            snapshot: &flags,
            engine: &engine,
        };
        let on = (1..=100)
            .filter(|flag| {
                let found = outcome(side, &format!("f{flag}"), &context, &Ambient::new(NOW, 0));
                found.to_string() == "on"
            })
            .count();
        if known.insert(on) {
            users.push(user);
        }
        if known.len() == 100 {
            return users;
        }
    }
    users
}

fn rollout(id: &str, percentage: usize) -> ActivationStrategy {
    ActivationStrategy::new(id, "flexibleRollout")
        .with_parameter("rollout", percentage.to_string())
        .with_parameter("stickiness", "userId")
        .with_parameter("groupId", "a")
}

fn strategy(id: &str, random: &mut Random) -> ActivationStrategy {
    let mut strategy = rollout(id, [100, 100, 50, 10, 0][random.below(5)]);
    for _ in 0..random.below(3) {
        let (field, values) = [("country", COUNTRIES), ("plan", PLANS)][random.below(2)];
        let operator = [Operator::In, Operator::NotIn][random.below(2)].clone();
        let mut constraint = Constraint::new(field, operator);
        constraint.values = vec![values[1 + random.below(2)].to_owned()];
        strategy.constraints.push(constraint);
    }
    strategy
}

fn settings(random: &mut Random) -> FlagSettings {
    let count = random.below(4);
    FlagSettings {
        enabled: random.below(3) > 0,
        strategies: (0..count)
            .map(|number| strategy(&format!("s{number}"), random))
            .collect(),
        variants: Vec::new(),
    }
}

/// An edit by hand: one that may matter, or one that cannot.
fn edit_by_hand(flag: &mut FeatureFlag, random: &mut Random) {
    let found = flag.environments.get_mut("development").unwrap();
    let settings = Arc::make_mut(found);
    let count = settings.strategies.len();
    let place = random.below(count.max(1));
    match random.below(9) {
        0 => settings.enabled = !settings.enabled,
        1 => settings
            .strategies
            .insert(place.min(count), strategy("new", random)),
        2 if count > 0 => drop(settings.strategies.remove(place)),
        3 if count > 1 => settings.strategies.swap(0, place),
        4 if count > 0 => settings.strategies[place].title = Some("another title".to_owned()),
        5 if count > 0 => {
            // the same once more decides nothing
            let again = settings.strategies[place].clone();
            settings.strategies.push(ActivationStrategy {
                id: "again".into(),
                ..again
            });
        }
        6 => {
            let mut off = strategy("off", random);
            off.disabled = true;
            settings.strategies.push(off);
        }
        7 if count > 0 => {
            let known = settings.strategies[place].id.clone();
            settings.strategies[place] = strategy(known.as_str(), random);
        }
        _ => flag.description = Some("edited".to_owned()),
    }
}

fn change(flag: &FeatureFlag, random: &mut Random) -> Value {
    let settings = &flag.environments["development"];
    let payload = |strategy: ActivationStrategy| {
        json!({
            "name": strategy.name, "parameters": strategy.parameters,
            "constraints": serde_json::to_value(&strategy.constraints).unwrap(),
        })
    };
    match random.below(3) {
        0 => json!({ "action": "updateEnabled", "payload": { "enabled": !settings.enabled } }),
        1 if !settings.strategies.is_empty() => {
            json!({ "action": "deleteStrategy", "payload": { "id": settings.strategies[0].id.as_str() } })
        }
        _ => json!({ "action": "addStrategy", "payload": payload(strategy("x", random)) }),
    }
}

/// Who changes, from what to what, by looking at every context.
fn looked_at(app: &App, request: &ChangeRequest, users: &[String]) -> BTreeSet<(usize, String, String)> {
    let snapshot = &app.serving().snapshot;
    let proposed = request.effect(snapshot, NOW).outcome.proposed;
    let sides = [snapshot, &proposed].map(|side| side.in_environment(&"development".into()));
    let engines = sides.each_ref().map(|side| Engine::compile(side).0);
    let mut found = BTreeSet::new();
    for number in 0..COUNTRIES.len() * PLANS.len() * users.len() {
        let mut context = Context::default();
        let (country, rest) = (number % COUNTRIES.len(), number / COUNTRIES.len());
        let set = [
            ("country", COUNTRIES[country]),
            ("plan", PLANS[rest % PLANS.len()]),
            ("userId", users[rest / PLANS.len()].as_str()),
        ];
        for (field, value) in set.into_iter().filter(|(_, value)| !value.is_empty()) {
            context.set(field, value);
        }
        let [was, is] = [0, 1].map(|side| {
            let side = Side {
                snapshot: &sides[side],
                engine: &engines[side],
            };
            outcome(side, "checkout", &context, &Ambient::new(NOW, 0)).to_string()
        });
        if was != is {
            found.insert((number, was, is));
        }
    }
    found
}

/// An app with a flag of these settings.
fn app_with(settings: FlagSettings) -> App {
    let app = app();
    edit(&app, &admin(&app), |tx| {
        let flag = Arc::make_mut(tx.snapshot.flags.get_mut("checkout").unwrap());
        let settings = Arc::new(settings.clone());
        flag.environments.insert("development".into(), settings);
        Ok(())
    })
    .unwrap();
    app
}

fn by_hand(app: &App, work: impl Fn(&mut FeatureFlag)) {
    edit(app, &admin(app), |tx| {
        work(Arc::make_mut(tx.snapshot.flags.get_mut("checkout").unwrap()));
        Ok(())
    })
    .unwrap();
}

/// A request with this change, approved.
fn approved(app: &App, change: &Value) -> ChangeRequest {
    let who = admin(app);
    let mut body = change.clone();
    body["feature"] = json!("checkout");
    let proposals = Proposal::one_or_many(&body).unwrap();
    let request = edit(app, &who, |tx| {
        add_changes(tx, &who, &"default".into(), &"development".into(), &proposals)
    });
    let id = request.unwrap().id;
    to(app, &who, id, State::InReview).unwrap();
    let request = to(app, &who, id, State::Approved).unwrap();
    assert_eq!(request.state, State::Approved);
    request
}

fn applied(app: &App, request: &ChangeRequest) -> Result<Moved, Error> {
    let who = admin(app);
    let command = StateCommand {
        changes: None,
        state: State::Applied,
        scheduled_at: None,
        comment: None,
        effect: None,
    };
    edit(app, &who, |tx| {
        change_state(tx, &who, &"default".into(), request.id, &command)
    })
}

#[test]
fn every_changed_effect_is_refused_and_an_edit_without_effect_disturbs_no_approval() {
    let users = users();
    let cases = std::env::var("CHANGES").ok().and_then(|text| text.parse().ok());
    let (mut refused, mut undisturbed, mut blocked) = (0, 0, 0);
    for seed in 0..cases.unwrap_or(60) {
        let mut random = Random(seed);
        let app = app_with(settings(&mut random));
        let flag = Arc::clone(&app.serving().snapshot.flags["checkout"]);
        let request = approved(&app, &change(&flag, &mut random));
        let then = looked_at(&app, &request, &users);
        let edits = random.0;
        by_hand(&app, |flag| {
            let mut random = Random(edits);
            for _ in 0..=random.below(3) {
                edit_by_hand(flag, &mut random);
            }
        });
        let now = looked_at(&app, &request, &users);
        match applied(&app, &request) {
            Ok(Moved::There(_)) => {
                assert!(then == now, "{seed}: {:?}", request.approvals);
                undisturbed += 1;
            }
            Ok(Moved::Back(why)) => {
                assert!(then != now, "{seed}: {why}");
                let text = why.to_string();
                assert!(text.contains("(approved: ") && text.contains("; now: "), "{text}");
                refused += 1;
            }
            // what it changes is gone, or would leave nothing to be on with
            Err(Error::Invalid { .. } | Error::NotFound(_)) => blocked += 1,
            Err(error) => panic!("{seed}: {error}"),
        }
    }
    println!("refused {refused}, not disturbed {undisturbed}, not applicable {blocked}");
    assert!(refused > 5 && undisturbed > 5);
}

/// A strategy for everybody in Norway, and a request that adds one for half of Sweden.
fn norway_and_half_of_sweden() -> (App, ChangeRequest) {
    let mut norway = rollout("s", 100);
    norway.constraints = vec![Constraint {
        values: vec!["NO".to_owned()],
        ..Constraint::new("country", Operator::In)
    }];
    let app = app_with(FlagSettings {
        enabled: true,
        strategies: vec![norway],
        variants: Vec::new(),
    });
    let sweden = json!({ "action": "addStrategy", "payload": {
        "name": "flexibleRollout",
        "parameters": { "rollout": "50", "stickiness": "userId", "groupId": "a" },
        "constraints": [{ "contextName": "country", "operator": "IN", "values": ["SE"] }],
    } });
    let request = approved(&app, &sweden);
    (app, request)
}

#[test]
fn both_effects_are_told_in_words_and_the_request_waits_for_approval_again() {
    let (app, request) = norway_and_half_of_sweden();
    by_hand(&app, |flag| {
        let settings = Arc::make_mut(flag.environments.get_mut("development").unwrap());
        settings.strategies[0].constraints[0].values.push("SE".to_owned());
    });
    let Ok(Moved::Back(why)) = applied(&app, &request) else {
        panic!("it was applied");
    };
    assert_eq!(
        why.to_string(),
        "0 of the 1 approvals that are needed count: what it would do has changed since it was approved \
         (approved: in development, checkout off -> on where country is SE, userId is set, userId in buckets 1 to 50 of a; \
         now: nothing changes for anybody); it has to be approved again."
    );
    let back = app.reader().change_request(request.id).unwrap().unwrap();
    assert_eq!((back.state, back.approvals.len()), (State::InReview, 0));
}

#[test]
fn what_lets_the_same_users_in_by_other_words_is_the_effect_that_was_approved() {
    let (app, request) = norway_and_half_of_sweden();
    by_hand(&app, |flag| {
        let settings = Arc::make_mut(flag.environments.get_mut("development").unwrap());
        let mut denmark = settings.strategies[0].clone();
        denmark.id = "dk".into();
        denmark.constraints[0].values = vec!["DK".to_owned()];
        settings.strategies.push(denmark);
    });
    assert!(matches!(applied(&app, &request), Ok(Moved::There(_))));
}

#[test]
fn one_setting_turns_a_changed_effect_into_a_warning() {
    for (changed_effect, goes) in [(ChangedEffect::Refuse, false), (ChangedEffect::Warn, true)] {
        let (app, request) = norway_and_half_of_sweden();
        edit(&app, &admin(&app), |tx| {
            let project = tx.snapshot.projects.get_mut("default").unwrap();
            let project: &mut Project = Arc::make_mut(project);
            project
                .environments
                .get_mut("development")
                .unwrap()
                .change_requests = Some(ChangeRequestRule {
                changed_effect,
                ..ChangeRequestRule::requiring(1)
            });
            Ok(())
        })
        .unwrap();
        by_hand(&app, |flag| {
            let settings = Arc::make_mut(flag.environments.get_mut("development").unwrap());
            settings.strategies[0].constraints[0].values.push("SE".to_owned());
        });
        let there = matches!(applied(&app, &request), Ok(Moved::There(_)));
        assert_eq!(there, goes, "{changed_effect:?}");
    }
}
