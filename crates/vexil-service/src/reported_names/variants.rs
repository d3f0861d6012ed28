//! Names of variants that were reported, flag by flag. Counts of a flag hold all of them, so that each name that is
//! kept makes reading and folding them dearer.

use std::collections::{HashMap, HashSet};

use vexil_client_api::usage::OTHER;
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
    /// Whether the names are known that were stored before this process started.
    is_read: bool,
}

/// Whether the variants of an entry may be kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// All of them.
    All,
    /// Some are counted under another name.
    Some,
    /// One is new here, and the store is to be asked first which ones it has.
    Unread,
}

impl Variants {
    /// Whether all variants may be kept that an entry names. Its counts are kept under the name `flag`, and
    /// `configured` finds what it is configured as, if it is. `asks` says whether the store can be asked.
    pub(super) fn admit<'f>(
        &mut self,
        flag: &str,
        configured: impl Fn() -> Option<&'f FeatureFlag>,
        entry: &Entry<'_>,
        token: ApiTokenId,
        asks: bool,
    ) -> Result<Admission, Malformed> {
        if entry.variant_count() == 0 {
            return Ok(Admission::All);
        }
        let Some(own) = of_flag(&mut self.flags, flag) else {
            return Ok(Admission::Some);
        };
        let mut admission = Admission::All;
        // found once for all that is new, as that may be many
        let mut names: Option<HashSet<&str>> = None;
        for variant in entry.variants() {
            let (name, _) = variant?;
            if own.known.contains(name) {
                continue;
            }
            let names = names.get_or_insert_with(|| names_of(configured()));
            if !names.contains(name) {
                if asks && !own.is_read {
                    return Ok(Admission::Unread);
                }
                let room = own.unconfigured < OF_FLAG && self.brought.has_room(token, self.kept);
                if !room {
                    admission = Admission::Some;
                    continue;
                }
                self.brought.one_more(token);
                self.kept += 1;
                own.unconfigured += 1;
            }
            own.known.insert(name.into());
        }
        Ok(admission)
    }

    /// Takes over the names that are stored of a flag, which no token is to answer for.
    pub(super) fn take_over<'n>(
        &mut self,
        flag: &str,
        configured: Option<&FeatureFlag>,
        stored: impl Iterator<Item = &'n str>,
    ) {
        let names = names_of(configured);
        let Some(own) = of_flag(&mut self.flags, flag) else {
            return;
        };
        own.is_read = true;
        for name in stored.filter(|name| *name != OTHER) {
            if own.known.insert(name.into()) && !names.contains(name) {
                self.kept += 1;
                own.unconfigured += 1;
            }
        }
    }

    /// Whether a variant of a flag is kept apart.
    pub(super) fn is_kept(&self, flag: &str, name: &str) -> bool {
        self.flags.get(flag).is_some_and(|own| own.known.contains(name))
    }
}

fn of_flag<'a>(flags: &'a mut HashMap<Box<str>, OfFlag>, flag: &str) -> Option<&'a mut OfFlag> {
    if !flags.contains_key(flag) {
        flags.insert(flag.into(), OfFlag::default());
    }
    flags.get_mut(flag)
}

fn names_of(configured: Option<&FeatureFlag>) -> HashSet<&str> {
    let variants = configured.into_iter().flat_map(FeatureFlag::variants);
    let names = variants.map(|variant| variant.name.as_str());
    names.chain([NO_VARIANT]).collect()
}
