//! Compiles variants: weights become running sums.

use std::sync::Arc;

use vexil_domain::Stickiness;

use crate::compile::Linker;
use crate::program::{Override, Variant, Variants};
use crate::source;
use crate::values::murmur::{Prefix, VARIANT_SEED};

impl Linker {
    /// Compiles the variants of a flag or strategy; `None` where there are none.
    ///
    /// One stickiness serves them all: what `inherited` says, else what the first of them says.
    pub(crate) fn variants(
        &mut self,
        group: &str,
        inherited: Option<&Stickiness>,
        list: &[impl source::Variant],
    ) -> Option<Variants> {
        let own = list.first()?.stickiness();
        let sticky = self.sticky(inherited.or(own).unwrap_or(&Stickiness::Default));
        let mut total = 0;
        let mut bounds = Vec::with_capacity(list.len());
        let compiled = list
            .iter()
            .map(|variant| {
                total += u64::from(variant.weight());
                bounds.push(total);
                Variant {
                    name: variant.name().into(),
                    payload: variant.payload().map(Arc::new),
                    overrides: variant
                        .overrides()
                        .iter()
                        .map(|one| Override {
                            field: self.field(&one.context_name),
                            values: one.values.iter().map(|value| value.as_str().into()).collect(),
                        })
                        .collect(),
                }
            })
            .collect();
        Some(Variants {
            list: compiled,
            bounds: bounds.into(),
            total,
            prefix: Prefix::of_group(group, VARIANT_SEED),
            sticky,
            has_overrides: list.iter().any(|variant| !variant.overrides().is_empty()),
        })
    }
}
