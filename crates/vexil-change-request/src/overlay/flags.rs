//! Changes of a flag's switch and variants.

use vexil_domain::{FlagName, Variant};

use super::{Made, Overlay};
use crate::{UpdateEnabled, validate, weights};

impl Overlay<'_> {
    pub(super) fn switch(&mut self, flag: &FlagName, update: UpdateEnabled) -> Made {
        if let Some(settings) = self.settings_mut(flag) {
            settings.enabled = update.enabled;
        }
        self.switched.insert(flag.clone(), (self.at, update));
        Ok(())
    }

    pub(super) fn replace_variants(&mut self, flag: &FlagName, variants: &[Variant]) -> Made {
        let problems = validate::variants("/variants", variants);
        if !problems.is_empty() {
            return Err(problems.into_iter().map(Into::into).collect());
        }
        if let Some(settings) = self.settings_mut(flag) {
            settings.variants = variants.to_vec();
            weights::settle(&mut settings.variants);
        }
        Ok(())
    }
}
