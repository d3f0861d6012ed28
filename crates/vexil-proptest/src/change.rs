//! Changes and change requests: some that fit a snapshot, some that miss it.

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any};
use proptest::sample::select;
use time::{Duration, OffsetDateTime};
use vexil_change_request::{
    Before, Change, ChangeId, NewStrategy, PlannedChange, Scope, SegmentUpdate, StrategyPlace,
    StrategyUpdate, UpdateEnabled, before,
};
use vexil_domain::{
    Actor, ActorId, Constraint, Dependency, FlagName, Operator, SegmentId, Snapshot, StrategyId, Variant,
    WeightType,
};

/// What changes can be aimed at: names and ids of a snapshot, and one of each that it does not have.
#[derive(Debug, Clone)]
struct Aims {
    flags: Vec<FlagName>,
    strategies: Vec<(FlagName, StrategyId)>,
    segments: Vec<SegmentId>,
    project: vexil_domain::ProjectId,
}

/// Changes of any supported action, in random combination, with the pre-images that `snapshot`
/// gives. Most can be made; some name what is not there, or say what may not be stored.
pub fn arb_planned_changes(
    snapshot: &Snapshot,
    scope: &Scope,
    how_many: RangeInclusive<usize>,
) -> BoxedStrategy<Vec<PlannedChange>> {
    let (snapshot, scope) = (snapshot.clone(), scope.clone());
    vec(arb_change(&snapshot, &scope), how_many)
        .prop_map(move |changes| plan(&snapshot, &scope, changes))
        .boxed()
}

/// Numbers changes from 1 and remembers what they find in `snapshot`.
#[must_use]
pub fn plan(
    snapshot: &Snapshot,
    scope: &Scope,
    changes: Vec<(Option<FlagName>, Change)>,
) -> Vec<PlannedChange> {
    let planned = |(id, (flag, change)): (i64, (Option<FlagName>, Change))| {
        let before: Option<Before> = before(snapshot, scope, flag.as_ref(), &change);
        PlannedChange {
            id: ChangeId(id),
            flag,
            change: change.into(),
            before,
            created_by: Actor {
                id: ActorId(1),
                name: "author".to_owned(),
            },
            // later than any flag
            created_at: OffsetDateTime::UNIX_EPOCH + Duration::days(40_000) + Duration::seconds(id),
        }
    };
    (1..).zip(changes).map(planned).collect()
}

/// One change and the flag it is for.
pub fn arb_change(snapshot: &Snapshot, scope: &Scope) -> BoxedStrategy<(Option<FlagName>, Change)> {
    let aims = Aims::of(snapshot, scope);
    proptest::prop_oneof![
        6 => arb_environment_change(snapshot, scope),
        2 => arb_flag_change(aims.clone()),
        2 => arb_segment_change(aims).prop_map(|change| (None, change)),
    ]
    .boxed()
}

/// One change of a flag in the scope's environment alone.
pub fn arb_environment_change(
    snapshot: &Snapshot,
    scope: &Scope,
) -> BoxedStrategy<(Option<FlagName>, Change)> {
    let aims = Aims::of(snapshot, scope);
    let flag = select(aims.flags.clone());
    let of_flag = proptest::prop_oneof![
        (any::<bool>(), any::<bool>()).prop_map(|(enabled, activate_disabled)| {
            Change::UpdateEnabled(UpdateEnabled {
                enabled,
                activate_disabled,
            })
        }),
        arb_new_strategy(aims.segments.clone()).prop_map(Change::AddStrategy),
        arb_variants().prop_map(|variants| Change::PatchVariant { variants }),
    ];
    proptest::prop_oneof![
        (flag, of_flag).prop_map(|(flag, change)| (Some(flag), change)),
        arb_strategy_change(aims),
    ]
    .boxed()
}

impl Aims {
    fn of(snapshot: &Snapshot, scope: &Scope) -> Self {
        let gone = FlagName::from("no-such-flag");
        let mut strategies = vec![(gone.clone(), StrategyId::from("no-such-strategy"))];
        for flag in snapshot.flags.values() {
            let settings = flag.environments.get(&scope.environment);
            let here = settings.map(|settings| settings.strategies.as_slice());
            for strategy in here.unwrap_or_default() {
                strategies.push((flag.name.clone(), strategy.id.clone()));
            }
        }
        Self {
            flags: snapshot.flags.keys().cloned().chain([gone]).collect(),
            strategies,
            segments: snapshot.segments.keys().copied().chain([SegmentId(-1)]).collect(),
            project: scope.project.clone(),
        }
    }
}

fn arb_strategy_change(aims: Aims) -> BoxedStrategy<(Option<FlagName>, Change)> {
    let update = arb_new_strategy(aims.segments.clone());
    let parts = (
        select(aims.strategies.clone()),
        0..3_u8,
        update,
        option::of(any::<bool>()),
        any::<bool>(),
        vec(-3..9_i32, 3),
    );
    let all = aims.strategies;
    parts
        .prop_map(move |((flag, id), which, new, disabled, keep, places)| {
            let change = match which {
                0 => Change::DeleteStrategy { id },
                1 => {
                    let here = all.iter().filter(|(owner, _)| *owner == flag);
                    let place = |((_, id), sort_order): (&(FlagName, StrategyId), i32)| StrategyPlace {
                        id: id.clone(),
                        sort_order,
                    };
                    Change::ReorderStrategy(here.zip(places).map(place).collect())
                }
                _ => Change::UpdateStrategy(StrategyUpdate {
                    id,
                    name: (!keep).then_some(new.name),
                    title: new.title,
                    disabled,
                    sort_order: new.sort_order,
                    parameters: new.parameters,
                    constraints: new.constraints,
                    segments: (!keep).then_some(new.segments),
                    variants: new.variants,
                }),
            };
            (Some(flag), change)
        })
        .boxed()
}

fn arb_flag_change(aims: Aims) -> BoxedStrategy<(Option<FlagName>, Change)> {
    let parent = select(aims.flags.clone());
    let parts = (
        select(aims.flags),
        parent,
        0..4_u8,
        any::<bool>(),
        vec(select(vec!["blue", "red"]), 0..2),
    );
    parts
        .prop_map(|(flag, parent, which, enabled, variants)| {
            let change = match which {
                0 => Change::ArchiveFeature,
                1 => Change::DeleteDependency { parent: None },
                _ => Change::AddDependency(Dependency {
                    parent,
                    enabled,
                    variants: variants.into_iter().map(str::to_owned).collect(),
                }),
            };
            (Some(flag), change)
        })
        .boxed()
}

fn arb_segment_change(aims: Aims) -> BoxedStrategy<Change> {
    let project = proptest::prop_oneof![3 => Just(None), 2 => Just(Some(aims.project))];
    let update = (
        select(aims.segments.clone()),
        proptest::prop_oneof![
            12 => select(vec!["one", "two", "three", "segment-1"]),
            1 => Just(""),
        ],
        option::of(Just("what for".to_owned())),
        project,
        vec(arb_small_constraint(), 0..3),
    )
        .prop_map(|(id, name, description, project, constraints)| {
            Change::UpdateSegment(SegmentUpdate {
                id,
                name: name.to_owned(),
                description,
                project,
                constraints,
            })
        });
    proptest::prop_oneof![
        2 => update,
        1 => select(aims.segments).prop_map(|id| Change::DeleteSegment { id }),
    ]
    .boxed()
}

fn arb_new_strategy(segments: Vec<SegmentId>) -> BoxedStrategy<NewStrategy> {
    let valid = vec![
        vec![],
        vec![("rollout", "0")],
        vec![("rollout", "25"), ("stickiness", "userId"), ("groupId", "g")],
        vec![("rollout", "100"), ("stickiness", ""), ("groupId", "")],
    ];
    let parameters = proptest::prop_oneof![
        12 => select(valid),
        1 => Just(vec![("rollout", "101")]),
    ];
    let parts = (
        proptest::prop_oneof![
            12 => select(vec!["default", "flexibleRollout"]),
            1 => Just("no-such-type"),
        ],
        option::of(select(vec!["for Norway", ""])),
        option::of(any::<bool>()),
        option::of(-2..9_i32),
        parameters,
        vec(arb_small_constraint(), 0..3),
        proptest::sample::subsequence(segments.clone(), 0..=segments.len().min(2)),
        arb_variants(),
    );
    parts
        .prop_map(
            |(name, title, disabled, sort_order, parameters, constraints, segments, variants)| {
                let parameter = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
                NewStrategy {
                    id: None,
                    name: name.to_owned(),
                    title: title.map(str::to_owned),
                    disabled,
                    sort_order,
                    parameters: parameters.into_iter().map(parameter).collect(),
                    constraints,
                    segments,
                    variants,
                }
            },
        )
        .boxed()
}

fn arb_variants() -> BoxedStrategy<Vec<Variant>> {
    let some = (
        proptest::sample::subsequence(vec!["red", "blue", "green"], 1..=3),
        vec((0..=400_u32, any::<bool>()), 3),
    );
    let valid = some.prop_map(|(names, weights)| {
        let variants = names.into_iter().zip(weights).enumerate();
        variants
            .map(|(place, (name, (weight, fix)))| variant(name, weight, fix && place > 0))
            .collect()
    });
    proptest::prop_oneof![
        12 => Just(Vec::new()),
        12 => valid,
        1 => Just(vec![variant("all", 1000, true)]),
        1 => Just(vec![variant("a b", 0, false)]),
    ]
    .boxed()
}

fn variant(name: &str, weight: u32, fix: bool) -> Variant {
    Variant {
        name: name.to_owned(),
        weight,
        weight_type: if fix {
            WeightType::Fix
        } else {
            WeightType::Variable
        },
        stickiness: None,
        payload: None,
        overrides: Vec::new(),
    }
}

fn arb_small_constraint() -> BoxedStrategy<Constraint> {
    let field = || select(vec!["userId", "country", "age"]);
    let texts = || select(vec!["a", "b", "NO", "SE"]);
    let text = proptest::prop_oneof![12 => vec(texts(), 1..3), 1 => Just(Vec::new())];
    let among = (
        field(),
        select(vec![Operator::In, Operator::NotIn, Operator::StrContains]),
        text,
        option::of(any::<bool>()),
    )
        .prop_map(|(field, operator, values, inverted)| Constraint {
            values: values.into_iter().map(str::to_owned).collect(),
            inverted,
            ..Constraint::new(field, operator)
        });
    let number = (
        field(),
        select(vec![Operator::NumGt, Operator::NumEq]),
        proptest::prop_oneof![12 => select(vec!["5", "1e3"]), 1 => Just("x")],
    )
        .prop_map(|(field, operator, value)| Constraint {
            value: Some(value.to_owned()),
            ..Constraint::new(field, operator)
        });
    proptest::prop_oneof![3 => among, 1 => number].boxed()
}
