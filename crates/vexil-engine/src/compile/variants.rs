//! Compiles variants: weights become running sums.

use vexil_domain::Stickiness;

use crate::compile::Linker;
use crate::program::{Override, Variant, Variants};
use crate::values::murmur::{Prefix, VARIANT_SEED};

impl Linker {
    /// Compiles the variants of a flag or strategy; `None` where there are none.
    pub(crate) fn variants(&mut self, group: &str, list: &[vexil_domain::Variant]) -> Option<Box<Variants>> {
        let first = list.first()?;
        let sticky = self.sticky(first.stickiness.as_ref().unwrap_or(&Stickiness::Default));
        let mut total = 0;
        let compiled = list
            .iter()
            .map(|variant| {
                total += u64::from(variant.weight);
                Variant {
                    name: variant.name.as_str().into(),
                    payload: variant.payload.clone().map(Box::new),
                    bound: total,
                    overrides: variant
                        .overrides
                        .iter()
                        .map(|one| Override {
                            field: self.field(&one.context_name),
                            values: one.values.iter().map(|value| value.as_str().into()).collect(),
                        })
                        .collect(),
                }
            })
            .collect();
        Some(Box::new(Variants {
            list: compiled,
            total,
            prefix: Prefix::of_group(group, VARIANT_SEED),
            sticky,
            has_overrides: list.iter().any(|variant| !variant.overrides.is_empty()),
        }))
    }
}
