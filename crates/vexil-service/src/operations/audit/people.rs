//! What an edit did to API tokens and users. No secret gets here, and no hash of one.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use vexil_access::RoleId;
use vexil_admin_api::timestamp::Timestamp;
use vexil_domain::{EnvironmentName, ProjectId, Snapshot};
use vexil_store::{ApiToken, PersonalToken, User};

use super::entry::{Entries, Entry};
use super::favorites;
use crate::operations::token_document::{HIDDEN, document};

/// Something as it was, and as it will be.
type Change<T> = (Option<Arc<T>>, Option<Arc<T>>);

pub(super) fn tokens(changes: &[Change<ApiToken>]) -> Entries {
    changes.iter().filter_map(token).collect()
}

fn token((was, now): &Change<ApiToken>) -> Option<Result<Entry, crate::operations::Error>> {
    let kind = match (was, now) {
        (None, None) => return None,
        (Some(was), Some(now)) if was == now => return None,
        (None, Some(_)) => "api-token-created",
        (Some(_), Some(_)) => "api-token-updated",
        (Some(_), None) => "api-token-deleted",
    };
    let either = now.as_ref().or(was.as_ref())?;
    let mut entry = Entry::new(kind);
    entry.environment.clone_from(&either.environment);
    let entry = match now {
        Some(now) => entry.with(&document(now, HIDDEN)),
        None => Ok(entry),
    };
    Some(entry.and_then(|entry| match was {
        Some(was) => entry.with_earlier(&document(was, HIDDEN)),
        None => Ok(entry),
    }))
}

pub(super) fn users(changes: &[Change<User>], after: &Snapshot) -> Vec<Entry> {
    changes
        .iter()
        .flat_map(|(was, now)| user(was.as_deref(), now.as_deref(), after))
        .collect()
}

fn user(was: Option<&User>, now: Option<&User>, after: &Snapshot) -> Vec<Entry> {
    let told = |user: Option<&User>| user.map(|user| recorded(user).to_string());
    let entry = |kind| Entry {
        data: told(now),
        pre_data: told(was),
        ..Entry::new(kind)
    };
    let mut entries = Vec::new();
    match (was, now) {
        (None, None) => return entries,
        (None, Some(_)) => entries.push(entry("user-created")),
        // what belonged to the user is gone with the user
        (Some(_), None) => return vec![entry("user-deleted")],
        (Some(was), Some(now)) => {
            if recorded(was) != recorded(now) {
                entries.push(entry("user-updated"));
            }
            if was.password_hash != now.password_hash {
                let mut entry = Entry::new("user-password-changed");
                entry.data = Some(json!({ "userId": now.id.0 }).to_string());
                entries.push(entry);
            }
            entries.extend(favorites::entries(was, now, after));
        }
    }
    let Some(now) = now else { return entries };
    entries.extend(personal_tokens(was.map_or(&[], |was| &was.tokens), &now.tokens));
    entries.extend(grants(was, now));
    let none = BTreeSet::new();
    let earlier = was.map_or(&none, |was| &was.project_roles);
    entries.extend(project_roles(("userId", now.id.0), earlier, &now.project_roles));
    entries
}

/// What the audit log says of a user.
fn recorded(user: &User) -> Value {
    json!({
        "id": user.id.0,
        "username": user.username,
        "email": user.email,
        "name": user.name,
        "rootRole": user.root_role.0,
    })
}

fn personal_tokens(was: &[PersonalToken], now: &[PersonalToken]) -> Vec<Entry> {
    let told = |kind, token: &PersonalToken| {
        let mut entry = Entry::new(kind);
        entry.data = Some(
            json!({
                "id": token.id.0,
                "description": token.description,
                "expiresAt": Timestamp::from(token.expires_at),
                "secure": true,
            })
            .to_string(),
        );
        entry
    };
    let missing = |all: &[PersonalToken], token: &PersonalToken| all.iter().all(|other| other.id != token.id);
    let gone = was.iter().filter(|token| missing(now, token));
    let new = now.iter().filter(|token| missing(was, token));
    gone.map(|token| told("pat-deleted", token))
        .chain(new.map(|token| told("pat-created", token)))
        .collect()
}

fn grants(was: Option<&User>, now: &User) -> Vec<Entry> {
    let of = |user: &'_ User| {
        user.grants
            .iter()
            .map(|grant| grant.project.clone())
            .collect::<BTreeSet<_>>()
    };
    let mut projects = of(now);
    projects.extend(was.into_iter().flat_map(of));
    let mut entries = Vec::new();
    for project in projects {
        let before = was.map(|was| shown_grants(was, &project)).unwrap_or_default();
        let after = shown_grants(now, &project);
        if before == after {
            continue;
        }
        let document = |permissions| json!({ "userId": now.id.0, "permissions": permissions }).to_string();
        entries.push(Entry {
            data: Some(document(after)),
            pre_data: Some(document(before)),
            ..Entry::new("project-access-updated").in_project(Some(&project))
        });
    }
    entries
}

/// Who has got or lost roles in projects: a user or a group, by the name of its id.
pub(super) fn project_roles(
    (kind, id): (&str, i64),
    was: &BTreeSet<(ProjectId, RoleId)>,
    now: &BTreeSet<(ProjectId, RoleId)>,
) -> Vec<Entry> {
    let projects: BTreeSet<&ProjectId> = was
        .symmetric_difference(now)
        .map(|(project, _)| project)
        .collect();
    let told = |roles: &BTreeSet<(ProjectId, RoleId)>, project: &ProjectId| {
        let here = roles.iter().filter(|(in_project, _)| in_project == project);
        let here: Vec<i64> = here.map(|(_, role)| role.0).collect();
        Some(json!({ kind: id, "roles": here }).to_string())
    };
    projects
        .into_iter()
        .map(|project| Entry {
            data: told(now, project),
            pre_data: told(was, project),
            ..Entry::new("project-access-updated").in_project(Some(project))
        })
        .collect()
}

/// What a user was granted in a project.
#[must_use]
pub fn shown_grants(user: &User, project: &ProjectId) -> Vec<Value> {
    let here = user.grants.iter().filter(|grant| grant.project == *project);
    here.map(|grant| {
        let environment = grant.environment.as_ref().map(EnvironmentName::as_str);
        json!({ "permission": grant.permission.name(), "environment": environment })
    })
    .collect()
}
