//! Which context fields a flag can read.

use std::collections::BTreeSet;

use crate::FlagId;
use crate::chunk::FlagRef;
use crate::fields::FieldId;
use crate::flag_table::FlagTable;
use crate::program::{Rare, Rule, Sticky, Variants};

impl FlagTable {
    /// The fields that can influence the explanation of a flag: sorted by name, each once.
    pub(crate) fn reads(&self, flag: FlagId) -> Vec<&str> {
        let mut fields = BTreeSet::new();
        if let Some(flag_ref) = self.flag_by(flag) {
            self.of_flag(flag_ref, &mut fields);
            let parents = flag_ref
                .flag
                .parents()
                .iter()
                .filter_map(|parent| self.flag_ref(parent.flag));
            // A parent that has parents decides without looking at anything.
            for parent in parents.filter(|parent| parent.flag.parents().is_empty()) {
                self.of_flag(parent, &mut fields);
            }
        }
        let mut names: Vec<&str> = fields
            .into_iter()
            .map(|field| &**self.fields.name(field))
            .collect();
        names.sort_unstable();
        names
    }

    fn of_flag(&self, flag_ref: FlagRef<'_>, fields: &mut BTreeSet<FieldId>) {
        for strategy in flag_ref.strategies() {
            fields.extend(
                flag_ref
                    .constraints(strategy)
                    .iter()
                    .map(|constraint| constraint.field),
            );
            let segments = flag_ref.segments(strategy).iter();
            for segment in segments.filter_map(|index| self.segments.get(*index)) {
                fields.extend(segment.constraints.iter().map(|constraint| constraint.field));
            }
            match &strategy.rule {
                Rule::Rare(Rare::Users(_)) => drop(fields.insert(FieldId::USER_ID)),
                Rule::Rare(Rare::Addresses(_)) => drop(fields.insert(FieldId::REMOTE_ADDRESS)),
                Rule::Rollout(rollout) => of_sticky(rollout.sticky, fields),
                Rule::Rare(Rare::Custom(custom)) => {
                    let function = custom.function.as_ref();
                    fields.extend(function.iter().flat_map(|function| &function.fields));
                }
                Rule::Always | Rule::Rare(Rare::Hosts(_) | Rare::Unusable(_)) => {}
            }
            of_variants(strategy.variants.as_deref(), fields);
        }
        of_variants(flag_ref.flag.variants(), fields);
    }
}

fn of_variants(variants: Option<&Variants>, fields: &mut BTreeSet<FieldId>) {
    if let Some(variants) = variants {
        of_sticky(variants.sticky, fields);
        let overrides = variants.list.iter().flat_map(|variant| &variant.overrides);
        fields.extend(overrides.map(|one| one.field));
        if variants.sticky == Sticky::Default {
            fields.insert(FieldId::REMOTE_ADDRESS);
        }
    }
}

fn of_sticky(sticky: Sticky, fields: &mut BTreeSet<FieldId>) {
    match sticky {
        Sticky::Default => fields.extend([FieldId::USER_ID, FieldId::SESSION_ID]),
        Sticky::Field(field) => drop(fields.insert(field)),
        Sticky::Random => {}
    }
}
