//! Buckets: where they come from, and which variant they give.

use super::evaluator::{Decision, Evaluator};
use crate::chunk::FlagRef;
use crate::context_lookup::ContextLookup;
use crate::fields::FieldId;
use crate::program::{Sticky, Variant, Variants};
use crate::values::hash::draw;
use crate::{Choice, Draw, Pick, PickedBy};

/// What a bucket is for. Rollouts and variants look for a stickiness value in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Rollout,
    Variant,
}

/// Where a bucket comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source<'a> {
    Value(FieldId, &'a str),
    Chance,
    Nothing,
}

impl Purpose {
    /// The fields that stand for a user, in order.
    fn who(self) -> &'static [FieldId] {
        match self {
            Self::Rollout => &[FieldId::USER_ID, FieldId::SESSION_ID],
            Self::Variant => &[FieldId::USER_ID, FieldId::SESSION_ID, FieldId::REMOTE_ADDRESS],
        }
    }
}

impl<'c, V: ContextLookup<'c>> Evaluator<'_, 'c, V> {
    #[inline(always)]
    pub(super) fn source(&self, sticky: Sticky, purpose: Purpose) -> Source<'c> {
        // nearly always
        if matches!(sticky, Sticky::Default | Sticky::Field(FieldId::USER_ID))
            && let Some(user) = self.context.user()
        {
            return Source::Value(FieldId::USER_ID, user);
        }
        self.other_source(sticky, purpose)
    }

    #[inline(never)]
    fn other_source(&self, sticky: Sticky, purpose: Purpose) -> Source<'c> {
        let value = |field: FieldId| Some(Source::Value(field, self.context.text(field)?));
        match sticky {
            Sticky::Random => Source::Chance,
            Sticky::Default => value(FieldId::USER_ID)
                .or_else(|| value(FieldId::SESSION_ID))
                .or_else(|| value(FieldId::REMOTE_ADDRESS).filter(|_| purpose == Purpose::Variant))
                .unwrap_or(Source::Chance),
            Sticky::Field(field) => value(field).unwrap_or(match purpose {
                Purpose::Rollout => Source::Nothing,
                Purpose::Variant => Source::Chance,
            }),
        }
    }

    pub(super) fn explain_source(&self, source: Source<'c>, sticky: Sticky, purpose: Purpose) -> Draw {
        let names = |fields: &[FieldId]| {
            fields
                .iter()
                .map(|field| self.table.fields.name(*field).clone())
                .collect()
        };
        let missing = || match sticky {
            Sticky::Random => Vec::new(),
            Sticky::Default => names(purpose.who()),
            Sticky::Field(field) => names(&[field]),
        };
        match source {
            Source::Value(field, value) => Draw::Value {
                field: self.table.fields.name(field).clone(),
                value: value.to_owned(),
            },
            Source::Chance => Draw::Chance { missing: missing() },
            Source::Nothing => Draw::Nothing { missing: missing() },
        }
    }

    /// The variant of a flag that is on: the deciding strategy's own, else the flag's.
    #[inline]
    pub(super) fn chosen<'f>(&self, flag_ref: FlagRef<'f>, decision: Decision<'f>) -> Choice<'f> {
        let own = decision.by.and_then(|(_, strategy)| strategy.variants.as_deref());
        let pick = own
            .and_then(|variants| self.pick(variants))
            .or_else(|| self.pick(flag_ref.flag.variants()?));
        match pick {
            None => Choice::disabled(true),
            Some((_, variant)) => Choice::of(variant),
        }
    }

    /// The pick among variants, with its place in the list.
    #[inline]
    pub(super) fn pick<'f>(&self, variants: &'f Variants) -> Option<(usize, &'f Variant)> {
        if variants.has_overrides
            && let Some((place, _)) = self.overridden(variants)
        {
            return variants.list.get(place).map(|variant| (place, variant));
        }
        if variants.total == 0 {
            return None;
        }
        let bucket = self.bucket(variants, self.source(variants.sticky, Purpose::Variant));
        let place = variants.place_of(bucket);
        variants.list.get(place).map(|variant| (place, variant))
    }

    /// The pick among variants, with its reasons.
    pub(super) fn explain_pick(&self, variants: &Variants) -> Pick {
        if let Some((variant, field)) = self.overridden(variants) {
            return Pick {
                variant: Some(variant),
                name: variants.name_of(variant),
                by: PickedBy::Override {
                    field: self.table.fields.name(field).clone(),
                    value: self.context.text(field).unwrap_or_default().to_owned(),
                },
            };
        }
        if variants.total == 0 {
            return Pick {
                variant: None,
                name: None,
                by: PickedBy::NoWeight,
            };
        }
        let source = self.source(variants.sticky, Purpose::Variant);
        let bucket = self.bucket(variants, source);
        let variant = variants.place_of(bucket);
        let bound = variants.bounds.get(variant);
        Pick {
            variant: Some(variant),
            name: variants.name_of(variant),
            by: PickedBy::Weight {
                draw: self.explain_source(source, variants.sticky, Purpose::Variant),
                bucket,
                bound: bound.copied().unwrap_or(variants.total),
                total: variants.total,
            },
        }
    }

    /// The bucket, 1 to the sum of all weights, which is not zero.
    #[inline]
    fn bucket(&self, variants: &Variants, source: Source<'c>) -> u64 {
        match source {
            Source::Value(_, value) => {
                let hash = variants.prefix.finish(value);
                // A total that needs more bits than the hash leaves the hash as it is.
                u64::from(match u32::try_from(variants.total) {
                    Ok(total) => hash % total,
                    Err(_) => hash,
                }) + 1
            }
            Source::Chance | Source::Nothing => {
                draw(self.ambient.seed, variants.prefix.salt(), variants.total)
            }
        }
    }

    /// The first variant that lists a value of the context, and the field of that value.
    #[inline(never)]
    fn overridden(&self, variants: &Variants) -> Option<(usize, FieldId)> {
        variants.list.iter().enumerate().find_map(|(index, variant)| {
            let hit = variant.overrides.iter().find(|one| {
                self.context
                    .text(one.field)
                    .is_some_and(|text| one.values.iter().any(|value| **value == *text))
            });
            hit.map(|one| (index, one.field))
        })
    }
}
