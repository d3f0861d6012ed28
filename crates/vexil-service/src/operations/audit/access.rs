//! What an edit did to roles, groups, settings, and links for signing up. No secret gets here, and no hash of one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};
use vexil_access::{Group, Role, RolePermission};
use vexil_admin_api::context_field::{ContextField, ContextFieldDocument};
use vexil_admin_api::feature_type::FeatureType;
use vexil_domain::ProjectId;
use vexil_store::{AccessTables, ProjectSettings, Setting, SignUpLink};

use super::applications;
use super::entry::Entry;
use super::people::project_roles;
use crate::instance::INSTANCE_ID;
use crate::operations::known_fields::{PREFIX, all};
use crate::operations::{known_applications, known_lifetimes};
use crate::tokens::INITIAL_TOKEN;

/// Everything that differs.
pub(super) fn entries(was: &AccessTables, now: &AccessTables) -> Vec<Entry> {
    let mut entries = compared(
        &was.roles,
        &now.roles,
        ["role-created", "role-updated", "role-deleted"],
        role,
    );
    entries.extend(compared(
        &was.groups,
        &now.groups,
        ["group-created", "group-updated", "group-deleted"],
        group,
    ));
    let none = BTreeSet::new();
    for (id, now) in &now.groups {
        let earlier = was.groups.get(id).map_or(&none, |group| &group.project_roles);
        entries.extend(project_roles(("groupId", id.0), earlier, &now.project_roles));
    }
    let settings = ["project-settings-updated"; 3];
    for mut entry in compared(&was.projects, &now.projects, settings, project) {
        entry.project = project_of(&entry);
        entries.push(entry);
    }
    entries.extend(compared(
        &was.sign_up_links,
        &now.sign_up_links,
        [
            "public-signup-token-created",
            "public-signup-token-updated",
            "public-signup-token-deleted",
        ],
        link,
    ));
    entries.extend(compared(
        &told(&was.settings),
        &told(&now.settings),
        ["setting-updated"; 3],
        setting,
    ));
    if was.settings != now.settings {
        entries.extend(context_fields(was, now));
        entries.extend(feature_types(was, now));
        let kept = |tables: &AccessTables| known_applications::all(&tables.settings).unwrap_or_default();
        entries.extend(applications::entries(&kept(was), &kept(now)));
    }
    entries
}

/// So do the lifetimes of the types of flags.
fn feature_types(was: &AccessTables, now: &AccessTables) -> Vec<Entry> {
    let types = |tables: &AccessTables| {
        let types = known_lifetimes::types(&tables.settings)
            .unwrap_or_default()
            .into_iter();
        types
            .map(|kind| (kind.id, Arc::new(kind)))
            .collect::<BTreeMap<&str, Arc<FeatureType>>>()
    };
    compared(&types(was), &types(now), ["feature-type-updated"; 3], |kind| {
        json!(kind)
    })
}

/// Context fields stand among the settings, and are told of as what they are.
fn context_fields(was: &AccessTables, now: &AccessTables) -> Vec<Entry> {
    let fields = |tables: &AccessTables| {
        let fields = all(&tables.settings).unwrap_or_default().into_iter();
        fields
            .map(|(name, field)| (name, Arc::new(field)))
            .collect::<BTreeMap<String, Arc<ContextField>>>()
    };
    let mut entries = compared(
        &fields(was),
        &fields(now),
        [
            "context-field-created",
            "context-field-updated",
            "context-field-deleted",
        ],
        |field| json!(ContextFieldDocument::of(field)),
    );
    for entry in &mut entries {
        entry.project = project_of(entry);
    }
    entries
}

/// The project that an entry tells of.
fn project_of(entry: &Entry) -> Option<ProjectId> {
    let told = entry.data.as_ref().or(entry.pre_data.as_ref())?;
    let told: Value = serde_json::from_str(told).ok()?;
    Some(told.get("project")?.as_str()?.into())
}

/// The settings that people have set.
fn told(settings: &BTreeMap<String, Arc<Setting>>) -> BTreeMap<&String, Arc<Setting>> {
    let others = [
        INITIAL_TOKEN,
        INSTANCE_ID,
        PREFIX,
        known_lifetimes::PREFIX,
        known_applications::PREFIX,
    ];
    let told = settings.iter();
    let told = told.filter(|(name, _)| !others.iter().any(|other| name.starts_with(other)));
    told.map(|(name, setting)| (name, Arc::clone(setting))).collect()
}

/// What is new, different or gone, by key. What the log does not show is not different.
fn compared<K: Ord, V: PartialEq>(
    was: &BTreeMap<K, Arc<V>>,
    now: &BTreeMap<K, Arc<V>>,
    [created, updated, deleted]: [&'static str; 3],
    show: impl Fn(&V) -> Value,
) -> Vec<Entry> {
    let keys: BTreeSet<&K> = was.keys().chain(now.keys()).collect();
    let mut entries = Vec::new();
    for key in keys {
        let (earlier, later) = (was.get(key), now.get(key));
        let kind = match (earlier, later) {
            (None, Some(_)) => created,
            (Some(_), None) => deleted,
            (Some(earlier), Some(later)) if earlier != later => updated,
            _ => continue,
        };
        let (pre_data, data) = (earlier.map(|it| show(it)), later.map(|it| show(it)));
        if data != pre_data || kind == "setting-updated" {
            entries.push(Entry {
                data: data.map(|it| it.to_string()),
                pre_data: pre_data.map(|it| it.to_string()),
                ..Entry::new(kind)
            });
        }
    }
    entries
}

fn role(role: &Role) -> Value {
    let held = |held: &RolePermission| json!({ "name": held.permission.name(), "environment": held.environment.as_ref().map(|name| name.as_str()) });
    json!({
        "id": role.id.0,
        "name": role.name,
        "type": role.kind.name(),
        "description": role.description,
        "permissions": role.permissions().iter().map(held).collect::<Vec<_>>(),
    })
}

fn group(group: &Group) -> Value {
    json!({
        "id": group.id.0,
        "name": group.name,
        "description": group.description,
        "rootRole": group.root_role.map(|role| role.0),
        "mappingsSSO": group.external_names,
        "users": group.members.iter().map(|user| user.0).collect::<Vec<_>>(),
    })
}

fn project(settings: &ProjectSettings) -> Value {
    let naming = settings.naming.as_ref().map(|naming| {
        json!({ "pattern": naming.pattern, "example": naming.example, "description": naming.description })
    });
    let templates = settings.link_templates.iter();
    json!({
        "project": settings.project.as_str(),
        "mode": settings.mode.name(),
        "featureLimit": settings.feature_limit,
        "featureNaming": naming,
        "linkTemplates": templates
            .map(|template| json!({ "title": template.title, "urlTemplate": template.url }))
            .collect::<Vec<_>>(),
    })
}

fn link(link: &SignUpLink) -> Value {
    json!({
        "id": link.id.0,
        "name": link.name,
        "enabled": link.enabled,
        "rootRole": link.role.0,
        "expiresAt": link.expires_at.unix_timestamp(),
    })
}

/// Its name alone: a value may hold what is secret.
fn setting(setting: &Setting) -> Value {
    json!({ "name": setting.name })
}
