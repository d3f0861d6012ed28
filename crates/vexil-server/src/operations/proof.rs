//! Proofs: what changes do to every context there is, and whether guards hold.

use serde_json::{Map, Value};
use time::OffsetDateTime;
use vexil_admin_api::playground::{ProofQuestion, proof_document};
use vexil_budget::Budget;
use vexil_domain::FlagName;
use vexil_preview::Effect;
use vexil_proof_check::{Proof, ProofError};

use super::diff::{BeforeAfter, Draw};

/// So many units of the budget are kept for the answer itself.
const KEPT: u64 = 100_000;

impl BeforeAfter {
    /// The exact effect, with whether the guards hold. What the budget does not last for is named.
    pub(crate) fn effect(&self, question: &ProofQuestion, now: OffsetDateTime, budget: &Budget) -> Effect {
        let own = Budget::stopped_by(budget.left().saturating_sub(KEPT), budget.stop().clone());
        let comparison = self.comparison(Draw { now, seed: 0 });
        comparison.effect(&self.affected(), &question.guards, &own)
    }

    /// The same as a document, behind `head`.
    pub(crate) fn proof(
        &self,
        question: &ProofQuestion,
        now: OffsetDateTime,
        budget: &Budget,
        head: Map<String, Value>,
    ) -> (Effect, Map<String, Value>) {
        let effect = self.effect(question, now, budget);
        let unaffected = self.unaffected(&self.affected());
        let mut document = head;
        document.extend(proof_document(&effect, unaffected));
        (effect, document)
    }
}

impl BeforeAfter {
    /// The proof of every flag that can differ, in a form that can be checked by another method. Those
    /// that are not complete are left out.
    pub(crate) fn certificates(&self, now: OffsetDateTime, budget: &Budget) -> Vec<Proof> {
        let comparison = self.comparison(Draw { now, seed: 0 });
        let flags = self.affected().into_iter();
        flags
            .filter_map(|flag| comparison.certificate(&flag, budget).ok().flatten())
            .collect()
    }

    /// Checks proofs by a second method: how many were accepted. Those that are too large to check are left out.
    pub(crate) fn checked(&self, proofs: &[Proof]) -> Result<usize, String> {
        let sides = [&self.before, &self.after].map(|stage| vexil_proof_check::Side {
            snapshot: &stage.snapshot,
            engine: &stage.engine,
        });
        let mut checked = 0;
        for proof in proofs {
            match vexil_proof_check::check(sides, proof) {
                Ok(()) => checked += 1,
                Err(ProofError::TooLarge) => {}
                Err(why) => return Err(format!("{}: {why}", proof.flag)),
            }
        }
        Ok(checked)
    }

    /// The flags that can differ and have none of these proofs.
    pub(crate) fn unproven(&self, proofs: &[Proof]) -> Vec<FlagName> {
        let mut flags = self.affected();
        flags.retain(|flag| proofs.iter().all(|proof| proof.flag != flag.as_str()));
        flags
    }
}
