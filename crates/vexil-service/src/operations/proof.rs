//! Proofs: what changes do to every context there is, and whether guards hold.

use serde_json::{Map, Value};
use time::OffsetDateTime;
use vexil_admin_api::playground::{PieceSink, PlaygroundWarnings, ProofFrame, ProofQuestion, ProvenFlag};
use vexil_budget::Budget;
use vexil_domain::FlagName;
use vexil_preview::{EffectSummary, GuardFinding};
use vexil_proof_check::{Proof, ProofError};

use super::diff::{BeforeAfter, Draw};
use crate::held_text::{HeldText, TextHolder};
use crate::operations::Error;

/// So many units of the budget are kept for the answer itself.
const KEPT: u64 = 100_000;

/// What is asked of a comparison, and when.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The question.
    pub question: &'a ProofQuestion,
    /// The time that conditions on the current time are read at.
    pub now: OffsetDateTime,
    /// What the answer says before the proof.
    pub head: &'a Map<String, Value>,
    /// What is to be warned of, besides what was not understood.
    pub warnings: &'a PlaygroundWarnings,
}

/// A proof as the JSON text of its answer.
pub struct ProofText {
    opening: Vec<u8>,
    /// The flags, and what stands behind them.
    rest: HeldText,
}

impl ProofText {
    /// One of its beginning and its rest.
    #[must_use]
    pub fn new(opening: Vec<u8>, rest: HeldText) -> Self {
        Self { opening, rest }
    }

    /// How many bytes of memory it takes.
    #[must_use]
    pub fn held(&self) -> usize {
        self.opening.len() + self.rest.held()
    }

    /// The whole text, where it is short.
    #[must_use]
    pub fn short(&self) -> Option<Vec<u8>> {
        let rest = self.rest.short()?;
        Some([&self.opening, rest].concat())
    }

    /// Hands the text on piece by piece. Ends early when nobody reads any more.
    pub fn write(self, sink: &mut PieceSink<'_>) {
        if sink(self.opening) {
            self.rest.write(sink);
        }
    }
}

/// What is said of all flags together.
struct Said {
    summary: EffectSummary,
    guards: Vec<GuardFinding>,
    unaffected: usize,
    warnings: PlaygroundWarnings,
}

impl Said {
    fn frame<'a>(&'a self, head: &'a Map<String, Value>) -> ProofFrame<'a> {
        ProofFrame {
            head,
            summary: &self.summary,
            guards: &self.guards,
            unaffected: self.unaffected,
            warnings: &self.warnings,
        }
    }
}

impl BeforeAfter {
    /// The proof as a document. What the budget does not last for is named.
    pub fn proof(&self, asked: Asked<'_>, budget: &Budget) -> Result<Value, Error> {
        let mut flags = Vec::new();
        let said = self.prove(asked, budget, |flag| {
            flags.push(serde_json::to_value(flag)?);
            Ok(())
        })?;
        said.frame(asked.head).document(flags).map_err(Error::internal)
    }

    /// The same as text.
    ///
    /// What stands before the flags is known once all of them are decided, and to decide them again while they
    /// are sent would take twice as long. So each flag is written as soon as it is decided, its effect is let go,
    /// and the text waits compressed: a tenth of the answer is held, however slowly somebody reads.
    pub fn proof_text(&self, asked: Asked<'_>, budget: &Budget) -> Result<ProofText, Error> {
        let mut rest = TextHolder::default();
        let mut follows = false;
        let said = self.prove(asked, budget, |flag| {
            if std::mem::replace(&mut follows, true) {
                rest.take(b",");
            }
            serde_json::to_writer(&mut rest, &flag)
        })?;
        let frame = said.frame(asked.head);
        rest.take(&frame.after_flags());
        Ok(ProofText::new(frame.before_flags(), rest.finish()))
    }

    /// Proves, and tells of each flag of which there is something to say.
    fn prove(
        &self,
        asked: Asked<'_>,
        budget: &Budget,
        mut tell: impl FnMut(ProvenFlag<'_>) -> Result<(), serde_json::Error>,
    ) -> Result<Said, Error> {
        let own = Budget::stopped_by(budget.left().saturating_sub(KEPT), budget.stop().clone());
        let comparison = self.comparison(Draw {
            now: asked.now,
            seed: 0,
        });
        let flags = self.affected();
        let mut summary = EffectSummary::default();
        let mut told = Ok(());
        let guards = comparison.each_effect(&flags, &asked.question.guards, &own, |effect| {
            summary.add(&effect);
            if let (Ok(()), Some(flag)) = (&told, ProvenFlag::of(&effect)) {
                told = tell(flag);
            }
        });
        told.map_err(Error::internal)?;
        Ok(Said {
            summary,
            guards,
            unaffected: self.unaffected(&flags),
            warnings: self.warned(&flags, asked.warnings),
        })
    }
}

impl BeforeAfter {
    /// The proof of every flag that can differ, in a form that can be checked by another method. Those
    /// that are not complete are left out.
    pub fn certificates(&self, now: OffsetDateTime, budget: &Budget) -> Vec<Proof> {
        let comparison = self.comparison(Draw { now, seed: 0 });
        let flags = self.affected().into_iter();
        flags
            .filter_map(|flag| comparison.certificate(&flag, budget).ok().flatten())
            .collect()
    }

    /// Checks proofs by a second method: how many were accepted. Those that are too large to check are left out.
    pub fn checked(&self, proofs: &[Proof]) -> Result<usize, String> {
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
    #[must_use]
    pub fn unproven(&self, proofs: &[Proof]) -> Vec<FlagName> {
        let mut flags = self.affected();
        flags.retain(|flag| proofs.iter().all(|proof| proof.flag != flag.as_str()));
        flags
    }
}

#[cfg(test)]
mod tests;
