//! Which context fields a flag can read.

use std::collections::BTreeSet;

use crate::fields::FieldId;
use crate::program::{Body, Rule, Sticky, Variants};
use crate::world::World;

impl World {
    /// The fields that can influence the explanation of a flag: sorted by name, each once.
    pub(crate) fn reads(&self, flag: u32) -> Vec<&str> {
        let mut fields = BTreeSet::new();
        if let Some(body) = self.body(flag) {
            self.of_body(body, &mut fields);
            for parent in &body.parents {
                // A parent that has parents decides without looking at anything.
                match self.body(parent.flag) {
                    Some(body) if body.parents.is_empty() => self.of_body(body, &mut fields),
                    _ => {}
                }
            }
        }
        let mut names: Vec<&str> = fields
            .into_iter()
            .map(|field| &**self.fields.name(field))
            .collect();
        names.sort_unstable();
        names
    }

    fn body(&self, flag: u32) -> Option<&Body> {
        self.slot(flag)?.body.as_deref()
    }

    fn of_body(&self, body: &Body, fields: &mut BTreeSet<FieldId>) {
        fields.extend(body.constraints.iter().map(|constraint| constraint.field));
        for segment in body.segments.iter().filter_map(|index| self.segments.get(*index)) {
            fields.extend(segment.constraints.iter().map(|constraint| constraint.field));
        }
        for strategy in &body.strategies {
            match &strategy.rule {
                Rule::Users(_) => {
                    fields.insert(FieldId::USER_ID);
                }
                Rule::Addresses(_) => {
                    fields.insert(FieldId::REMOTE_ADDRESS);
                }
                Rule::Rollout(rollout) => of_sticky(rollout.sticky, fields),
                Rule::Always | Rule::Hosts(_) | Rule::Custom(_) | Rule::Unusable(_) => {}
            }
            of_variants(strategy.variants.as_deref(), fields);
        }
        of_variants(body.variants.as_deref(), fields);
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
