//! What is set about single sign-on.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use vexil_access::RoleId;
use vexil_values::parse_address;

use super::pending::unhex;
use crate::operations::Error;
use crate::sealing::Sealer;

/// For what the client secret is sealed.
const SEALED_FOR: &str = "single-sign-on";

/// What is set about single sign-on with OpenID Connect.
#[derive(Clone, PartialEq, Eq)]
pub struct OidcSettings {
    /// Whether people may sign in this way.
    pub enabled: bool,
    /// The address of the provider, below which `/.well-known/openid-configuration` is found.
    pub issuer: String,
    /// What the provider calls this server.
    pub client_id: String,
    /// What proves to the provider that it is this server; `None` for a public client.
    pub client_secret: Option<String>,
    /// Whether somebody who signs in for the first time gets an account.
    pub creates_accounts: bool,
    /// The root role of accounts made that way.
    pub default_role: RoleId,
    /// The domains of email addresses that are let in; empty for all.
    pub email_domains: BTreeSet<String>,
    /// The claim that lists the groups somebody is in, with dots between the parts of a path; `None` where
    /// groups are not taken over.
    pub groups_claim: Option<String>,
    /// What is asked for beside `openid`, `email` and `profile`.
    pub extra_scopes: Vec<String>,
    /// Whether signing out here signs out at the provider too.
    pub signs_out_everywhere: bool,
}

impl Default for OidcSettings {
    /// Switched off; accounts are made, as Viewers.
    fn default() -> Self {
        Self {
            enabled: false,
            issuer: String::new(),
            client_id: String::new(),
            client_secret: None,
            creates_accounts: true,
            default_role: RoleId::VIEWER,
            email_domains: BTreeSet::new(),
            groups_claim: None,
            extra_scopes: Vec::new(),
            signs_out_everywhere: false,
        }
    }
}

/// So that no log shows the secret.
impl std::fmt::Debug for OidcSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OidcSettings")
            .field("enabled", &self.enabled)
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

/// Why a provider cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the address of the provider must begin with `https://` (`http://` only on this machine) and be the one below which `/.well-known/openid-configuration` is found"
)]
pub struct IssuerError;

impl OidcSettings {
    /// The form in which they are stored, with the client secret sealed.
    ///
    /// # Errors
    ///
    /// When there is a secret and no key to seal it with.
    pub(crate) fn stored(&self, sealer: Option<&Sealer>) -> Result<String, Error> {
        let sealed = match (&self.client_secret, sealer) {
            (None, _) => None,
            (Some(secret), Some(sealer)) => Some(sealer.seal(SEALED_FOR, secret)?),
            (Some(_), None) => {
                return Err(Error::invalid(
                    "The secret of single sign-on is kept sealed, and there is no key to seal it with. Start the server with SECRET_KEY, or set up single sign-on by its environment (OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET).",
                ));
            }
        };
        let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Ok(json!({
            "enabled": self.enabled,
            "issuer": self.issuer,
            "clientId": self.client_id,
            "secret": sealed.map(hex),
            "createsAccounts": self.creates_accounts,
            "role": self.default_role.0,
            "domains": self.email_domains,
            "groups": self.groups_claim,
            "scopes": self.extra_scopes,
            "signsOutEverywhere": self.signs_out_everywhere,
        })
        .to_string())
    }

    /// What was stored; `None` where nothing can be read.
    pub(crate) fn read_stored(text: &str, sealer: Option<&Sealer>) -> Option<Self> {
        let stored: Value = serde_json::from_str(text).ok()?;
        let text = |name: &str| Some(stored.get(name)?.as_str()?.to_owned());
        let flag = |name: &str| stored.get(name).and_then(Value::as_bool).unwrap_or(false);
        let list = |name: &str| -> Vec<String> {
            let items = stored.get(name).and_then(Value::as_array);
            let texts = items.into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        let sealed = text("secret").and_then(|hex| unhex(&hex));
        Some(Self {
            enabled: flag("enabled"),
            issuer: text("issuer")?,
            client_id: text("clientId")?,
            client_secret: sealed.and_then(|sealed| sealer?.open(SEALED_FOR, &sealed)),
            creates_accounts: flag("createsAccounts"),
            default_role: RoleId(stored.get("role")?.as_i64()?),
            email_domains: list("domains").into_iter().collect(),
            groups_claim: text("groups"),
            extra_scopes: list("scopes"),
            signs_out_everywhere: flag("signsOutEverywhere"),
        })
    }

    /// An issuer's address as people give it: with or without the well-known path, never over a network in the
    /// clear.
    ///
    /// # Errors
    ///
    /// When it cannot be used.
    pub fn read_issuer(text: &str) -> Result<String, IssuerError> {
        let text = text.trim();
        let issuer = text
            .strip_suffix("/.well-known/openid-configuration")
            .unwrap_or(text);
        let (scheme, rest) = issuer.split_once("://").ok_or(IssuerError)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let is_plain = authority.is_empty() || authority.contains('@') || issuer.contains(['?', '#', ' ']);
        if is_plain {
            return Err(IssuerError);
        }
        match scheme {
            "https" => Ok(issuer.to_owned()),
            "http" if is_this_machine(authority) => Ok(issuer.to_owned()),
            _ => Err(IssuerError),
        }
    }

    /// Whether an email address is of a domain that is let in.
    #[must_use]
    pub fn lets_in(&self, email: &str) -> bool {
        let domain = email.rsplit_once('@').map(|(_, domain)| domain.to_lowercase());
        self.email_domains.is_empty() || domain.is_some_and(|domain| self.email_domains.contains(&domain))
    }
}

fn is_this_machine(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || parse_address(host).is_some_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_reached_over_tls_or_on_this_machine() {
        let read = |text: &str| OidcSettings::read_issuer(text).ok();
        assert_eq!(
            read("https://id.example.com/realms/a"),
            Some("https://id.example.com/realms/a".to_owned())
        );
        assert_eq!(
            read(" https://id.example.com/.well-known/openid-configuration "),
            Some("https://id.example.com".to_owned())
        );
        for good in ["http://127.0.0.1:9000", "http://[::1]:9000/a", "http://localhost"] {
            assert!(read(good).is_some(), "{good}");
        }
        for bad in [
            "http://id.example.com",
            "http://127.0.0.1.evil.example",
            "http://localhost@evil.example",
            "ftp://id.example.com",
            "id.example.com",
            "https://",
            "https://id.example.com?x",
            "",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_the_named_domains_are_let_in() {
        let mut settings = OidcSettings::default();
        assert!(settings.lets_in("ada@example.com"));
        settings.email_domains.insert("example.com".to_owned());
        assert!(settings.lets_in("ada@Example.com"));
        for other in [
            "ada@evil.example",
            "ada@sub.example.com",
            "ada@example.com@evil.example",
            "ada",
            "",
        ] {
            assert!(!settings.lets_in(other), "{other}");
        }
    }
}
