//! The proxies that may ask for tokens by themselves, and how their requests are signed.

mod nonces;

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use vexil_values::Instant;

use nonces::{NonceError, Nonces};

type HmacSha256 = Hmac<Sha256>;

/// How many letters a secret has at least.
const SHORTEST: usize = 32;
/// How far the clock of whoever signs may be from that of this server.
const WINDOW: time::Duration = time::Duration::minutes(5);
/// How many letters a nonce has at most.
const LONGEST_NONCE: usize = 128;

/// The Edge clients that an operator has named. None without.
#[derive(Debug, Default)]
pub struct EdgeClients(BTreeMap<String, EdgeClient>);

/// One of them.
#[derive(Debug)]
struct EdgeClient {
    key: Key,
    nonces: Nonces,
}

/// What a client shares with this server.
#[derive(Clone)]
struct Key(HmacSha256);

/// A client, written as it must not be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EdgeClientsError {
    /// It is not of the form `ID:SECRET`.
    #[error("each must be of the form ID:SECRET, such as enterprise-edge:SECRET, and entry {0} is not")]
    Form(usize),
    /// Its secret cannot be a key.
    #[error(
        "the secret of `{0}` must be at least {SHORTEST} letters of base64url without `=`; `openssl rand -hex 32` makes a good one"
    )]
    Secret(String),
    /// It is there twice.
    #[error("`{0}` is named twice")]
    Twice(String),
}

/// Why a request is not that of an Edge client. Which part of a signature is wrong is not told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// There is none.
    #[error(
        "The request is not signed. Edge signs it when it knows a client secret: send `Authorization: HMAC CLIENT:SIGNATURE`, `x-timestamp`, `x-nonce` and `content-sha256`"
    )]
    Missing,
    /// This header is missing or cannot be read.
    #[error("The header `{0}` is missing or cannot be read")]
    Header(&'static str),
    /// It was made too long ago, or ahead of time.
    #[error("The time of the request (`x-timestamp`) is more than five minutes from that of this server")]
    Time,
    /// It does not fit.
    #[error(
        "The signature does not fit: the client is not among those of EDGE_CLIENTS, its secret is another one, or the request was changed on its way"
    )]
    Signature,
    /// The body is another one.
    #[error("The body is not the one that was signed (`content-sha256`)")]
    Body,
    /// It was used before.
    #[error("The request was received before: its `x-nonce` is used")]
    Replayed,
    /// No more are remembered for so long.
    #[error("The client has sent more requests than are remembered; wait")]
    TooMany(Duration),
}

impl From<NonceError> for SignatureError {
    fn from(error: NonceError) -> Self {
        match error {
            NonceError::Used => Self::Replayed,
            NonceError::TooMany(wait) => Self::TooMany(wait),
        }
    }
}

/// What the head of a request says of its signature, as text.
#[derive(Debug, Clone, Copy, Default)]
pub struct SignedHead<'a> {
    /// `Authorization`.
    pub authorization: Option<&'a str>,
    /// `x-timestamp`.
    pub timestamp: Option<&'a str>,
    /// `x-nonce`.
    pub nonce: Option<&'a str>,
    /// `content-sha256`.
    pub content_sha256: Option<&'a str>,
}

/// A head whose signature fits; the body is still to be compared with it.
#[derive(Debug)]
pub struct CheckedHead {
    client: String,
    nonce: String,
    content_sha256: [u8; 32],
    /// Until when the nonce must be remembered.
    until: OffsetDateTime,
}

impl EdgeClients {
    /// Reads clients, each as `ID:SECRET`. Empty entries are passed over.
    ///
    /// # Errors
    ///
    /// When one of them cannot be read, or is there twice.
    pub fn read(entries: &[String]) -> Result<Self, EdgeClientsError> {
        let mut clients = BTreeMap::new();
        let entries = entries.iter().map(|entry| entry.trim()).enumerate();
        for (index, entry) in entries.filter(|(_, entry)| !entry.is_empty()) {
            let parts = entry.split_once(':').filter(|(id, _)| !id.is_empty());
            let (id, secret) = parts.ok_or(EdgeClientsError::Form(index + 1))?;
            let client = EdgeClient {
                key: Key::read(secret).ok_or_else(|| EdgeClientsError::Secret(id.to_owned()))?,
                nonces: Nonces::default(),
            };
            if clients.insert(id.to_owned(), client).is_some() {
                return Err(EdgeClientsError::Twice(id.to_owned()));
            }
        }
        Ok(Self(clients))
    }

    /// Whether the head of a `POST` to one of these paths is signed by a client: the signature names the path that
    /// the client has sent it to.
    pub fn check_head(
        &self,
        head: SignedHead<'_>,
        paths: &[&str],
        now: OffsetDateTime,
    ) -> Result<CheckedHead, SignatureError> {
        let credentials = head.authorization.and_then(|text| {
            let (scheme, credentials) = text.trim().split_once(' ')?;
            scheme.eq_ignore_ascii_case("HMAC").then_some(credentials.trim())
        });
        let (client, signature) = credentials
            .ok_or(SignatureError::Missing)?
            .rsplit_once(':')
            .ok_or(SignatureError::Header("Authorization"))?;
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature);
        let signature = signature.map_err(|_opaque| SignatureError::Header("Authorization"))?;
        let timestamp = head.timestamp.ok_or(SignatureError::Header("x-timestamp"))?;
        let time = Instant::parse_rfc3339(timestamp).and_then(|time| OffsetDateTime::try_from(time).ok());
        let time = time.ok_or(SignatureError::Header("x-timestamp"))?;
        let nonce = head
            .nonce
            .filter(|text| (1..=LONGEST_NONCE).contains(&text.len()));
        let nonce = nonce.ok_or(SignatureError::Header("x-nonce"))?;
        let digest = head
            .content_sha256
            .ok_or(SignatureError::Header("content-sha256"))?;
        let content_sha256 = read_hex(digest).ok_or(SignatureError::Header("content-sha256"))?;
        // whoever cannot sign learns nothing from how long it takes, or whether a client is there
        let known = self.0.get(client);
        let nobody = Key(HmacSha256::new(&Default::default()));
        let key = known.map_or(&nobody, |client| &client.key);
        let fits = paths.iter().fold(false, |fits, path| {
            let signed = [
                b"POST".as_slice(),
                path.as_bytes(),
                timestamp.as_bytes(),
                nonce.as_bytes(),
                digest.as_bytes(),
            ];
            key.mac(&signed.join(&b'\n')).verify_slice(&signature).is_ok() || fits
        });
        if !fits || known.is_none() {
            return Err(SignatureError::Signature);
        }
        if (now - time).abs() > WINDOW {
            return Err(SignatureError::Time);
        }
        Ok(CheckedHead {
            client: client.to_owned(),
            nonce: nonce.to_owned(),
            content_sha256,
            until: time.saturating_add(WINDOW),
        })
    }

    /// The client that has sent a body, once: of several requests with one nonce only the first is answered.
    pub fn check_body(
        &self,
        head: &CheckedHead,
        body: &[u8],
        now: OffsetDateTime,
    ) -> Result<Signer, SignatureError> {
        let digest: [u8; 32] = Sha256::digest(body).into();
        if digest != head.content_sha256 {
            return Err(SignatureError::Body);
        }
        let client = self.0.get(&head.client).ok_or(SignatureError::Signature)?;
        client.nonces.use_up(&head.nonce, head.until, now)?;
        Ok(Signer {
            id: head.client.clone(),
            key: client.key.clone(),
        })
    }
}

/// An Edge client that has signed a request.
#[derive(Debug, Clone)]
pub struct Signer {
    /// What the operator calls it.
    pub id: String,
    key: Key,
}

impl Signer {
    /// What only those can know who know the client's key: the same for the same `purpose`, in hexadecimal.
    pub(crate) fn derive(&self, purpose: &str) -> String {
        let mac = self.key.mac(purpose.as_bytes()).finalize().into_bytes();
        mac.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Key {
    fn read(secret: &str) -> Option<Self> {
        let key = BASE64_URL_SAFE_NO_PAD.decode(secret).ok()?;
        let key = HmacSha256::new_from_slice(&key).ok()?;
        (secret.len() >= SHORTEST).then_some(Self(key))
    }

    fn mac(&self, message: &[u8]) -> HmacSha256 {
        self.0.clone().chain_update(message)
    }
}

/// So that no log shows it.
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Reads 32 bytes in hexadecimal.
fn read_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).ok()?;
        // which would take a sign
        if !pair.bytes().all(|letter| letter.is_ascii_hexdigit()) {
            return None;
        }
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;
