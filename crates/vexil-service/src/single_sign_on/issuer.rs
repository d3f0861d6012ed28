//! A provider: what it says of itself, and the two things that are asked of it.

use std::error::Error as Cause;

use chrono::{DateTime, Utc};
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreErrorResponseType, CoreGenderClaim,
    CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreRevocableToken,
    CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AccessTokenHash, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EmptyExtraTokenFields,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, IdTokenClaims, IdTokenFields, IssuerUrl,
    Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, ProviderMetadataWithLogout, RedirectUrl,
    Scope, StandardErrorResponse, StandardTokenResponse, TokenResponse, UserInfoClaims,
};
use time::OffsetDateTime;
use ureq::Agent;

use super::claims::{ExtraClaims, Identity};
use super::http::{agent, ask};
use super::pending::Pending;
use super::settings::OidcSettings;
use crate::operations::chain;

/// By how much the provider's clock may differ.
const SKEW: i64 = 60;
/// How old what the provider signed may be when it arrives.
const OLDEST: i64 = 600;

/// Why somebody could not be signed in by the provider.
#[derive(Debug, thiserror::Error)]
pub enum SignOnError {
    /// The provider does not answer, or not as one does.
    #[error("the provider could not be asked: {0}")]
    Unreachable(String),
    /// The provider refuses the code.
    #[error("the provider refused the code: {0}")]
    Refused(String),
    /// What the provider says cannot be believed.
    #[error("what the provider said cannot be believed: {0}")]
    Unsound(String),
}

impl SignOnError {
    /// The word for it in the audit log.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::Refused(_) => "refused",
            Self::Unsound(_) => "unsound",
        }
    }

    fn unreachable(cause: &dyn Cause) -> Self {
        Self::Unreachable(chain(cause))
    }

    fn unsound(cause: &dyn Cause) -> Self {
        Self::Unsound(chain(cause))
    }
}

/// A provider, as it describes itself.
pub struct Issuer {
    metadata: ProviderMetadataWithLogout,
    settings: OidcSettings,
    agent: Agent,
}

opaque!(Issuer);

/// What a provider tells to who asks with the access token.
type Told = UserInfoClaims<ExtraClaims, CoreGenderClaim>;

/// What an ID token says.
type Claims = IdTokenClaims<ExtraClaims, CoreGenderClaim>;

type Tokens = StandardTokenResponse<
    IdTokenFields<
        ExtraClaims,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

type Known = Client<
    ExtraClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

impl Issuer {
    /// Asks a provider what it says of itself. Blocks.
    ///
    /// # Errors
    ///
    /// When it cannot be asked, or says it is another.
    pub(crate) fn discover(settings: OidcSettings) -> Result<Self, SignOnError> {
        let issuer = IssuerUrl::new(settings.issuer.clone()).map_err(|e| SignOnError::unreachable(&e))?;
        let agent = agent();
        let metadata =
            ProviderMetadataWithLogout::discover(&issuer, &|request: HttpRequest| ask(&agent, request))
                .map_err(|e| SignOnError::unreachable(&e))?;
        Ok(Self {
            metadata,
            settings,
            agent,
        })
    }

    /// What was set when the provider was asked.
    pub(crate) fn settings(&self) -> &OidcSettings {
        &self.settings
    }

    /// Where to send a browser that shall be signed in.
    ///
    /// # Errors
    ///
    /// When `callback`, the address of this server that the provider sends it back to, is none.
    pub fn start(&self, pending: &Pending, callback: &str) -> Result<String, SignOnError> {
        let client = self.client(callback)?;
        let verifier = PkceCodeVerifier::new(pending.verifier.text().to_owned());
        let (state, nonce) = (pending.state.text().to_owned(), pending.nonce.text().to_owned());
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        for scope in &self.settings.extra_scopes {
            request = request.add_scope(Scope::new(scope.clone()));
        }
        let (url, _, _) = request.url();
        Ok(url.into())
    }

    /// Who somebody is who came back with a code. Blocks.
    ///
    /// # Errors
    ///
    /// When the provider refuses the code, or what it signed cannot be believed.
    pub fn finish(
        &self,
        code: &str,
        pending: &Pending,
        callback: &str,
        now: OffsetDateTime,
    ) -> Result<Identity, SignOnError> {
        let client = self.client(callback)?;
        let request = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|e| SignOnError::unreachable(&e))?
            .set_pkce_verifier(PkceCodeVerifier::new(pending.verifier.text().to_owned()));
        let tokens = request
            .request(&|request: HttpRequest| ask(&self.agent, request))
            .map_err(|e| SignOnError::Refused(chain(&e)))?;
        let claims = Self::believed(&client, &tokens, pending, now)?;
        let mut identity = claimed(&claims);
        let path = self.settings.groups_claim.as_ref();
        let listed = path.and_then(|path| claims.additional_claims().listed(path));
        let lacks_groups = path.is_some() && listed.is_none();
        let told = if claims.email().is_none() || lacks_groups {
            self.ask_for_more(&client, &tokens, &identity)?
        } else {
            None
        };
        if let Some(told) = &told {
            complete(&mut identity, &claims, told);
        }
        if let Some(path) = path {
            let told = told.and_then(|told| told.additional_claims().listed(path));
            // a claim that is not there lists nobody's groups
            identity.groups = Some(listed.or(told).unwrap_or_default());
        }
        Ok(identity)
    }

    /// What the ID token says, once its signature, its times and its nonce are checked, and that the access token came with it.
    fn believed(
        client: &Known,
        tokens: &Tokens,
        pending: &Pending,
        now: OffsetDateTime,
    ) -> Result<Claims, SignOnError> {
        let id_token = tokens
            .id_token()
            .ok_or_else(|| SignOnError::Unsound("there is no ID token".to_owned()))?;
        let now = instant(now);
        let verifier = client
            .id_token_verifier()
            .set_time_fn(move || now - chrono::Duration::seconds(SKEW))
            .set_issue_time_verifier_fn(move |issued| check_issued(issued, now));
        let claims = id_token
            .claims(&verifier, &Nonce::new(pending.nonce.text().to_owned()))
            .map_err(|e| SignOnError::unsound(&e))?;
        if let Some(expected) = claims.access_token_hash() {
            let algorithm = id_token.signing_alg().map_err(|e| SignOnError::unsound(&e))?;
            let key = id_token
                .signing_key(&verifier)
                .map_err(|e| SignOnError::unsound(&e))?;
            let actual = AccessTokenHash::from_token(tokens.access_token(), algorithm, key)
                .map_err(|e| SignOnError::unsound(&e))?;
            if actual != *expected {
                return Err(SignOnError::Unsound(
                    "the access token is of another sign-in".to_owned(),
                ));
            }
        }
        Ok(claims.clone())
    }

    /// Where to send a browser that signs out, so that it is signed out at the provider too.
    pub fn end(&self) -> Option<String> {
        let endpoint = self
            .metadata
            .additional_metadata()
            .end_session_endpoint
            .as_ref()?;
        let mut url = endpoint.url().clone();
        url.query_pairs_mut()
            .append_pair("client_id", &self.settings.client_id);
        Some(url.into())
    }

    /// Many providers tell address, name and groups only to who asks with the access token.
    fn ask_for_more(
        &self,
        client: &Known,
        tokens: &Tokens,
        identity: &Identity,
    ) -> Result<Option<Told>, SignOnError> {
        let subject = openidconnect::SubjectIdentifier::new(identity.subject.clone());
        let Ok(request) = client.user_info(tokens.access_token().clone(), Some(subject)) else {
            return Ok(None);
        };
        let told = request.request(&|request: HttpRequest| ask(&self.agent, request));
        told.map(Some).map_err(|e| SignOnError::unsound(&e))
    }

    fn client(&self, callback: &str) -> Result<Known, SignOnError> {
        let callback = RedirectUrl::new(callback.to_owned()).map_err(|e| SignOnError::unreachable(&e))?;
        let client = Client::from_provider_metadata(
            self.metadata.clone(),
            ClientId::new(self.settings.client_id.clone()),
            self.settings.client_secret.clone().map(ClientSecret::new),
        );
        Ok(client.set_redirect_uri(callback))
    }
}

/// Who somebody is by the ID token alone.
fn claimed(claims: &Claims) -> Identity {
    let email = claims.email().filter(|_| claims.email_verified() == Some(true));
    Identity {
        issuer: claims.issuer().to_string(),
        subject: claims.subject().to_string(),
        verified_email: email.map(|email| email.to_string()),
        username: claims.preferred_username().map(|name| name.to_string()),
        name: claims
            .name()
            .and_then(|name| name.get(None))
            .map(|name| name.to_string()),
        groups: None,
    }
}

/// Takes from what the provider told what the ID token does not say.
fn complete(identity: &mut Identity, claims: &Claims, told: &Told) {
    if claims.email().is_none() {
        let vouched = told.email().filter(|_| told.email_verified() == Some(true));
        identity.verified_email = vouched.map(|email| email.to_string());
    }
    if identity.username.is_none() {
        identity.username = told.preferred_username().map(|name| name.to_string());
    }
    if identity.name.is_none() {
        let name = told.name().and_then(|name| name.get(None));
        identity.name = name.map(|name| name.to_string());
    }
}

fn instant(at: OffsetDateTime) -> DateTime<Utc> {
    DateTime::from_timestamp(at.unix_timestamp(), at.nanosecond()).unwrap_or_default()
}

fn check_issued(issued: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), String> {
    let age = (now - issued).num_seconds();
    if (-SKEW..=OLDEST + SKEW).contains(&age) {
        return Ok(());
    }
    Err(format!("it was issued {age} seconds ago; is a clock wrong?"))
}
