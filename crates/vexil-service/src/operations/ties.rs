//! What goes when a project, an environment or a user goes: everything that is tied to it by its name or id, so
//! that whatever gets the same name later inherits nothing. This is the only list of such ties beside the
//! configuration itself.

use std::sync::Arc;

use vexil_access::{Grant, Group, UserId};
use vexil_change_request::State;
use vexil_domain::{EnvironmentName, ProjectId, Write};
use vexil_store::{ApiToken, ChangeRequestFilter, LinkWrite, SignUpLink, User};

use super::change_requests::withdraw_all;
use super::known_fields::{kept, key};
use super::{Error, sign_in};
use crate::transaction::Transaction;

/// What is tied to a project: open change requests, grants, roles of users and groups in it, its settings, and
/// tokens, and its context fields.
pub(super) fn project_goes(tx: &mut Transaction<'_>, project: &ProjectId) -> Result<(), Error> {
    let requests = ChangeRequestFilter {
        project: Some(project.clone()),
        ..open_requests()
    };
    withdraw_all(tx, &requests, "the project was removed")?;
    change_users(
        tx,
        |user| {
            user.grants.iter().any(|grant| grant.project == *project)
                || user
                    .project_roles
                    .iter()
                    .any(|(in_project, _)| in_project == project)
        },
        |user| {
            user.grants.retain(|grant| grant.project != *project);
            user.project_roles.retain(|(in_project, _)| in_project != project);
        },
    );
    change_groups(
        tx,
        |group| {
            group
                .project_roles
                .iter()
                .any(|(in_project, _)| in_project == project)
        },
        |group| {
            group
                .project_roles
                .retain(|(in_project, _)| in_project != project)
        },
    );
    if tx.access().tables.projects.contains_key(project) {
        tx.access_writes().projects.push(Write::Delete(project.clone()));
    }
    for (name, field) in kept(&tx.access().tables.settings)? {
        if field.project.as_ref() == Some(project) {
            tx.access_writes().settings.push(Write::Delete(key(&name)));
        }
    }
    let tied = |token: &ApiToken| token.projects.contains(project);
    for token in tied_tokens(tx, tied) {
        let mut rest = ApiToken::clone(&token);
        rest.projects.retain(|other| other != project);
        // a token for no project would be one for all
        if rest.projects.is_empty() {
            tx.remove_token(token.id);
        } else {
            tx.put_token(rest);
        }
    }
    Ok(())
}

/// What is tied to an environment: open change requests, grants, what roles hold in it, and tokens.
pub(super) fn environment_goes(tx: &mut Transaction<'_>, environment: &EnvironmentName) -> Result<(), Error> {
    let requests = ChangeRequestFilter {
        environment: Some(environment.clone()),
        ..open_requests()
    };
    withdraw_all(tx, &requests, "the environment was removed")?;
    let is_there = |grant: &Grant| grant.environment.as_ref() == Some(environment);
    change_users(
        tx,
        |user| user.grants.iter().any(is_there),
        |user| user.grants.retain(|grant| !is_there(grant)),
    );
    let access = tx.access();
    let roles = access.tables.roles.values();
    let tied = roles.filter(|role| role.environments().any(|name| name == environment));
    for role in tied {
        let rest = role.without_environment(environment);
        tx.access_writes().roles.push(Write::Upsert(Arc::new(rest)));
    }
    let tied = |token: &ApiToken| token.environment.as_ref() == Some(environment);
    for token in tied_tokens(tx, tied) {
        tx.remove_token(token.id);
    }
    Ok(())
}

fn open_requests() -> ChangeRequestFilter {
    let open = State::ALL.iter().copied().filter(|state| state.is_open());
    ChangeRequestFilter {
        states: open.collect(),
        ..ChangeRequestFilter::default()
    }
}

/// What is tied to a user: sessions, links, and membership in groups.
pub(super) fn user_goes(tx: &mut Transaction<'_>, user: UserId) -> Result<(), Error> {
    tx.write_link(LinkWrite::RemoveAll(user));
    sign_in::end_all(tx, user, None, "the user was removed")?;
    change_groups(
        tx,
        |group| group.members.contains(&user),
        |group| {
            group.members.remove(&user);
        },
    );
    let access = tx.access();
    let links = access.tables.sign_up_links.values();
    for link in links.filter(|link| link.users.contains(&user)) {
        let mut rest = SignUpLink::clone(link);
        rest.users.remove(&user);
        tx.access_writes()
            .sign_up_links
            .push(Write::Upsert(Arc::new(rest)));
    }
    Ok(())
}

fn change_users(tx: &mut Transaction<'_>, tied: impl Fn(&User) -> bool, change: impl Fn(&mut User)) {
    for user in tx.users().filter(|user| tied(user)).collect::<Vec<_>>() {
        let mut user = User::clone(&user);
        change(&mut user);
        tx.put_user(user);
    }
}

fn change_groups(tx: &mut Transaction<'_>, tied: impl Fn(&Group) -> bool, change: impl Fn(&mut Group)) {
    let access = tx.access();
    for group in access.tables.groups.values().filter(|group| tied(group)) {
        let mut group = Group::clone(group);
        change(&mut group);
        tx.access_writes().groups.push(Write::Upsert(Arc::new(group)));
    }
}

fn tied_tokens(tx: &Transaction<'_>, tied: impl Fn(&ApiToken) -> bool) -> Vec<Arc<ApiToken>> {
    let mut tokens: Vec<_> = tx
        .serving()
        .tokens
        .values()
        .filter(|token| tied(token))
        .cloned()
        .collect();
    tokens.sort_by_key(|token| token.id);
    tokens
}
