//! Secrets that browsers and links carry: 256 random bits, of which only the hash is kept.

use std::fmt;

use sha2::{Digest, Sha256};
use vexil_store::SecretHash;

use crate::operations::Error;

/// How many letters the text of a secret has.
const LETTERS: usize = 64;

/// A secret as a browser or a link carries it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A new secret.
    ///
    /// # Errors
    ///
    /// When the machine has no random numbers.
    pub fn random() -> Result<Self, Error> {
        let mut bytes = [0_u8; LETTERS / 2];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// A secret that somebody sent, if it has the form of one.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let has_form = text.len() == LETTERS && text.bytes().all(|letter| letter.is_ascii_hexdigit());
        has_form.then(|| Self(text.to_owned()))
    }

    /// The text that a browser or a link carries.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What is kept of it. It has enough entropy of its own for a fast hash.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

/// So that no log shows it.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_256_bits_and_is_read_back() {
        let secret = Secret::random().unwrap();
        assert_eq!(secret.text().len(), 64);
        let read = Secret::read(secret.text()).unwrap();
        assert_eq!(read.hash(), secret.hash());
        assert_ne!(Secret::random().unwrap().hash(), secret.hash());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }

    #[test]
    fn what_has_another_form_is_no_secret() {
        for text in [
            "",
            "abc",
            &"g".repeat(64),
            &"a".repeat(63),
            &"a".repeat(65),
            &"é".repeat(32),
        ] {
            assert!(Secret::read(text).is_none(), "{text}");
        }
    }
}
