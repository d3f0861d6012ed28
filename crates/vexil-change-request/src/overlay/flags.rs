//! Changes of a flag's switch and variants.

use vexil_domain::{FlagName, Variant};

use super::{Made, Overlay, content};
use crate::{PlannedChange, UpdateEnabled, weights};

impl Overlay<'_> {
    pub(super) fn switch(&mut self, flag: &FlagName, update: UpdateEnabled) -> Made {
        if let Some(settings) = self.settings_mut(flag) {
            settings.enabled = update.enabled;
        }
        self.switched.insert(flag.clone(), (self.at, update));
        Ok(())
    }

    pub(super) fn replace_variants(
        &mut self,
        flag: &FlagName,
        variants: &[Variant],
        planned: &PlannedChange,
    ) -> Made {
        let refused = content(planned);
        if !refused.is_empty() {
            return Err(refused);
        }
        if let Some(settings) = self.settings_mut(flag) {
            settings.variants = variants.to_vec();
            weights::settle(&mut settings.variants);
        }
        Ok(())
    }
}
