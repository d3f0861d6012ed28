//! Names of variants that were reported, flag by flag. Counts of a flag hold all of them, so that each name that is
//! kept makes reading and folding them dearer.

use std::collections::{HashMap, HashSet};

use vexil_domain::FeatureFlag;
use vexil_metrics::{Entry, Malformed};
use vexil_store::ApiTokenId;

use super::brought::Brought;

/// How many names that are not configured are kept apart for a flag, whoever brings them.
const OF_FLAG: usize = 100;

/// How SDKs name it that no variant was given.
const NO_VARIANT: &str = "disabled";

/// The names that were reported.
#[derive(Debug, Default)]
pub(super) struct Variants {
    flags: HashMap<Box<str>, OfFlag>,
    brought: Brought,
    /// How many are kept that are not configured.
    kept: usize,
}

#[derive(Debug, Default)]
struct OfFlag {
    known: HashSet<Box<str>>,
    unconfigured: usize,
}

impl Variants {
    /// Whether all variants may be kept that an entry names. Its counts are kept under the name `flag`, and
    /// `configured` finds what it is configured as, if it is.
    pub(super) fn admit<'f>(
        &mut self,
        flag: &str,
        configured: impl Fn() -> Option<&'f FeatureFlag>,
        entry: &Entry<'_>,
        token: ApiTokenId,
    ) -> Result<bool, Malformed> {
        if entry.variant_count() == 0 {
            return Ok(true);
        }
        if !self.flags.contains_key(flag) {
            self.flags.insert(flag.into(), OfFlag::default());
        }
        let Some(own) = self.flags.get_mut(flag) else {
            return Ok(false);
        };
        let mut all = true;
        // found once for all that is new, as that may be many
        let mut names: Option<HashSet<&str>> = None;
        for variant in entry.variants() {
            let (name, _) = variant?;
            if own.known.contains(name) {
                continue;
            }
            let names = names.get_or_insert_with(|| names_of(configured()));
            if !names.contains(name) {
                let room = own.unconfigured < OF_FLAG && self.brought.has_room(token, self.kept);
                if !room {
                    all = false;
                    continue;
                }
                self.brought.one_more(token);
                self.kept += 1;
                own.unconfigured += 1;
            }
            own.known.insert(name.into());
        }
        Ok(all)
    }

    /// Whether a variant of a flag is kept apart.
    pub(super) fn is_kept(&self, flag: &str, name: &str) -> bool {
        self.flags.get(flag).is_some_and(|own| own.known.contains(name))
    }
}

fn names_of(configured: Option<&FeatureFlag>) -> HashSet<&str> {
    let variants = configured.into_iter().flat_map(FeatureFlag::variants);
    let names = variants.map(|variant| variant.name.as_str());
    names.chain([NO_VARIANT]).collect()
}
