//! Variants of a flag itself, which strategies that have none of their own give to those they let in.
//!
//! They are what flags had before strategies had variants. As in Unleash, a flag that has none anywhere gets some only
//! where several environments are set at once.

use vexil_access::Permission;
use vexil_admin_api::patch::Operation;
use vexil_admin_api::variants::{VariantsForm, read_variant_list};
use vexil_change_request::Change;
use vexil_domain::{FeatureFlag, FlagSettings, Snapshot, Variant};

use super::direct::{EditScope, change_flag, check_environment, find_live_flag};
use super::patches::patched;
use super::paths::{FlagEnvironmentPath, FlagPath};
use super::strategies::find_flag;
use crate::operations::Error;
use crate::permission::Place;
use crate::principal::Principal;
use crate::transaction::Transaction;

/// The variants of a flag in an environment.
pub fn list<'a>(snapshot: &'a Snapshot, at: &FlagEnvironmentPath) -> Result<&'a [Variant], Error> {
    let settings = find_flag(snapshot, at)?.environments.get(&at.environment);
    Ok(settings.map_or(&[], |settings| &settings.variants))
}

/// Replaces the variants of a flag in an environment. Answers what they are then.
pub fn replace(
    tx: &mut Transaction<'_>,
    at: &FlagEnvironmentPath,
    variants: &[Variant],
) -> Result<Vec<Variant>, Error> {
    check_in_use(find_flag(&tx.snapshot, at)?)?;
    put(tx, at, variants)?;
    list(&tx.snapshot, at).map(<[Variant]>::to_vec)
}

/// Edits the variants of a flag in an environment by a patch of their list.
pub fn patch(
    tx: &mut Transaction<'_>,
    at: &FlagEnvironmentPath,
    patch: &[Operation],
) -> Result<Vec<Variant>, Error> {
    check_in_use(find_flag(&tx.snapshot, at)?)?;
    let document = patched(&list(&tx.snapshot, at)?, patch)?;
    replace(tx, at, &read_variant_list(&document)?)
}

/// Replaces the variants of a flag in several environments, all or none, each of which whoever asks must be allowed to
/// change. Answers what they are then.
pub fn replace_all(
    tx: &mut Transaction<'_>,
    who: &Principal,
    path: &FlagPath,
    form: &VariantsForm,
) -> Result<Vec<Variant>, Error> {
    find_live_flag(&tx.snapshot, path.project.as_str(), path.flag.as_str())?;
    let mut variants = Vec::new();
    for environment in &form.environments {
        let place = Place {
            environment: Some(environment.clone()),
            ..Place::of_project(&path.project)
        };
        who.demand(&[Permission::UpdateFeatureEnvironmentVariants], &place)?;
        check_environment(&tx.snapshot, &path.project, environment, &path.flag)?;
        let at = FlagEnvironmentPath {
            project: path.project.clone(),
            flag: path.flag.clone(),
            environment: environment.clone(),
        };
        put(tx, &at, &form.variants)?;
        variants = list(&tx.snapshot, &at)?.to_vec();
    }
    Ok(variants)
}

fn put(tx: &mut Transaction<'_>, at: &FlagEnvironmentPath, variants: &[Variant]) -> Result<(), Error> {
    let scope = EditScope::in_environment(&at.project, &at.environment);
    let variants = variants.to_vec();
    change_flag(tx, &scope, &at.flag, Change::PatchVariant { variants })
}

fn check_in_use(flag: &FeatureFlag) -> Result<(), Error> {
    let has_variants = |settings: &FlagSettings| !settings.variants.is_empty();
    if flag.environments.values().any(|settings| has_variants(settings)) {
        return Ok(());
    }
    Err(Error::InvalidOperation(format!(
        "The flag \"{}\" has no variants of its own in any environment. Give its strategies variants instead.",
        flag.name
    )))
}
