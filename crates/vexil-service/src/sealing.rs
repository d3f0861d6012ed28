//! Secrets that must be read again, sealed with a key that the database does not hold.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use sha2::{Digest, Sha256};

use crate::operations::Error;

/// How many letters an operator's key has at least.
const SHORTEST: usize = 32;
/// How many bytes of chance stand before what is sealed.
const NONCE: usize = 24;

/// Seals and opens secrets.
#[derive(Clone)]
pub struct Sealer(XChaCha20Poly1305);

/// The operator's key is too short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key must have at least {SHORTEST} letters; `openssl rand -hex 32` makes a good one")]
pub struct ShortKey;

impl Sealer {
    /// With an operator's key.
    ///
    /// # Errors
    ///
    /// When it is too short.
    pub(crate) fn new(key: &str) -> Result<Self, ShortKey> {
        if key.trim().chars().count() < SHORTEST {
            return Err(ShortKey);
        }
        // the key has enough entropy of its own for a fast hash, which makes it fit
        let digest = Sha256::new()
            .chain_update(b"vexil sealing\0")
            .chain_update(key.trim());
        let key: [u8; 32] = digest.finalize().into();
        Ok(Self(XChaCha20Poly1305::new(&key.into())))
    }

    /// Seals a secret for a purpose, such as `api-token:7`: it cannot be opened for another.
    ///
    /// # Errors
    ///
    /// When the machine has no random numbers.
    pub(crate) fn seal(&self, purpose: &str, secret: &str) -> Result<Vec<u8>, Error> {
        let mut nonce = [0_u8; NONCE];
        getrandom::fill(&mut nonce).map_err(Error::internal)?;
        let payload = Payload {
            msg: secret.as_bytes(),
            aad: purpose.as_bytes(),
        };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_opaque| Error::internal("a secret could not be sealed"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// The secret, if it was sealed with this key for this purpose.
    #[must_use]
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Option<String> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let payload = Payload {
            msg: sealed,
            aad: purpose.as_bytes(),
        };
        let opened = self.0.decrypt(&XNonce::from(*nonce), payload).ok()?;
        String::from_utf8(opened).ok()
    }
}

/// So that no log shows it.
impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealer(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn what_is_sealed_is_opened_by_the_same_key_for_the_same_purpose_alone() {
        let sealer = Sealer::new(KEY).unwrap();
        let sealed = sealer.seal("api-token:7", "default:development.größer").unwrap();
        assert_eq!(
            sealer.open("api-token:7", &sealed).as_deref(),
            Some("default:development.größer")
        );
        assert_eq!(sealer.open("api-token:8", &sealed), None);
        let other = Sealer::new("0123456789abcdef0123456789abcdeF").unwrap();
        assert_eq!(other.open("api-token:7", &sealed), None);
        assert_ne!(
            sealer.seal("api-token:7", "default:development.größer").unwrap(),
            sealed
        );
        let found = sealed.windows(7).any(|bytes| bytes == b"default");
        assert!(!found);
    }

    #[test]
    fn what_was_changed_or_cut_off_is_not_opened() {
        let sealer = Sealer::new(KEY).unwrap();
        let sealed = sealer.seal("x", "secret").unwrap();
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(sealer.open("x", &changed), None, "{place}");
            assert_eq!(sealer.open("x", &sealed[..place]), None, "{place}");
        }
    }

    #[test]
    fn a_short_key_is_refused() {
        assert_eq!(Sealer::new(&KEY[1..]).map(drop), Err(ShortKey));
        assert_eq!(Sealer::new(&format!(" {} ", &KEY[1..])).map(drop), Err(ShortKey));
        assert_eq!(format!("{:?}", Sealer::new(KEY).unwrap()), "Sealer(…)");
    }
}
