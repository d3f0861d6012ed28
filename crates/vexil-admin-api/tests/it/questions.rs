//! What is asked of comparisons and proofs, alone and beside what is compared.

use serde_json::{Value, json};
use vexil_admin_api::playground::{
    DiffQuestion, ExplainQuestion, Part, ProofQuestion, ProposedChanges, TwoSides,
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
