//! What guards on shares come to where not everything is decided.

use super::answer::{ConditionOn, EffectBox, FlagEffect};
use super::guards::{Guard, GuardVerdict};
use super::rules::Rules;
use crate::Share;

impl GuardVerdict {
    /// The same as far as contexts show it: where not everything is decided, a share may be one of combinations that
    /// no context has, so it counts only for a region that one was found in.
    pub(crate) fn shown_by(self, effect: &FlagEffect, all: bool, guard: &Guard, rules: &Rules<'_>) -> Self {
        let Guard::AtMost(most) = guard else {
            return self;
        };
        let Self::Broken { flag, .. } = &self else {
            return self;
        };
        if all {
            return self;
        }
        let of_all = |one: &EffectBox| {
            let mut conditions = one.conditions.iter();
            let listed = conditions.any(|condition| match &condition.on {
                ConditionOn::Field(field) => rules.is_of_users(field),
                ConditionOn::Bucket(_) | ConditionOn::Chance => true,
                ConditionOn::Host | ConditionOn::Strategy(_) => false,
            });
            (!listed).then_some(Share::ALL)
        };
        let mut boxes = effect.groups.iter().flat_map(|group| &group.boxes);
        let shown = boxes.find_map(|one| {
            let share = one
                .share
                .or_else(|| of_all(one))
                .filter(|share| share.exceeds(*most))?;
            Some(Self::Broken {
                flag: flag.clone(),
                witness: one.witness.clone()?,
                share: Some(share),
            })
        });
        shown.unwrap_or(Self::Undecided)
    }
}
