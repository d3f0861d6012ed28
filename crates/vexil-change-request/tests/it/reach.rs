//! Where edits take effect.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use vexil_change_request::*;
use vexil_domain::*;
use vexil_proptest::arb_planned_changes;

use crate::world::*;

/// `project/environment` of each place, in order.
fn names(places: &BTreeSet<InProject>) -> Vec<String> {
    let name = |(project, environment): &InProject| format!("{project}/{environment}");
    places.iter().map(name).collect()
}

fn reached(before: &Snapshot, edit: impl FnOnce(&mut Snapshot)) -> (Vec<String>, Vec<String>) {
    let mut after = before.clone();
    edit(&mut after);
    let reach = reach(before, &after);
    (names(&reach.flags), names(&reach.rules))
}

fn of_changes(before: &Snapshot, changes: Vec<(&str, Change)>) -> Vec<String> {
    let (flags, rules) = reached(before, |after| *after = lay(before, changes).proposed);
    assert_eq!(rules, [""; 0]);
    flags
}

fn edit_flag(snapshot: &mut Snapshot, name: &str, edit: impl FnOnce(&mut FeatureFlag)) {
    edit(Arc::make_mut(snapshot.flags.get_mut(name).unwrap()));
}

fn edit_project(snapshot: &mut Snapshot, edit: impl FnOnce(&mut Project)) {
    edit(Arc::make_mut(snapshot.projects.get_mut("shop").unwrap()));
}

const ALL: [&str; 2] = ["shop/development", "shop/production"];
const NONE: [&str; 0] = [];

#[test]
fn settings_reach_their_environment_and_what_a_flag_has_once_reaches_all() {
    let snapshot = sample();
    for change in [off(), delete("everybody")] {
        assert_eq!(
            of_changes(&snapshot, vec![("banner", change)]),
            ["shop/production"]
        );
    }
    for change in [Change::ArchiveFeature, depend_on("payments")] {
        assert_eq!(of_changes(&snapshot, vec![("banner", change)]), ALL);
    }
}

#[test]
fn what_people_read_reaches_nothing() {
    let (flags, rules) = reached(&sample(), |snapshot| {
        edit_flag(snapshot, "banner", |flag| {
            flag.description = Some("new".to_owned());
            flag.kind = "experiment".into();
            flag.stale = true;
            flag.impression_data = true;
        });
        edit_project(snapshot, |project| {
            project.name = "new".to_owned();
            project.description = Some("new".to_owned());
        });
        edit_flag(snapshot, "old", |archived| {
            archived.environments.clear();
            archived.dependencies.clear();
        });
    });
    assert_eq!((flags, rules), (vec![], vec![]));
}

#[test]
fn a_flag_that_appears_reaches_where_it_is_on() {
    let (flags, _) = reached(&sample(), |snapshot| {
        put(snapshot, flag("shop", "quiet", false, Vec::new()));
        edit_flag(snapshot, "old", |flag| flag.archived_at = None);
    });
    assert_eq!(flags, NONE);
    let (flags, _) = reached(&sample(), |snapshot| {
        put(snapshot, flag("shop", "loud", true, Vec::new()));
    });
    assert_eq!(flags, ["shop/production"]);
    // a child asks that the missing parent be off, which it was not while it was missing
    let mut waited_for = sample();
    edit_flag(&mut waited_for, "banner", |flag| {
        flag.dependencies = vec![Dependency {
            parent: "missing".into(),
            enabled: false,
            variants: Vec::new(),
        }];
    });
    let (flags, _) = reached(&waited_for, |snapshot| {
        put(snapshot, flag("shop", "missing", false, Vec::new()));
    });
    assert_eq!(flags, ALL);
}

#[test]
fn a_segment_reaches_every_project_and_environment_that_uses_it() {
    let mut snapshot = sample();
    let update = |id: i64| {
        Change::UpdateSegment(SegmentUpdate {
            id: SegmentId(id),
            name: "renamed".to_owned(),
            description: None,
            project: None,
            constraints: Vec::new(),
        })
    };
    assert_eq!(of_changes(&snapshot, vec![("", update(1))]), ["shop/production"]);
    let mut strategy = ActivationStrategy::new("theirs", "default");
    strategy.segments = vec![SegmentId(1)];
    strategy.disabled = true;
    put(&mut snapshot, flag("other", "theirs", false, vec![strategy]));
    let both = ["other/production", "shop/production"];
    assert_eq!(of_changes(&snapshot, vec![("", update(1))]), both);
    // one that is a project's own reaches all of it, used or not
    assert_eq!(of_changes(&snapshot, vec![("", update(2))]), ALL);
    // what nobody uses reaches nothing
    put_segment(&mut snapshot, 4, "unused", None);
    assert_eq!(of_changes(&snapshot, vec![("", update(4))]), NONE);
    let (flags, _) = reached(&snapshot, |snapshot| {
        put_segment(snapshot, 5, "new", Some("shop"))
    });
    assert_eq!(flags, NONE);
    edit_project(&mut snapshot, |project| {
        let rules = project.environments.get_mut("development").unwrap();
        let mut usual = ActivationStrategy::new("default", "default");
        usual.segments = vec![SegmentId(4)];
        rules.default_strategy = Some(usual);
    });
    assert_eq!(of_changes(&snapshot, vec![("", update(4))]), ["shop/development"]);
}

type Edit = fn(&mut Project);

#[test]
fn rules_defaults_and_membership_reach_where_they_hold() {
    let one: [(&str, Edit); 4] = [
        ("rule", |project| {
            let rules = project.environments.get_mut("production").unwrap();
            rules.change_requests = Some(ChangeRequestRule::requiring(2));
        }),
        ("default strategy", |project| {
            let rules = project.environments.get_mut("production").unwrap();
            rules.default_strategy = Some(ActivationStrategy::new("default", "default"));
        }),
        ("leaving", |project| {
            let rules = project.environments.remove("production").unwrap();
            project.left_environments.insert("production".into(), rules);
        }),
        ("gone without a trace", |project| {
            drop(project.environments.remove("production"))
        }),
    ];
    for (what, edit) in one {
        let (flags, rules) = reached(&sample(), |snapshot| edit_project(snapshot, edit));
        assert_eq!(
            (flags, rules),
            (vec![], vec!["shop/production".to_owned()]),
            "{what}"
        );
    }
    let (flags, rules) = reached(&sample(), |snapshot| {
        edit_project(snapshot, |project| {
            project.default_stickiness = Stickiness::Random
        });
    });
    assert_eq!((flags, rules), (vec![], ALL.map(str::to_owned).to_vec()));
    let (flags, rules) = reached(&sample(), |snapshot| drop(snapshot.projects.remove("shop")));
    assert_eq!((flags, rules), (vec![], ALL.map(str::to_owned).to_vec()));
}

#[test]
fn the_switch_of_an_environment_reaches_every_project_that_uses_it() {
    let mut snapshot = sample();
    let environment = |enabled| Environment {
        name: "production".into(),
        kind: "production".to_owned(),
        sort_order: 1,
        enabled,
        protected: false,
        required_approvals: None,
    };
    snapshot
        .environments
        .insert("production".into(), Arc::new(environment(true)));
    let both = ["other/production", "shop/production"]
        .map(str::to_owned)
        .to_vec();
    let (_, off) = reached(&snapshot, |snapshot| {
        let switched = Arc::new(environment(false));
        snapshot.environments.insert("production".into(), switched);
    });
    assert_eq!(off, both);
    let (_, gone) = reached(&snapshot, |snapshot| {
        drop(snapshot.environments.remove("production"))
    });
    assert_eq!(gone, both);
    let (_, moved) = reached(&snapshot, |snapshot| {
        let elsewhere = Environment {
            sort_order: 9,
            ..environment(true)
        };
        snapshot
            .environments
            .insert("production".into(), Arc::new(elsewhere));
    });
    assert_eq!(moved, NONE);
}

#[test]
fn the_rule_of_an_environment_that_was_left_still_holds() {
    let mut snapshot = sample();
    edit_project(&mut snapshot, |project| {
        let mut rules = project.environments.remove("production").unwrap();
        rules.change_requests = Some(ChangeRequestRule::requiring(3));
        project.left_environments.insert("production".into(), rules);
    });
    let place = ("shop".into(), "production".into());
    assert_eq!(rule_at(&snapshot, &place).unwrap().required_approvals, 3);
    assert_eq!(rule_at(&snapshot, &("shop".into(), "nowhere".into())), None);
}

#[test]
fn the_strictest_rule_of_wherever_a_request_reaches_is_asked_for() {
    let mut snapshot = sample();
    edit_project(&mut snapshot, |project| {
        let rules = project.environments.get_mut("production").unwrap();
        rules.change_requests = Some(ChangeRequestRule::requiring(2));
    });
    let opening = Opening {
        id: ChangeRequestId(7),
        project: "shop".into(),
        environment: "development".into(),
        min_approvals: 1,
    };
    let changes = planned(&snapshot, vec![("banner", Change::ArchiveFeature)]);
    let who = Caller {
        actor: actor(1),
        admin: false,
        permissions: Permissions::default(),
    };
    let request = ChangeRequest::open(opening, changes, &who, NOW).unwrap().request;
    let effect = request.effect(&snapshot, NOW);
    assert_eq!(effect.required_approvals, 2);
    let under_review: BTreeSet<InProject> = effect.under_review.into_iter().collect();
    assert_eq!(names(&under_review), ALL);
}

/// What a change may touch at most, by what it is: written anew, without looking at any difference.
fn may_touch(snapshot: &Snapshot, change: &PlannedChange) -> Vec<InProject> {
    let project = ProjectId::from("shop");
    let everywhere = |project: &ProjectId| {
        let project = &snapshot.projects[project];
        let places = project
            .environments
            .keys()
            .map(|name| (project.id.clone(), name.clone()));
        places.collect::<Vec<_>>()
    };
    match &*change.change {
        Change::ArchiveFeature | Change::AddDependency(_) | Change::DeleteDependency { .. } => {
            everywhere(&project)
        }
        Change::UpdateSegment(_) | Change::DeleteSegment { .. } => {
            snapshot.projects.keys().flat_map(everywhere).collect()
        }
        _ => vec![(project, "production".into())],
    }
}

proptest! {
    #[test]
    fn changes_reach_no_further_than_they_can_and_nothing_without_a_difference(
        (snapshot, changes) in arb_snapshot().prop_flat_map(|snapshot| {
            let changes = arb_planned_changes(&snapshot, &scope(), 0..=6);
            (Just(snapshot), changes)
        })
    ) {
        let proposed = overlay(&snapshot, &scope(), &changes).proposed;
        let reach = reach(&snapshot, &proposed);
        let most: BTreeSet<InProject> = changes.iter().flat_map(|change| may_touch(&snapshot, change)).collect();
        prop_assert!(reach.flags.is_subset(&most), "{:?} {:?}", reach, most);
        prop_assert!(reach.rules.is_empty());
        if proposed == snapshot {
            prop_assert!(reach.is_empty());
        }
        prop_assert!(vexil_change_request::reach(&snapshot, &snapshot).is_empty());
    }
}
