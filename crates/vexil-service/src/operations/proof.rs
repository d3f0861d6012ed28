//! Proofs: what changes do to every context there is, and whether guards hold.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use time::OffsetDateTime;
use vexil_admin_api::playground::{PieceSink, PlaygroundWarnings, ProofFrame, ProofQuestion, ProvenFlag};
use vexil_budget::Budget;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_preview::{EffectSummary, GuardFinding, GuardVerdict, affected_flags};
use vexil_proof_check::{Proof, ProofError};

use super::diff::{BeforeAfter, Draw, comparison};
use crate::held_text::{HeldText, TextHolder};
use crate::operations::Error;

/// So many units of the budget are kept for the answer itself, but at most half of them.
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

opaque!(Asked<'_>);

/// A proof as the JSON text of its answer.
pub struct ProofText {
    opening: Vec<u8>,
    /// The flags, and what stands behind them.
    rest: HeldText,
}

opaque!(ProofText);

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
    guards: Vec<(GuardFinding, Option<EnvironmentName>)>,
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

    /// Proves, and tells of each flag of which there is something to say: first here, then in each other environment
    /// that the change reaches.
    fn prove(
        &self,
        asked: Asked<'_>,
        budget: &Budget,
        mut tell: impl FnMut(ProvenFlag<'_>) -> Result<(), serde_json::Error>,
    ) -> Result<Said, Error> {
        let left = budget.left();
        let own = Budget::stopped_by(left - KEPT.min(left / 2), budget.stop().clone());
        let draw = Draw {
            now: asked.now,
            seed: 0,
        };
        let flags = self.affected();
        let mut summary = EffectSummary::default();
        let mut told = Ok(());
        let guards = &asked.question.guards;
        let here = self.comparison(draw);
        let found = here.each_effect(&flags, guards, &own, |effect| {
            summary.add(&effect);
            if let (Ok(()), Some(flag)) = (&told, ProvenFlag::of(&effect, None)) {
                told = tell(flag);
            }
        });
        let mut guarded: Vec<_> = found.into_iter().map(|finding| (finding, None)).collect();
        let mut affected: BTreeSet<FlagName> = flags.iter().cloned().collect();
        for [before, after] in &self.elsewhere {
            let flags = affected_flags(&before.snapshot, &after.snapshot);
            let found = comparison([before, after], draw).each_effect(&flags, guards, &own, |effect| {
                let is_new = affected.insert(effect.flag.clone());
                summary.add_elsewhere(&before.name, is_new, &effect);
                if let (Ok(()), Some(flag)) = (&told, ProvenFlag::of(&effect, Some(&before.name))) {
                    told = tell(flag);
                }
            });
            for (known, new) in guarded.iter_mut().zip(found) {
                if gravity(&new.verdict) > gravity(&known.0.verdict) {
                    *known = (new, Some(before.name.clone()));
                }
            }
        }
        told.map_err(Error::internal)?;
        let everywhere: Vec<FlagName> = affected.into_iter().collect();
        Ok(Said {
            summary,
            guards: guarded,
            unaffected: self.unaffected(&everywhere),
            warnings: self.warned(&flags, asked.warnings),
        })
    }
}

/// Of two verdicts on a guard the graver one holds for both.
fn gravity(verdict: &GuardVerdict) -> u8 {
    match verdict {
        GuardVerdict::Holds => 0,
        GuardVerdict::Undecided => 1,
        GuardVerdict::Broken { .. } => 2,
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
