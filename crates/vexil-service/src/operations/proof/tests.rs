use serde_json::json;
use time::macros::datetime;
use vexil_admin_api::playground::Part;
use vexil_budget::{Reason, Stop};

use super::*;
use crate::operations::{compare, given_state};

const NOW: OffsetDateTime = datetime!(2026-11-27 12:00 UTC);

/// Flags that are off, and the same with half of them on for some users, and one for more than can be told apart.
fn sides(flags: usize) -> BeforeAfter {
    let side = |enabled: bool| {
        let odd = json!({ "name": "odd", "constraints": [{ "contextName": "country", "operator": "IN", "values": ["NO"] }] });
        let rollout = json!({
            "name": "flexibleRollout", "parameters": { "rollout": "33", "stickiness": "userId", "groupId": "g" },
            "variants": [{ "name": "blue", "weight": 500, "stickiness": "userId" }, { "name": "\"red\"", "weight": 500, "stickiness": "userId" }],
        });
        let mut list = vec![json!({ "name": "a", "enabled": enabled, "strategies": [odd] })];
        list.extend((0..flags).map(|number| {
            let name = format!("flag-{number:05}");
            json!({ "name": name, "enabled": enabled && number % 2 == 0, "strategies": [rollout] })
        }));
        let state = json!({ "version": 2, "features": list, "query": { "environment": "production" } });
        given_state::read(&state, None, NOW).unwrap().side()
    };
    compare::two(side(false), side(true), None)
}

/// The proof as text and as a document, within a budget each.
fn both(sides: &BeforeAfter, [text, document]: [&Budget; 2]) -> (ProofText, Value) {
    let question =
        ProofQuestion::read(&json!({ "never": ["country=NO"], "only": ["userId="], "atMost": "10%" }))
            .unwrap();
    let Value::Object(head) = json!({ "environment": "production", "project": null }) else {
        panic!("no object");
    };
    let asked = Asked {
        question: &question,
        now: NOW,
        head: &head,
        warnings: &PlaygroundWarnings::default(),
    };
    let text = sides.proof_text(asked, text).unwrap();
    (text, sides.proof(asked, document).unwrap())
}

fn sent(text: ProofText) -> String {
    let mut sent = Vec::new();
    text.write(&mut |piece| {
        sent.extend(piece);
        true
    });
    String::from_utf8(sent).unwrap()
}

#[test]
fn the_text_is_that_of_the_document_however_many_flags_change() {
    for flags in [0, 1, 2, 3, 500] {
        let (text, document) = both(&sides(flags), [&Budget::unlimited(), &Budget::unlimited()]);
        assert_eq!(text.short().is_some(), flags < 500);
        assert_eq!(document["guards"].as_array().unwrap().len(), 3);
        assert_eq!(document["flags"]["changed"], json!(1 + flags.div_ceil(2)));
        assert_eq!(sent(text), document.to_string());
    }
    let nothing = sides(3);
    let same = BeforeAfter {
        before: nothing.after,
        after: sides(3).after,
        project: nothing.project,
        elsewhere: Vec::new(),
    };
    let (text, document) = both(&same, [&Budget::unlimited(), &Budget::unlimited()]);
    assert_eq!(document["features"], json!([]));
    assert_eq!(sent(text), document.to_string());
}

#[test]
fn the_text_is_that_of_the_document_where_the_work_does_not_last() {
    let work = KEPT + 10_000;
    let (text, document) = both(&sides(500), [&Budget::new(work), &Budget::new(work)]);
    assert_eq!(document["complete"], json!(false));
    assert_eq!(document["effect"], json!(null));
    assert!(!document["undecided"].as_array().unwrap().is_empty());
    assert_eq!(sent(text), document.to_string());
}

#[test]
fn a_long_text_waits_in_a_tenth_of_its_size() {
    let (text, _) = both(&sides(500), [&Budget::unlimited(), &Budget::new(0)]);
    let held = text.held();
    let whole = sent(text).len();
    assert!(whole > 300_000, "{whole}");
    assert!(held < whole / 10, "{held} of {whole}");
}

#[test]
fn nothing_is_decided_any_more_for_a_client_that_is_gone() {
    let stop = Stop::default();
    stop.set(Reason::Cancelled);
    let budget = Budget::stopped_by(u64::MAX, stop);
    let (text, document) = both(&sides(10), [&budget, &budget]);
    assert_eq!(document["flags"]["changed"], json!(0));
    assert_eq!(document["undecided"].as_array().unwrap().len(), 6);
    assert_eq!(sent(text), document.to_string());
}
