//! An engine that is brought up to date by whole documents.

use proptest::prelude::*;
use vexil_client_api::{PolledEngine, ReadError, load_engine};
use vexil_engine::{Ambient, Context, CustomStrategies, Engine, OffsetDateTime};

fn ambient() -> Ambient<'static> {
    Ambient::new(OffsetDateTime::UNIX_EPOCH, 0)
}

/// A flag of a few names and a few contents, sometimes broken.
fn flag() -> impl Strategy<Value = String> {
    let name = prop_oneof![8 => "[a-h]", 1 => Just("constructor".to_owned())];
    let strategies = prop_oneof![
        Just("[]"),
        Just(r#"[{"name": "default", "segments": [1]}]"#),
        Just(r#"[{"name": "flexibleRollout", "parameters": {"rollout": "50", "stickiness": "userId"}}]"#),
        Just(r#"[{"name": "userWithId", "parameters": {"userIds": "7"}}, {"name": "custom"}]"#),
        Just(r#""broken""#),
    ];
    let blank = prop_oneof![Just(""), Just("  ")];
    prop_oneof![
        20 => (name, any::<bool>(), strategies, blank).prop_map(|(name, enabled, strategies, blank)| {
            format!(r#"{{"name": "{name}",{blank}"enabled": {enabled}, "strategies": {strategies}}}"#)
        }),
        1 => Just(r#"{"enabled": true}"#.to_owned()),
        1 => Just("7".to_owned()),
    ]
}

fn document() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        Just(r#"{"id": 1, "constraints": []}"#),
        Just(r#"{"id": 1, "constraints": [{"contextName": "userId", "operator": "IN", "values": ["7"]}]}"#),
        Just(r#"{"id": 2, "constraints": []}"#),
    ];
    let flags = prop::collection::vec(flag(), 0..8);
    let segments = prop::collection::vec(segment, 0..3);
    (flags, segments, any::<bool>()).prop_map(|(flags, segments, segments_first)| {
        let (flags, segments) = (flags.join(", "), segments.join(","));
        if segments_first {
            format!(r#"{{"version": 2, "segments": [{segments}], "features": [{flags}]}}"#)
        } else {
            format!(r#"{{"features": [{flags}], "segments": [{segments}], "meta": {{"features": []}}}}"#)
        }
    })
}

/// Some edits of a document, so that most of it stays as it was.
fn documents() -> impl Strategy<Value = Vec<String>> {
    let flags = prop::collection::vec(flag(), 3..9);
    let edit = (0_usize..9, 0_usize..9, flag(), 0_u8..5);
    (flags, prop::collection::vec(edit, 1..8)).prop_map(|(mut flags, edits)| {
        let whole = |flags: &[String]| format!(r#"{{"features": [{}]}}"#, flags.join(",\n"));
        let mut all = vec![whole(&flags)];
        for (at, other, flag, kind) in edits {
            let (at, other) = (at % (flags.len() + 1), other % (flags.len() + 1));
            match kind {
                0 => flags.insert(at, flag),
                1 if at < flags.len() => drop(flags.remove(at)),
                2 if at < flags.len() && other < flags.len() => flags.swap(at, other),
                3 if at < flags.len() => flags[at] = flag,
                _ => {}
            }
            all.push(whole(&flags));
        }
        all
    })
}

/// Everything that can be told of an engine from outside.
fn all(engine: &Engine) -> Vec<String> {
    let contexts = ["7", "8", "9"].map(|user| Context::default().with("userId", user));
    let mut all: Vec<String> = engine
        .flags()
        .flat_map(|flag| contexts.iter().map(move |context| (flag, context)))
        .map(|(flag, context)| engine.explain_by(flag, context, &ambient()).unwrap().to_string())
        .collect();
    all.sort();
    all
}

fn follow(documents: &[String]) -> Result<(), TestCaseError> {
    let (mut polled, _) =
        PolledEngine::load(documents[0].clone().into(), CustomStrategies::default()).unwrap();
    prop_assert_eq!(
        all(polled.engine()),
        all(&load_engine(documents[0].as_bytes()).unwrap().engine)
    );
    for document in &documents[1..] {
        let before = polled.engine().clone();
        let ids: Vec<_> = before.flags().collect();
        let news = polled.next(document.clone().into()).unwrap();
        let anew = load_engine(document.as_bytes()).unwrap().engine;
        prop_assert_eq!(all(polled.engine()), all(&anew), "{:?}", documents);
        for id in ids {
            let now = polled.engine().name(id);
            prop_assert!(now.is_none() || now == before.name(id));
            prop_assert_eq!(
                now.is_some(),
                anew.flag(before.name(id).unwrap().as_str()).is_some()
            );
        }
        let again = polled.next(document.clone().into()).unwrap();
        let names_twice = news.changed > 0 && again.changed > 0;
        prop_assert!(again.changed == 0 || names_twice, "{:?}", documents);
    }
    Ok(())
}

proptest! {
    #[test]
    fn polling_any_documents_is_loading_the_last_one(documents in prop::collection::vec(document(), 1..5)) {
        follow(&documents)?;
    }

    #[test]
    fn polling_edited_documents_is_loading_the_last_one(documents in documents()) {
        follow(&documents)?;
    }
}

#[test]
fn only_what_changed_is_read_and_counted() {
    let of = |flags: &[&str]| format!(r#"{{"features":[{}]}}"#, flags.join(",")).into_bytes();
    let (a, b, c) = (
        r#"{"name":"a","enabled":true}"#,
        r#"{"name":"b","enabled":true,"strategies":7}"#,
        r#"{"name":"c","enabled":true}"#,
    );
    let (mut polled, first) = PolledEngine::load(of(&[a, b]), CustomStrategies::default()).unwrap();
    assert_eq!((first.changed, first.problems.len()), (2, 1));
    let same = polled.next(of(&[a, b])).unwrap();
    assert_eq!((same.changed, same.problems.len()), (0, 0));
    // added in the middle, so that all behind it move
    assert_eq!(polled.next(of(&[a, c, b])).unwrap().changed, 1);
    assert_eq!(polled.next(of(&[b, a, c])).unwrap().changed, 0);
    assert_eq!(polled.next(of(&[b, c])).unwrap().changed, 1);
    let off = r#"{"name":"c","enabled":false}"#;
    assert_eq!(polled.next(of(&[b, off])).unwrap().changed, 1);
    assert!(!polled.engine().is_enabled("c", &Context::default(), &ambient()));
}

#[test]
fn a_document_that_cannot_be_read_changes_nothing() {
    let good = r#"{"features":[{"name":"a","enabled":true}]}"#;
    let (mut polled, _) = PolledEngine::load(good.into(), CustomStrategies::default()).unwrap();
    for bad in [
        "",
        "{}",
        "[]",
        r#"{"features":7}"#,
        r#"{"features":[{"name":"a"}"#,
        r#"{"features":[{"name":"\ud800"}]}"#,
    ] {
        assert!(polled.next(bad.into()).is_err(), "{bad}");
        assert!(polled.engine().is_enabled("a", &Context::default(), &ambient()));
    }
    let not_this = polled.next("{}".into()).unwrap_err();
    assert!(matches!(not_this, ReadError::NotThis { member: "features" }));
    assert_eq!(polled.next(good.into()).unwrap().changed, 0);
}

#[test]
fn a_document_that_is_no_utf_8_where_nobody_looks_is_read_all_the_same() {
    let of = |enabled: bool| {
        let text = format!(r#"{{"features":[{{"name":"a","enabled":{enabled},"x":"?"}}]}}"#);
        text.bytes()
            .map(|byte| if byte == b'?' { 0xff } else { byte })
            .collect::<Vec<u8>>()
    };
    let (mut polled, _) = PolledEngine::load(of(true), CustomStrategies::default()).unwrap();
    assert!(polled.engine().is_enabled("a", &Context::default(), &ambient()));
    polled.next(of(false)).unwrap();
    assert!(!polled.engine().is_enabled("a", &Context::default(), &ambient()));
    polled.next(br#"{"features":[]}"#.to_vec()).unwrap();
    assert_eq!(polled.engine().len(), 0);
}
