//! Passwords: what makes one good enough, and the form in which they are kept.

use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};

use crate::operations::Error;

/// How many characters a password has at least.
const SHORTEST: usize = 10;

/// What is wrong with a password, in words; empty when it is good enough.
pub fn problems(password: &str) -> Vec<&'static str> {
    let characters: Vec<char> = password.chars().collect();
    let has = |wanted: fn(char) -> bool| characters.iter().any(|c| wanted(*c));
    let repeated = characters
        .windows(3)
        .any(|three| three.iter().all(|c| Some(c) == three.first()));
    let rules = [
        (
            characters.len() >= SHORTEST,
            "The password must be at least 10 characters long.",
        ),
        (
            !repeated,
            "The password may not contain sequences of three or more repeated characters.",
        ),
        (
            has(char::is_lowercase),
            "The password must contain at least one lowercase letter.",
        ),
        (
            has(char::is_uppercase),
            "The password must contain at least one uppercase letter.",
        ),
        (
            has(char::is_numeric),
            "The password must contain at least one number.",
        ),
        (
            has(|c| !c.is_alphanumeric()),
            "The password must contain at least one special character.",
        ),
    ];
    rules
        .into_iter()
        .filter_map(|(holds, message)| (!holds).then_some(message))
        .collect()
}

/// The hash of a password as a PHC string, made with Argon2id. Slow on purpose: not for threads
/// that answer requests.
pub fn hash(password: &str, salt: &[u8; 16]) -> Result<String, Error> {
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), salt);
    match hash {
        Ok(hash) => Ok(hash.to_string()),
        Err(error) => Err(Error::internal(format!(
            "a password could not be hashed: {error}"
        ))),
    }
}

/// A password that is good enough and that nobody can guess.
pub fn draw() -> Result<String, Error> {
    /// Letters and digits that are not mistaken for each other.
    const SIGNS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0_u8; 24];
    loop {
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        let signs = bytes.iter().map(|byte| SIGNS.get(usize::from(byte % 32)));
        let text: String = signs.flatten().map(|sign| char::from(*sign)).collect();
        let password = format!("{text}-V1");
        if problems(&password).is_empty() {
            return Ok(password);
        }
    }
}

/// What is checked where nobody of a name has a password, so that it takes as long: the hash of a random
/// password that nobody knows any more.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$CQkJCQkJCQkJCQkJCQkJCQ$oDC99GYaekHoNtWrc0jTA6yJpuMnjg95mcuFS5iPSJc";

/// Whether a password is the one that was hashed; none is where nothing was. Slow on purpose: not for
/// threads that answer requests.
pub(crate) fn is_right(password: &str, kept: Option<&str>) -> bool {
    let matches = PasswordHash::new(kept.unwrap_or(NOBODYS)).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    });
    matches && kept.is_some()
}

#[cfg(test)]
mod tests {
    use argon2::{Argon2, PasswordHash, PasswordVerifier};

    use super::*;

    #[test]
    fn every_rule_a_password_breaks_is_named() {
        assert!(problems("Xy7!pqRstuvw9").is_empty());
        assert_eq!(problems("").len(), 5);
        assert_eq!(
            problems("Aa1!aaaaaaaaaa"),
            ["The password may not contain sequences of three or more repeated characters."]
        );
        assert_eq!(
            problems("Xy7!pq"),
            ["The password must be at least 10 characters long."]
        );
    }

    #[test]
    fn what_stands_in_for_a_missing_password_costs_as_much_as_one() {
        let parameters = |text: &str| text.rsplitn(3, '$').nth(2).map(str::to_owned);
        let fresh = hash("Xy7!pqRstuvw9", &[7; 16]).unwrap();
        assert_eq!(parameters(NOBODYS), parameters(&fresh));
        assert_eq!(NOBODYS.len(), fresh.len());
        assert!(PasswordHash::new(NOBODYS).is_ok());
        assert!(!is_right("", None));
    }

    #[test]
    fn a_hash_knows_its_password_and_no_other() {
        let text = hash("Xy7!pqRstuvw9", &[7; 16]).unwrap();
        assert!(text.starts_with("$argon2id$"), "{text}");
        let kept = PasswordHash::new(&text).unwrap();
        assert!(Argon2::default().verify_password(b"Xy7!pqRstuvw9", &kept).is_ok());
        assert!(
            Argon2::default()
                .verify_password(b"Xy7!pqRstuvw8", &kept)
                .is_err()
        );
        assert_ne!(text, hash("Xy7!pqRstuvw9", &[8; 16]).unwrap());
    }
}
