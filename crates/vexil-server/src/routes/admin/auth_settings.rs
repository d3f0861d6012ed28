//! How people sign in: single sign-on, and whether passwords count.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_access::RoleId;
use vexil_admin_api::sign_on::OidcForm;
use vexil_service::App;
use vexil_service::operations::users::find_root_role;
use vexil_service::operations::{Error, sign_on};
use vexil_service::single_sign_on::OidcSettings;

use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, PasswordsOff};

pub(crate) async fn read_oidc(app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(document(&app))
}

fn document(app: &App) -> HttpResponse {
    let settings = app.sign_on_settings().unwrap_or_default();
    let domains: Vec<&str> = settings.email_domains.iter().map(String::as_str).collect();
    HttpResponse::Ok().json(json!({
        "enabled": settings.enabled,
        "discoverUrl": settings.issuer,
        "clientId": settings.client_id,
        "secret": if settings.client_secret.is_some() { "***" } else { "" },
        "autoCreate": settings.creates_accounts,
        "enableSingleSignOut": settings.signs_out_everywhere,
        "defaultRootRoleId": settings.default_role.0,
        "emailDomains": domains.join(","),
        "enableGroupSyncing": settings.groups_claim.is_some(),
        "groupJsonPath": settings.groups_claim.as_deref().unwrap_or("groups"),
        "addGroupsScope": settings.extra_scopes.iter().any(|scope| scope == "groups"),
        "idTokenSigningAlgorithm": "RS256",
        "acrValues": "",
        "setByEnvironment": app.sign_on.configured.is_some(),
    }))
}

pub(crate) async fn set_oidc(
    who: Caller,
    app: Data<App>,
    Body(form): Body<OidcForm>,
) -> Result<HttpResponse, ApiError> {
    if app.sign_on.configured.is_some() {
        let message = "Single sign-on is set up by the environment of the server (OIDC_ISSUER), which comes first. Change it there.";
        return Err(Error::InvalidOperation(message.to_owned()).into());
    }
    let settings = merged(&app, &form)?;
    let sealer = app.sealer().cloned();
    app.edit(&who.actor, move |tx| {
        sign_on::keep(tx, &settings, sealer.as_ref())
    })
    .await?;
    Ok(document(&app))
}

/// What shall be set, by what is set and what is said.
fn merged(app: &App, form: &OidcForm) -> Result<OidcSettings, Error> {
    let mut settings = app.sign_on_settings().unwrap_or_default();
    settings.enabled = form.enabled.unwrap_or(settings.enabled);
    if let Some(issuer) = &form.discover_url {
        settings.issuer = match issuer.trim() {
            "" => String::new(),
            text => OidcSettings::read_issuer(text).map_err(|error| Error::invalid(format!("{error}.")))?,
        };
    }
    if let Some(id) = &form.client_id {
        settings.client_id = id.trim().to_owned();
    }
    match form.secret.as_deref() {
        // what is shown in its place
        None | Some("***") => {}
        Some("") => settings.client_secret = None,
        Some(secret) => settings.client_secret = Some(secret.to_owned()),
    }
    settings.creates_accounts = form.auto_create.unwrap_or(settings.creates_accounts);
    settings.signs_out_everywhere = form.single_sign_out.unwrap_or(settings.signs_out_everywhere);
    if let Some(role) = &form.default_role {
        settings.default_role = find_root_role(&app.serving().access.directory, role)?;
    }
    if let Some(domains) = &form.email_domains {
        let domains = domains
            .split([',', ' '])
            .map(|domain| domain.trim().to_lowercase());
        settings.email_domains = domains.filter(|domain| !domain.is_empty()).collect();
    }
    let path = form.group_path.clone().or_else(|| settings.groups_claim.clone());
    match form.group_syncing {
        Some(true) => settings.groups_claim = Some(path.unwrap_or_else(|| "groups".to_owned())),
        Some(false) => settings.groups_claim = None,
        None if settings.groups_claim.is_some() => settings.groups_claim = path,
        None => {}
    }
    if let Some(asks) = form.groups_scope {
        settings.extra_scopes = asks.then(|| "groups".to_owned()).into_iter().collect();
    }
    if settings.enabled && (settings.issuer.is_empty() || settings.client_id.is_empty()) {
        return Err(Error::invalid(
            "Single sign-on needs `discoverUrl` and `clientId` before it can be enabled.",
        ));
    }
    if settings.default_role == RoleId::ADMIN {
        return Err(Error::invalid(
            "Nobody becomes Admin by signing in for the first time; map a group to the role instead.",
        ));
    }
    Ok(settings)
}

pub(crate) async fn read_passwords(app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(json!({ "disabled": !app.takes_passwords() })))
}

pub(crate) async fn set_passwords(
    who: Caller,
    app: Data<App>,
    Body(PasswordsOff(off)): Body<PasswordsOff>,
) -> Result<HttpResponse, ApiError> {
    let has_other = app.sign_on_settings().is_some_and(|settings| settings.enabled);
    if off && !has_other {
        let message =
            "Passwords can be switched off only while single sign-on is enabled: nobody could sign in.";
        return Err(Error::InvalidOperation(message.to_owned()).into());
    }
    app.edit(&who.actor, move |tx| {
        sign_on::switch_passwords(tx, off);
        Ok(())
    })
    .await?;
    Ok(HttpResponse::Ok().json(json!({ "disabled": !app.takes_passwords() })))
}
