//! Users: created, changed, removed, granted permissions; and their personal access tokens.

use std::sync::Arc;

use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_access::{Directory, RoleId, UserId};
use vexil_admin_api::account::UserReference;
use vexil_admin_api::user::{PersonalTokenDocument, RoleReference, UserDocument, UserForm};
use vexil_client_api::json::Problem;
use vexil_store::{LinkWrite, PersonalToken, PersonalTokenId, SecretHash, User};

use super::same_name::check_same;
use super::{sign_in, ties};
use crate::app::App;
use crate::operations::Error;
use crate::principal::{Principal, hash_secret};
use crate::serving_state::ServingState;
use crate::transaction::Transaction;

/// How many personal access tokens a user may have.
const MOST_TOKENS: usize = 10;

/// A user, who must be there.
pub fn find(serving: &ServingState, id: UserId) -> Result<&Arc<User>, Error> {
    let missing = || Error::NotFound("No user found".to_owned());
    serving.users.get(id).ok_or_else(missing)
}

/// A user by number, username or email address, who must be there.
pub fn find_named(serving: &ServingState, named: &UserReference) -> Result<UserId, Error> {
    let found = match named {
        UserReference::Id(id) => serving.users.get(UserId(*id)),
        UserReference::Login(login) => serving.users.with_login(login),
    };
    let missing = || Error::NotFound("No user found".to_owned());
    found.map(|user| user.id).ok_or_else(missing)
}

/// All users, by id, with when they and their tokens were last seen.
pub async fn with_last_seen(app: &App) -> Result<Vec<User>, Error> {
    let seen = app.users_seen().await?;
    let with_last = |user: &Arc<User>| {
        let mut user = User::clone(user);
        user.seen_at = seen.users.get(&user.id).copied();
        for token in &mut user.tokens {
            token.seen_at = seen.tokens.get(&token.id).copied();
        }
        user
    };
    Ok(app.serving().users.iter().map(with_last).collect())
}

/// The user who asks; an admin token is none.
pub fn own(who: &Principal) -> Result<UserId, Error> {
    let none = || Error::NotAPerson("Personal access tokens belong to users, and an API token is none.");
    who.user.as_ref().map(|user| user.id).ok_or_else(none)
}

/// Creates a user.
pub fn create(tx: &mut Transaction<'_>, form: &UserForm, password_hash: Option<&str>) -> Result<User, Error> {
    if form.username.is_none() && form.email.is_none() {
        return Err(Error::invalid("You must specify username or email"));
    }
    check_free(tx.serving(), form, None)?;
    let id = UserId(tx.counters.user);
    tx.counters.user += 1;
    let user = User {
        username: form.username.clone(),
        email: form.email.clone(),
        name: form.name.clone(),
        password_hash: password_hash.map(str::to_owned),
        ..User::new(id, role(tx, form)?.unwrap_or(RoleId::VIEWER), tx.now)
    };
    tx.put_user(user.clone());
    Ok(user)
}

/// The root role that a form names, where it names one.
fn role(tx: &Transaction<'_>, form: &UserForm) -> Result<Option<RoleId>, Error> {
    let reference = form.root_role.as_ref();
    reference
        .map(|it| find_root_role(&tx.access().directory, it))
        .transpose()
}

/// A root role, which must be there.
pub fn find_root_role(directory: &Directory, reference: &RoleReference) -> Result<RoleId, Error> {
    let mut roles = directory.roles().filter(|role| role.kind.is_root());
    let found = roles.find(|role| match reference {
        RoleReference::Id(id) => role.id.0 == *id,
        RoleReference::Name(name) => role.name == *name,
    });
    let missing = || {
        let path = "/body/rootRole".to_owned();
        let message = format!(
            "The `{path}` property must be the id or the name of a root role. You sent \"{reference}\"."
        );
        Error::from(vec![Problem { path, message }])
    };
    found.map(|role| role.id).ok_or_else(missing)
}

fn check_free(serving: &ServingState, form: &UserForm, own: Option<UserId>) -> Result<(), Error> {
    let same = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => a.to_lowercase() == b.to_lowercase(),
        _ => false,
    };
    let mut others = serving.users.iter().filter(|user| Some(user.id) != own);
    if others.any(|user| same(&user.username, &form.username) || same(&user.email, &form.email)) {
        return Err(Error::invalid("User already exists"));
    }
    Ok(())
}

/// Changes what the form says of a user.
pub fn edit(tx: &mut Transaction<'_>, id: UserId, form: &UserForm) -> Result<User, Error> {
    let earlier = Arc::clone(find(tx.serving(), id)?);
    let said = form.id.map(|id| id.to_string());
    check_same("id of a user", said.as_deref(), &id.0.to_string())?;
    let said = form.username.as_deref();
    if form.password.is_some() {
        let message =
            "The password of a user is not set with the rest: use POST …/user-admin/{id}/change-password.";
        return Err(Error::invalid(message));
    }
    check_same(
        "username of a user",
        said,
        earlier.username.as_deref().unwrap_or_default(),
    )?;
    check_free(tx.serving(), form, Some(id))?;
    let mut user = User::clone(&earlier);
    user.email = form.email.clone().or(user.email);
    user.name = form.name.clone().or(user.name);
    user.root_role = role(tx, form)?.unwrap_or(user.root_role);
    tx.put_user(user.clone());
    if is_less(&tx.access().directory, user.root_role, earlier.root_role) {
        sign_in::end_all(tx, id, None, "the user has a lesser role now")?;
    }
    Ok(user)
}

/// Sets a user's password, which ends every session of the user but one that may be spared.
pub fn set_password(
    tx: &mut Transaction<'_>,
    id: UserId,
    hash: &str,
    spared: Option<SecretHash>,
) -> Result<(), Error> {
    let mut user = User::clone(find(tx.serving(), id)?);
    user.password_hash = Some(hash.to_owned());
    tx.put_user(user);
    tx.write_link(LinkWrite::RemoveAll(id));
    sign_in::end_all(tx, id, spared, "the user has a new password")
}

/// Removes a user.
pub fn remove(tx: &mut Transaction<'_>, id: UserId) -> Result<(), Error> {
    find(tx.serving(), id)?;
    tx.remove_user(id);
    ties::user_goes(tx, id)
}

/// Whether somebody with one root role may do less than with another.
fn is_less(directory: &Directory, now: RoleId, before: RoleId) -> bool {
    match (directory.role(now), directory.role(before)) {
        (Some(now), Some(before)) => !before.is_within(now),
        (None, Some(_)) => true,
        (_, None) => false,
    }
}

/// Creates a personal access token with this secret.
pub fn create_token(
    tx: &mut Transaction<'_>,
    id: UserId,
    description: &str,
    expires_at: OffsetDateTime,
    secret: &str,
) -> Result<PersonalToken, Error> {
    let mut user = User::clone(find(tx.serving(), id)?);
    if user.tokens.iter().any(|token| token.description == description) {
        return Err(Error::NameExists("PAT description already exists.".to_owned()));
    }
    if expires_at <= tx.now {
        return Err(Error::invalid("The expiry date should be in future."));
    }
    if user.tokens.len() >= MOST_TOKENS {
        return Err(Error::InvalidOperation(format!(
            "Too many PATs (over {MOST_TOKENS}) already exist for this user."
        )));
    }
    let token = PersonalToken {
        id: PersonalTokenId(tx.counters.personal_token),
        description: description.to_owned(),
        secret_hash: hash_secret(secret),
        created_at: tx.now,
        expires_at,
        seen_at: None,
    };
    tx.counters.personal_token += 1;
    user.tokens.push(token.clone());
    tx.put_user(user);
    Ok(token)
}

/// Removes a personal access token. One that is not there stays away.
pub fn remove_token(tx: &mut Transaction<'_>, id: UserId, token: i64) -> Result<(), Error> {
    let mut user = User::clone(find(tx.serving(), id)?);
    let Some(place) = user.tokens.iter().position(|known| known.id.0 == token) else {
        return Ok(());
    };
    user.tokens.remove(place);
    tx.put_user(user);
    Ok(())
}

/// A user as anybody may see. What they have not is left out.
#[must_use]
pub fn person(user: &User) -> Value {
    let mut shown = named(user);
    if let Some(shown) = shown.as_object_mut() {
        shown.insert("accountType".to_owned(), "User".into());
        shown.insert("imageUrl".to_owned(), "".into());
    }
    shown
}

/// The same in short: the id, and what they are called.
#[must_use]
pub fn named(user: &User) -> Value {
    let mut shown = json!({ "id": user.id.0 });
    let names = [
        ("name", &user.name),
        ("username", &user.username),
        ("email", &user.email),
    ];
    if let Some(shown) = shown.as_object_mut() {
        for (key, name) in names {
            shown.extend(name.as_ref().map(|name| (key.to_owned(), name.as_str().into())));
        }
    }
    shown
}

/// Shows a user.
pub fn document(user: &User) -> UserDocument {
    UserDocument {
        account_type: "User",
        id: user.id.0,
        name: user.name.clone(),
        username: user.username.clone(),
        email: user.email.clone(),
        seen_at: user.seen_at.map(Into::into),
        login_attempts: 0,
        created_at: user.created_at.into(),
        root_role: user.root_role.0,
        image_url: "",
        scim_id: None,
        seat_type: None,
        company_role: None,
        product_updates_email_consent: None,
    }
}

/// Shows a personal access token, with its secret where it is told.
pub fn token_document(owner: UserId, token: &PersonalToken, secret: Option<String>) -> PersonalTokenDocument {
    PersonalTokenDocument {
        id: token.id.0,
        description: token.description.clone(),
        expires_at: token.expires_at.into(),
        user_id: owner.0,
        created_at: token.created_at.into(),
        seen_at: token.seen_at.map(Into::into),
        secret,
    }
}
