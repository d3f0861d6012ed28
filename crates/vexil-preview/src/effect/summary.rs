//! What is said of an effect as a whole, of which no group is kept.

use sha2::{Digest as _, Sha256};
use vexil_domain::{EnvironmentName, FlagName};

use super::answer::{Effect, FlagEffect};
use super::undecided::Undecided;

/// What the effects on some flags come to.
#[derive(Debug, Clone, Default)]
pub struct EffectSummary {
    /// How many flags were told of.
    pub compared: usize,
    /// How many nodes were visited for all of them.
    pub nodes: u64,
    /// Why contexts may change that are in no group, in the order of the flags.
    pub undecided: Vec<Undecided>,
    /// The flags that change, each with the environment where that is another one, and the digest of its effect.
    changing: Vec<Changing>,
}

#[derive(Debug, Clone)]
struct Changing {
    elsewhere: Option<EnvironmentName>,
    flag: FlagName,
    digest: Option<[u8; 32]>,
}

impl EffectSummary {
    /// Adds the effect on one flag more.
    pub fn add(&mut self, effect: &FlagEffect) {
        self.compared += 1;
        self.add_at(None, effect);
    }

    /// Adds the effect that the same change has on a flag in another environment. A flag that was told of
    /// counts once.
    pub fn add_elsewhere(&mut self, environment: &EnvironmentName, is_new: bool, effect: &FlagEffect) {
        self.compared += usize::from(is_new);
        self.add_at(Some(environment), effect);
    }

    fn add_at(&mut self, elsewhere: Option<&EnvironmentName>, effect: &FlagEffect) {
        self.nodes += effect.nodes;
        self.undecided.extend(effect.undecided.iter().cloned());
        if !effect.groups.is_empty() {
            self.changing.push(Changing {
                elsewhere: elsewhere.cloned(),
                flag: effect.flag.clone(),
                digest: effect.digest,
            });
        }
    }

    /// How many flags change, in whatever environment.
    #[must_use]
    pub fn changed(&self) -> usize {
        let mut flags: Vec<&FlagName> = self.changing.iter().map(|one| &one.flag).collect();
        flags.sort_unstable();
        flags.dedup();
        flags.len()
    }

    /// Whether the groups of all flags are all there is.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.undecided.is_empty()
    }

    /// Tells the effect from every other, over all flags that change; `None` where it is not complete.
    /// The digest is written as `sha256:` with hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        if !self.is_complete() {
            return None;
        }
        let mut changing: Vec<_> = self.changing.iter().collect();
        changing.sort_by_key(|one| (&one.elsewhere, &one.flag));
        let mut hash = Sha256::new();
        for one in changing {
            let environment = one.elsewhere.as_ref().map(EnvironmentName::as_str);
            for text in environment.into_iter().chain([one.flag.as_str()]) {
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
            hash.update(one.digest?);
        }
        let digits: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("sha256:{digits}"))
    }
}

impl Effect {
    /// Tells the effect from every other, over all flags that change; `None` where it is not complete.
    /// The digest is written as `sha256:` with hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let mut summary = EffectSummary::default();
        self.flags.iter().for_each(|flag| summary.add(flag));
        summary.digest()
    }
}
