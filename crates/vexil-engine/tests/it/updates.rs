//! Engines that come from engines.

use std::sync::Arc;

use proptest::prelude::*;
use vexil_domain::{Context, Dependency, Segment, SegmentId, Write};
use vexil_engine::{Engine, Problem, Update};
use vexil_proptest::{arb_context, arb_environment_snapshot};

use crate::support::{ambient, flag, rollout, snapshot};

proptest! {
    #[test]
    fn an_updated_engine_is_one_compiled_anew(
        states in prop::collection::vec(arb_environment_snapshot(), 2..5),
        context in arb_context(),
        seed: u64,
    ) {
        let mut engine = Engine::compile(&states[0]).0;
        for pair in states.windows(2) {
            let ids: Vec<_> = engine.flags().map(|id| (id, engine.name(id).unwrap().clone())).collect();
            engine = engine.updated(&Update::between(&pair[0], &pair[1])).0;
            let anew = Engine::compile(&pair[1]).0;
            prop_assert_eq!(engine.len(), anew.len());
            prop_assert_eq!(engine.flags().count(), anew.len());
            let moment = ambient(seed);
            prop_assert_eq!(engine.prepare(&context, &moment).resolve_all().len(), anew.len());
            for (id, name) in ids {
                prop_assert_eq!(engine.name(id), pair[1].flags.get_key_value(&name).map(|(name, _)| name));
            }
            for name in pair.iter().flat_map(|state| state.flags.keys()) {
                let name = name.as_str();
                prop_assert_eq!(
                    engine.explain(name, &context, &ambient(seed)),
                    anew.explain(name, &context, &ambient(seed))
                );
                prop_assert_eq!(
                    engine.variant(name, &context, &ambient(seed)),
                    anew.variant(name, &context, &ambient(seed))
                );
                let reads = |engine: &Engine| {
                    let id = engine.flag(name)?;
                    Some(engine.reads(id).into_iter().map(str::to_owned).collect::<Vec<_>>())
                };
                prop_assert_eq!(reads(&engine), reads(&anew));
            }
        }
    }
}

#[test]
fn the_earlier_engine_stays_as_it_was() {
    let before = Engine::compile(&snapshot([flag("f", vec![])])).0;
    let update = Update {
        flags: vec![Write::Delete("f".into())],
        segments: vec![],
    };
    let after = before.updated(&update).0;
    let is_enabled = |engine: &Engine| engine.is_enabled("f", &Context::default(), &ambient(0));
    assert!(is_enabled(&before) && !is_enabled(&after));
    assert_eq!((before.len(), after.len()), (1, 0));
}

#[test]
fn a_handle_outlives_its_flag_and_serves_it_again() {
    let engine = Engine::compile(&snapshot([flag("f", vec![])])).0;
    let id = engine.flag("f").unwrap();
    let update = |put| Update {
        flags: vec![put],
        segments: vec![],
    };
    let without = engine.updated(&update(Write::Delete("f".into()))).0;
    assert_eq!(without.flag("f"), None);
    assert!(!without.is_enabled_by(id, &Context::default(), &ambient(0)));
    assert_eq!(without.explain_by(id, &Context::default(), &ambient(0)), None);
    let again = without
        .updated(&update(Write::Upsert(Arc::new(flag("f", vec![])))))
        .0;
    assert_eq!(again.flag("f"), Some(id));
    assert!(again.is_enabled_by(id, &Context::default(), &ambient(0)));
}

#[test]
fn a_handle_never_answers_for_a_flag_of_another_engine() {
    let of = |name: &str| Engine::compile(&snapshot([flag(name, vec![])])).0;
    let (one, other, again) = (of("a"), of("b"), of("a"));
    let id = one.flag("a").unwrap();
    for engine in [&other, &again] {
        let prepared_in = Context::default();
        let ambient = ambient(0);
        let prepared = engine.prepare(&prepared_in, &ambient);
        assert!(!engine.is_enabled_by(id, &prepared_in, &ambient) && !prepared.is_enabled_by(id));
        assert!(!engine.variant_by(id, &prepared_in, &ambient).feature_enabled);
        assert!(!prepared.variant_by(id).feature_enabled);
        assert_eq!(engine.explain_by(id, &prepared_in, &ambient), None);
        assert_eq!((engine.name(id), engine.info(id)), (None, None));
        assert!(engine.reads(id).is_empty());
    }
    assert!(one.clone().is_enabled_by(id, &Context::default(), &ambient(0)));
}

#[test]
fn what_is_said_of_a_flag_is_known_by_its_handle() {
    let mut said = flag("f", vec![]);
    said.kind = "experiment".into();
    said.description = Some("a description".to_owned());
    said.impression_data = true;
    let mut engine = Engine::compile(&snapshot([said, flag("g", vec![])])).0;
    for step in 0..2 {
        let info = engine.info(engine.flag("f").unwrap()).unwrap();
        assert_eq!((info.name.as_str(), info.project.as_str()), ("f", "default"));
        let (kind, description) = (info.kind, info.description);
        assert_eq!(
            (kind, description),
            ("experiment", Some("a description")),
            "{step}"
        );
        assert!(info.impression_data);
        // the same after the chunk that it is in was copied
        let put = Write::Upsert(Arc::new(flag("h", vec![])));
        engine = engine
            .updated(&Update {
                flags: vec![put],
                segments: vec![],
            })
            .0;
    }
    let plain = engine.info(engine.flag("h").unwrap()).unwrap();
    assert_eq!(
        (plain.kind, plain.description, plain.impression_data),
        ("release", None, false)
    );
}

#[test]
fn many_flags_can_be_added_one_by_one() {
    let mut engine = Engine::default();
    for number in 0..3_000 {
        let put = Write::Upsert(Arc::new(flag(&format!("flag-{number}"), vec![])));
        engine = engine
            .updated(&Update {
                flags: vec![put],
                segments: vec![],
            })
            .0;
    }
    assert_eq!(engine.len(), 3_000);
    let missing = (0..3_000).find(|number| engine.flag(&format!("flag-{number}")).is_none());
    assert_eq!(missing, None);
    assert_eq!(engine.flag("flag-3000"), None);
}

#[test]
fn a_changed_segment_and_a_changed_parent_change_their_dependants() {
    let mut strategy = rollout("100", "default");
    strategy.segments = vec![SegmentId(1)];
    let mut child = flag("child", vec![]);
    child.dependencies = vec![Dependency {
        parent: "parent".into(),
        enabled: true,
        variants: vec![],
    }];
    let (engine, warnings) = Engine::compile(&snapshot([flag("parent", vec![strategy]), child]));
    assert!(matches!(
        warnings[0].problem,
        Problem::MissingSegment { id: SegmentId(1) }
    ));
    let is_enabled = |engine: &Engine| engine.is_enabled("child", &Context::default(), &ambient(0));
    assert!(!is_enabled(&engine));
    let put = Write::Upsert(Arc::new(Segment::new(SegmentId(1), "everybody", vec![])));
    let (engine, warnings) = engine.updated(&Update {
        flags: vec![],
        segments: vec![put],
    });
    assert!(is_enabled(&engine) && warnings.is_empty());
    let (engine, warnings) = engine.updated(&Update {
        flags: vec![],
        segments: vec![Write::Delete(SegmentId(1))],
    });
    assert!(!is_enabled(&engine));
    assert!(matches!(
        warnings[0].problem,
        Problem::MissingSegment { id: SegmentId(1) }
    ));
}
