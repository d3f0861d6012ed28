//! Roles, groups, settings of projects and of the instance, and links for signing up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use vexil_access::{Group, GroupId, Permission, ProjectMode, Role, RoleId, RoleKind, RolePermission, UserId};
use vexil_domain::ProjectId;
use vexil_store::{
    AccessTables, AccessWrites, FlagNaming, LinkTemplate, ProjectSettings, SecretHash, Setting, SignUpLink,
    SignUpLinkId,
};

use crate::batches::{delete_keys, last_write_wins};
use crate::connection::{AnyConnection, insert_all};
use crate::error::DbError;
use crate::schema::{instance_settings, project_settings, roles, sign_up_links, user_groups};
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = roles, treat_none_as_default_value = false)]
struct RoleRow {
    id: i64,
    kind: String,
    name: String,
    description: String,
    permissions: String,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = user_groups, treat_none_as_default_value = false)]
struct GroupRow {
    id: i64,
    name: String,
    description: String,
    root_role: Option<i64>,
    external_names: String,
    members: String,
    project_roles: String,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = project_settings, treat_none_as_default_value = false)]
struct ProjectSettingsRow {
    project: String,
    mode: String,
    feature_limit: Option<i64>,
    naming: Option<String>,
    link_templates: String,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = sign_up_links, treat_none_as_default_value = false)]
struct SignUpLinkRow {
    id: i64,
    secret_hash: Vec<u8>,
    sealed_secret: Option<Vec<u8>>,
    name: String,
    enabled: bool,
    role: i64,
    created_by: String,
    created_at: i64,
    expires_at: i64,
    users: String,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = instance_settings, treat_none_as_default_value = false)]
struct SettingRow {
    name: String,
    value: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredNaming {
    pattern: String,
    example: Option<String>,
    description: Option<String>,
}

/// Roles in projects, as they are stored.
pub(crate) fn project_roles_to_text(roles: &BTreeSet<(ProjectId, RoleId)>) -> Result<String, DbError> {
    let roles: Vec<(&str, i64)> = roles
        .iter()
        .map(|(project, role)| (project.as_str(), role.0))
        .collect();
    json::to_text(&roles, "roles in projects")
}

/// Roles in projects, read back.
pub(crate) fn project_roles_from_text(text: &str) -> Result<BTreeSet<(ProjectId, RoleId)>, DbError> {
    let roles: Vec<(String, i64)> = json::from_text(text, "roles in projects")?;
    Ok(roles
        .into_iter()
        .map(|(project, role)| (project.into(), RoleId(role)))
        .collect())
}

fn users_to_text(users: &BTreeSet<UserId>) -> Result<String, DbError> {
    let ids: Vec<i64> = users.iter().map(|user| user.0).collect();
    json::to_text(&ids, "a list of users")
}

fn users_from_text(text: &str) -> Result<BTreeSet<UserId>, DbError> {
    let ids: Vec<i64> = json::from_text(text, "a list of users")?;
    Ok(ids.into_iter().map(UserId).collect())
}

impl RoleRow {
    fn new(role: &Role) -> Result<Self, DbError> {
        let permissions = role.permissions();
        let permissions: Vec<(&str, Option<&str>)> = permissions
            .iter()
            .map(|held| {
                let environment = held.environment.as_ref().map(|name| name.as_str());
                (held.permission.name(), environment)
            })
            .collect();
        Ok(Self {
            id: role.id.0,
            kind: role.kind.name().to_owned(),
            name: role.name.clone(),
            description: role.description.clone(),
            permissions: json::to_text(&permissions, "the permissions of a role")?,
        })
    }

    fn into_role(self) -> Result<Role, DbError> {
        let kind = RoleKind::from_name(&self.kind)
            .ok_or_else(|| json::corrupt("a kind of role", format!("`{}`", self.kind)))?;
        let stored: Vec<(String, Option<String>)> =
            json::from_text(&self.permissions, "the permissions of a role")?;
        let mut permissions = Vec::with_capacity(stored.len());
        for (name, environment) in stored {
            let permission = Permission::from_name(&name)
                .ok_or_else(|| json::corrupt("a permission", format!("`{name}`")))?;
            permissions.push(RolePermission {
                permission,
                environment: environment.map(Into::into),
            });
        }
        Ok(Role::new(
            RoleId(self.id),
            kind,
            &self.name,
            &self.description,
            permissions,
        ))
    }
}

impl GroupRow {
    fn new(group: &Group) -> Result<Self, DbError> {
        Ok(Self {
            id: group.id.0,
            name: group.name.clone(),
            description: group.description.clone(),
            root_role: group.root_role.map(|role| role.0),
            external_names: json::to_text(&group.external_names, "a list of names")?,
            members: users_to_text(&group.members)?,
            project_roles: project_roles_to_text(&group.project_roles)?,
        })
    }

    fn into_group(self) -> Result<Group, DbError> {
        Ok(Group {
            id: GroupId(self.id),
            name: self.name,
            description: self.description,
            root_role: self.root_role.map(RoleId),
            external_names: json::from_text(&self.external_names, "a list of names")?,
            members: users_from_text(&self.members)?,
            project_roles: project_roles_from_text(&self.project_roles)?,
        })
    }
}

impl ProjectSettingsRow {
    fn new(settings: &ProjectSettings) -> Result<Self, DbError> {
        let naming = settings.naming.as_ref().map(|naming| StoredNaming {
            pattern: naming.pattern.clone(),
            example: naming.example.clone(),
            description: naming.description.clone(),
        });
        let naming = naming.map(|naming| json::to_text(&naming, "how flags are named"));
        let templates = settings.link_templates.iter();
        let templates: Vec<(Option<&str>, &str)> = templates
            .map(|template| (template.title.as_deref(), template.url.as_str()))
            .collect();
        Ok(Self {
            project: settings.project.to_string(),
            mode: settings.mode.name().to_owned(),
            feature_limit: settings.feature_limit.map(i64::from),
            naming: naming.transpose()?,
            link_templates: json::to_text(&templates, "templates of links")?,
        })
    }

    fn into_settings(self) -> Result<ProjectSettings, DbError> {
        let mode = ProjectMode::from_name(&self.mode)
            .ok_or_else(|| json::corrupt("the mode of a project", format!("`{}`", self.mode)))?;
        let limit = self
            .feature_limit
            .map(|limit| json::narrow(limit, "a limit of flags"));
        let naming: Option<StoredNaming> = match &self.naming {
            Some(text) => Some(json::from_text(text, "how flags are named")?),
            None => None,
        };
        let templates: Vec<(Option<String>, String)> =
            json::from_text(&self.link_templates, "templates of links")?;
        Ok(ProjectSettings {
            project: self.project.into(),
            mode,
            feature_limit: limit.transpose()?,
            naming: naming.map(|naming| FlagNaming {
                pattern: naming.pattern,
                example: naming.example,
                description: naming.description,
            }),
            link_templates: templates
                .into_iter()
                .map(|(title, url)| LinkTemplate { title, url })
                .collect(),
        })
    }
}

impl SignUpLinkRow {
    fn new(link: &SignUpLink) -> Result<Self, DbError> {
        Ok(Self {
            id: link.id.0,
            secret_hash: link.secret_hash.0.to_vec(),
            sealed_secret: link.sealed_secret.clone(),
            name: link.name.clone(),
            enabled: link.enabled,
            role: link.role.0,
            created_by: link.created_by.clone(),
            created_at: instant::to_stored(link.created_at),
            expires_at: instant::to_stored(link.expires_at),
            users: users_to_text(&link.users)?,
        })
    }

    fn into_link(self) -> Result<SignUpLink, DbError> {
        let secret_hash = <[u8; 32]>::try_from(self.secret_hash)
            .map_err(|found| json::corrupt("the hash of a secret", format!("{} bytes long", found.len())))?;
        Ok(SignUpLink {
            id: SignUpLinkId(self.id),
            secret_hash: SecretHash(secret_hash),
            sealed_secret: self.sealed_secret,
            name: self.name,
            enabled: self.enabled,
            role: RoleId(self.role),
            created_by: self.created_by,
            created_at: instant::from_stored(self.created_at)?,
            expires_at: instant::from_stored(self.expires_at)?,
            users: users_from_text(&self.users)?,
        })
    }
}

/// Reads all of it.
pub(crate) fn load(connection: &mut AnyConnection) -> Result<AccessTables, DbError> {
    let mut tables = AccessTables::default();
    for row in roles::table.select(RoleRow::as_select()).load(connection)? {
        let role = row.into_role()?;
        tables.roles.insert(role.id, Arc::new(role));
    }
    for row in user_groups::table
        .select(GroupRow::as_select())
        .load(connection)?
    {
        let group = row.into_group()?;
        tables.groups.insert(group.id, Arc::new(group));
    }
    let rows = project_settings::table.select(ProjectSettingsRow::as_select());
    for row in rows.load(connection)? {
        let settings = row.into_settings()?;
        tables
            .projects
            .insert(settings.project.clone(), Arc::new(settings));
    }
    let rows = sign_up_links::table.select(SignUpLinkRow::as_select());
    for row in rows.load(connection)? {
        let link = row.into_link()?;
        tables.sign_up_links.insert(link.id, Arc::new(link));
    }
    let rows: Vec<SettingRow> = instance_settings::table
        .select(SettingRow::as_select())
        .load(connection)?;
    tables.settings = rows
        .into_iter()
        .map(|row| {
            let SettingRow { name, value } = row;
            (name.clone(), Arc::new(Setting { name, value }))
        })
        .collect::<BTreeMap<_, _>>();
    Ok(tables)
}

/// Puts rows and takes them away.
pub(crate) fn put(connection: &mut AnyConnection, writes: &AccessWrites) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(&writes.roles, |id| id.0, |role| role.id.0);
    delete_keys!(connection, roles::id, keys)?;
    insert_all!(connection, roles, rows(values, RoleRow::new)?)?;

    let (keys, values) = last_write_wins(&writes.groups, |id| id.0, |group| group.id.0);
    delete_keys!(connection, user_groups::id, keys)?;
    insert_all!(connection, user_groups, rows(values, GroupRow::new)?)?;

    let (keys, values) = last_write_wins(&writes.projects, ToString::to_string, |it| it.project.to_string());
    delete_keys!(connection, project_settings::project, keys)?;
    insert_all!(
        connection,
        project_settings,
        rows(values, ProjectSettingsRow::new)?
    )?;

    let (keys, values) = last_write_wins(&writes.sign_up_links, |id| id.0, |link| link.id.0);
    delete_keys!(connection, sign_up_links::id, keys)?;
    insert_all!(connection, sign_up_links, rows(values, SignUpLinkRow::new)?)?;

    let (keys, values) = last_write_wins(&writes.settings, String::clone, |it| it.name.clone());
    delete_keys!(connection, instance_settings::name, keys)?;
    let row = |setting: &Setting| {
        Ok(SettingRow {
            name: setting.name.clone(),
            value: setting.value.clone(),
        })
    };
    Ok(insert_all!(connection, instance_settings, rows(values, row)?)?)
}

fn rows<V, R>(values: Vec<&V>, row: impl Fn(&V) -> Result<R, DbError>) -> Result<Vec<R>, DbError> {
    values.into_iter().map(row).collect()
}
