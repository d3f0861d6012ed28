//! Tags of flags, and their types.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_access::Permission;
use vexil_admin_api::tag::{TagChanges, TagTypeForm};
use vexil_domain::{FeatureFlag, FlagName, ProjectId, Snapshot, Tag, TagType};

use super::direct::find_flag;
use super::same_name::check_same;
use crate::operations::Error;
use crate::permission::Place;
use crate::principal::Principal;
use crate::transaction::Transaction;

/// A tag type, which must be there.
pub fn find_type<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a TagType, Error> {
    let missing = || Error::NotFound(format!("There is no tag type \"{name}\"."));
    let kind = snapshot.tag_types.get(name);
    kind.map(AsRef::as_ref).ok_or_else(missing)
}

/// A flag by its name alone, live or archived.
pub fn find_any_flag<'a>(snapshot: &'a Snapshot, name: &FlagName) -> Result<&'a FeatureFlag, Error> {
    let missing = || Error::NotFound(format!("Could not find feature with name {name}"));
    snapshot.flags.get(name).map(AsRef::as_ref).ok_or_else(missing)
}

/// Checks that no tag type has a name.
pub fn check_type_free(snapshot: &Snapshot, name: &str) -> Result<(), Error> {
    if snapshot.tag_types.contains_key(name) {
        let message = format!("There already exists a tag-type with the name {name}");
        return Err(Error::NameExists(message));
    }
    Ok(())
}

/// Creates a tag type.
pub fn create_type(tx: &mut Transaction<'_>, name: &str, form: &TagTypeForm) -> Result<TagType, Error> {
    check_type_free(&tx.snapshot, name)?;
    let kind = TagType {
        description: form.description.clone(),
        icon: form.icon.clone(),
        color: form.color.clone(),
        ..TagType::new(name)
    };
    tx.snapshot
        .tag_types
        .insert(name.to_owned(), Arc::new(kind.clone()));
    Ok(kind)
}

/// Changes what a tag type says.
pub fn edit_type(tx: &mut Transaction<'_>, name: &str, form: &TagTypeForm) -> Result<(), Error> {
    let kind = find_type(&tx.snapshot, name)?.clone();
    check_same("name of a tag type", form.name.as_deref(), name)?;
    let kind = TagType {
        description: form.description.clone().or(kind.description),
        icon: form.icon.clone().or(kind.icon),
        color: form.color.clone().or(kind.color),
        ..kind
    };
    tx.snapshot.tag_types.insert(name.to_owned(), Arc::new(kind));
    Ok(())
}

/// Removes a tag type with its tags, from all flags: whoever does must be allowed to change those.
pub fn remove_type(tx: &mut Transaction<'_>, who: &Principal, name: &str) -> Result<(), Error> {
    find_type(&tx.snapshot, name)?;
    take_from_all(tx, who, |tag| tag.kind == name)?;
    tx.snapshot.tag_types.remove(name);
    Ok(())
}

/// Makes a tag that no flag has yet.
pub fn create(tx: &mut Transaction<'_>, tag: &Tag) -> Result<(), Error> {
    if type_of(&tx.snapshot, tag)?.values.contains(&tag.value) {
        let message = format!("A tag of {}:{} already exists", tag.kind, tag.value);
        return Err(Error::NameExists(message));
    }
    keep(tx, tag);
    Ok(())
}

/// Removes a tag, from all flags: whoever does must be allowed to change those.
pub fn remove(tx: &mut Transaction<'_>, who: &Principal, tag: &Tag) -> Result<(), Error> {
    check_there(&tx.snapshot, tag)?;
    take_from_all(tx, who, |other| other == tag)?;
    if let Some(kind) = tx.snapshot.tag_types.get_mut(&tag.kind) {
        Arc::make_mut(kind).values.remove(&tag.value);
    }
    Ok(())
}

/// Checks that there is a tag.
pub fn check_there(snapshot: &Snapshot, tag: &Tag) -> Result<(), Error> {
    let kind = snapshot.tag_types.get(&tag.kind);
    if kind.is_some_and(|kind| kind.values.contains(&tag.value)) {
        return Ok(());
    }
    let Tag { kind, value } = tag;
    let message = format!("No tag with type: [{kind}] and value [{value}]");
    Err(Error::NotFound(message))
}

/// Puts tags on a flag and takes others off. Answers the tags that it has then.
pub fn change(
    tx: &mut Transaction<'_>,
    name: &FlagName,
    changes: &TagChanges,
) -> Result<BTreeSet<Tag>, Error> {
    let mut tags = find_any_flag(&tx.snapshot, name)?.tags.clone();
    check_types(&tx.snapshot, &changes.added)?;
    tags.extend(changes.added.iter().cloned());
    tags.retain(|tag| !changes.removed.contains(tag));
    for tag in &changes.added {
        keep(tx, tag);
    }
    put(tx, name, &tags);
    Ok(tags)
}

/// The same for flags of a project: all of them, or none.
pub fn change_all(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    names: &[FlagName],
    changes: &TagChanges,
) -> Result<(), Error> {
    for name in names {
        find_flag(&tx.snapshot, project.as_str(), name.as_str())?;
        change(tx, name, changes)?;
    }
    Ok(())
}

/// Takes a tag off a flag, which must have it.
pub fn take_off(tx: &mut Transaction<'_>, name: &FlagName, tag: &Tag) -> Result<(), Error> {
    let mut tags = find_any_flag(&tx.snapshot, name)?.tags.clone();
    if !tags.remove(tag) {
        let Tag { kind, value } = tag;
        let message =
            format!("The feature \"{name}\" has no tag of type \"{kind}\" with the value \"{value}\".");
        return Err(Error::NotFound(message));
    }
    put(tx, name, &tags);
    Ok(())
}

/// Checks that all tags are of types that there are.
pub(crate) fn check_types(snapshot: &Snapshot, tags: &BTreeSet<Tag>) -> Result<(), Error> {
    tags.iter().try_for_each(|tag| type_of(snapshot, tag).map(drop))
}

/// Notes that there is a tag of its type.
pub(crate) fn keep(tx: &mut Transaction<'_>, tag: &Tag) {
    let kind = tx.snapshot.tag_types.get_mut(&tag.kind);
    if let Some(kind) = kind.filter(|kind| !kind.values.contains(&tag.value)) {
        Arc::make_mut(kind).values.insert(tag.value.clone());
    }
}

fn type_of<'a>(snapshot: &'a Snapshot, tag: &Tag) -> Result<&'a TagType, Error> {
    let kind = snapshot.tag_types.get(&tag.kind).map(AsRef::as_ref);
    kind.ok_or_else(|| Error::invalid(format!("Tag type '{}' does not exist", tag.kind)))
}

/// Takes some tags off all flags, archived ones included.
fn take_from_all(
    tx: &mut Transaction<'_>,
    who: &Principal,
    is_meant: impl Fn(&Tag) -> bool,
) -> Result<(), Error> {
    let tagged = tx.snapshot.flags.values();
    let tagged: Vec<Arc<FeatureFlag>> = tagged
        .filter(|flag| flag.tags.iter().any(&is_meant))
        .cloned()
        .collect();
    for flag in tagged {
        who.demand(&[Permission::UpdateFeature], &Place::of_project(&flag.project))?;
        let mut tags = flag.tags.clone();
        tags.retain(|tag| !is_meant(tag));
        put(tx, &flag.name, &tags);
    }
    Ok(())
}

fn put(tx: &mut Transaction<'_>, name: &FlagName, tags: &BTreeSet<Tag>) {
    if let Some(flag) = tx.snapshot.flags.get_mut(name)
        && flag.tags != *tags
    {
        Arc::make_mut(flag).tags.clone_from(tags);
    }
}
