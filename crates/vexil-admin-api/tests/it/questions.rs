//! What is asked of comparisons and proofs, alone and beside what is compared.

use serde_json::{Value, json};
use vexil_admin_api::playground::{
    ChangeRequestQuestion, DiffQuestion, ExplainQuestion, Part, ProofQuestion, ProposedChanges, TwoSides,
};

use crate::documents::{Document, Pointers, document, proposal, with};

pub(crate) fn documents() -> [Document; 6] {
    let diff = json!({
        "context": { "appName": "a", "userId": "1,2", "properties": { "plan": "free" } },
        "suggest": true,
        "population": { "size": 10, "seed": 7 },
        "seed": 7,
        "now": "2027-01-01T00:00:00Z",
    });
    let explain = with(with(diff.clone(), "flag", json!("f")), "combination", json!(1));
    let proof = json!({ "never": ["plan=free"], "only": ["country=NO"], "atMost": "10%" });
    let sides = |mut question: Value| {
        question["before"] = json!({ "environment": "qa" });
        question["after"] = json!({ "environment": "production" });
        with(question, "project", json!("shop"))
    };
    let changes = |question: Value| {
        let change = proposal("updateEnabled", json!({ "enabled": true }));
        let question = with(question, "changes", json!([change]));
        with(
            with(question, "project", json!("shop")),
            "environment",
            json!("qa"),
        )
    };
    [
        document("diff", |body| DiffQuestion::read(body).map(drop), diff.clone()),
        document(
            "explain",
            |body| ExplainQuestion::read(body).map(drop),
            explain.clone(),
        ),
        document("proof", |body| ProofQuestion::read(body).map(drop), proof.clone()),
        document(
            "proof of two environments",
            |body| <(TwoSides, ProofQuestion)>::read(body).map(drop),
            sides(proof.clone()),
        ),
        document(
            "proof of changes",
            |body| <(ProposedChanges, ProofQuestion)>::read(body).map(drop),
            changes(proof),
        ),
        document(
            "explain of changes",
            |body| <(ProposedChanges, ExplainQuestion)>::read(body).map(drop),
            changes(explain),
        ),
    ]
}

/// A field that is left out with a warning where it is no text.
const CONTEXT: &str = "/context/userId";
/// A property that is absent.
const PROPERTY: &str = "/context/properties/plan";
/// Where fields have the names that somebody gives them.
const FREE: Pointers = &["/context", "/context/properties"];

/// Where `null` may stand, what is not read, and where any name may stand.
pub(crate) fn exceptions(name: &str) -> (Pointers, Pointers, Pointers) {
    match name {
        "diff" => (
            &["/seed", "/now", "/population/seed", CONTEXT, PROPERTY],
            &[],
            FREE,
        ),
        "explain" | "explain of changes" => (
            &[
                "/seed",
                "/now",
                "/population/seed",
                "/combination",
                CONTEXT,
                PROPERTY,
            ],
            &[],
            FREE,
        ),
        "proof" | "proof of changes" => (&["/atMost"], &[], &[]),
        "proof of two environments" => (&["/atMost", "/project"], &[], &[]),
        _ => (&[], &[], &[]),
    }
}

#[test]
fn values_with_commas_stand_in_a_list_where_differences_are_asked_for() {
    let context =
        json!({ "appName": [""], "userId": ["a,b", "c"], "city": "x,y", "properties": { "plan": ["p,q"] } });
    let question = DiffQuestion::read(&json!({ "context": context })).unwrap();
    let fields: Vec<_> = question
        .matrix
        .fields()
        .iter()
        .map(|field| (field.name.as_str(), field.values.join("|")))
        .collect();
    let expected = [
        ("userId", "a,b|c"),
        ("city", "x|y"),
        ("plan", "p,q"),
        ("appName", ""),
    ];
    assert_eq!(fields, expected.map(|(name, values)| (name, values.to_owned())));
    assert!(question.invalid.is_empty());
    for (field, wrong) in [
        ("userId", json!([])),
        ("userId", json!([{}])),
        ("userId", json!(["a", null])),
        ("currentTime", json!(["noon"])),
    ] {
        let context = with(json!({ "appName": "a" }), field, wrong.clone());
        let problems = DiffQuestion::read(&json!({ "context": context })).unwrap_err();
        assert_eq!(problems.len(), 1, "{field} {wrong}");
    }
    let documented = json!({ "context": { "appName": "a", "userId": ["a,b"] } });
    let asked = ChangeRequestQuestion::read(&documented, documented.to_string().as_bytes()).unwrap();
    assert_eq!(
        asked.context.invalid,
        ["userId"],
        "the documented operation leaves out what is no text"
    );
}
