//! What a change request does to users, for every context: what approvals are for.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_change_request::{ChangeRequest, Effect, EffectDigest, SignedEffect};
use vexil_domain::{EnvironmentName, Snapshot};
use vexil_engine::Ambient;
use vexil_preview::{Comparison, Effect as ExactEffect, affected_flags};

use super::diff::side;
use super::environment_view::EnvironmentView;
use crate::serving_state::ServingState;

/// The form of the digest of a proven effect; that of what flags say is 1.
const FORM: &str = "2";
/// How much work is done to prove one effect, whatever the machine: the digest must not depend on that.
const PROOF_WORK: u64 = 8_000_000;
/// So much is said of an effect in words, in bytes.
const MOST_WORDS: usize = 2_000;

/// What the request would do to `live`, with its effect as approvals are for it. `live` is what the serving
/// state holds.
pub fn effect_of(
    serving: &ServingState,
    request: &ChangeRequest,
    live: &Snapshot,
    now: OffsetDateTime,
) -> Effect {
    let mut effect = request.effect(live, now);
    let by_settings = effect.signed.digest.clone();
    let revision = serving.revision.sequence;
    let signed = serving.proven.known(&by_settings).unwrap_or_else(|| {
        let signed = prove(serving, &effect, now);
        serving.proven.remember(by_settings, signed.clone());
        signed
    });
    effect.signed = SignedEffect { revision, ..signed };
    if let Some(reasons) = effect.outcome.obstacle() {
        let text = format!("it cannot be applied: {reasons}");
        effect.signed.words = text
            .get(..text.floor_char_boundary(MOST_WORDS))
            .unwrap_or_default()
            .to_owned();
    }
    effect
}

/// The exact effect; where it cannot be decided, the digest stays that of what flags say.
fn prove(serving: &ServingState, effect: &Effect, now: OffsetDateTime) -> SignedEffect {
    let names: BTreeSet<&EnvironmentName> = effect.reach.flags.iter().map(|(_, name)| name).collect();
    let budget = Budget::new(PROOF_WORK);
    let mut hash = Sha256::new();
    let mut words = Words::default();
    let mut complete = true;
    for name in names {
        let before = EnvironmentView::current(serving, name);
        let after = EnvironmentView::proposed(serving, name, &effect.outcome.proposed);
        let comparison = Comparison {
            before: side(&before),
            after: side(&after),
            environment: name.as_str(),
            ambient: Ambient::new(now, 0),
        };
        let flags = affected_flags(&before.snapshot, &after.snapshot);
        let exact = comparison.effect(&flags, &[], &budget);
        words.add(name, &exact);
        match exact.digest() {
            Some(_) if exact.is_empty() => {}
            Some(digest) => {
                hash.update((name.as_str().len() as u64).to_le_bytes());
                hash.update(name.as_str());
                hash.update(digest);
            }
            None => complete = false,
        }
    }
    let digest = if complete {
        let sum = hash.finalize();
        let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        EffectDigest::from_stored(format!("{FORM}:{hex}"))
    } else {
        effect.signed.digest.clone()
    };
    SignedEffect {
        words: words.finish(complete),
        ..SignedEffect::of(digest)
    }
}

/// An effect in words, as far as there is room.
#[derive(Default)]
struct Words {
    text: String,
    left_out: usize,
}

impl Words {
    fn add(&mut self, environment: &EnvironmentName, exact: &ExactEffect) {
        for flag in &exact.flags {
            for group in &flag.groups {
                for region in &group.boxes {
                    let whom = if region.conditions.is_empty() {
                        "for"
                    } else {
                        "where"
                    };
                    let line = format!(
                        "in {environment}, {} {} {whom} {region}",
                        flag.flag,
                        group.before.change_to(&group.after)
                    );
                    if self.text.len() + line.len() > MOST_WORDS {
                        self.left_out += 1;
                        continue;
                    }
                    let comma = if self.text.is_empty() { "" } else { "; " };
                    let _infallible = write!(self.text, "{comma}{line}");
                }
            }
        }
    }

    fn finish(self, complete: bool) -> String {
        let Self { mut text, left_out } = self;
        if text.is_empty() && left_out == 0 && complete {
            return "nothing changes for anybody".to_owned();
        }
        if left_out > 0 {
            let _infallible = write!(text, "; and {left_out} more");
        }
        if !complete {
            let comma = if text.is_empty() { "" } else { "; " };
            let _infallible = write!(text, "{comma}not everything could be decided");
        }
        text
    }
}
