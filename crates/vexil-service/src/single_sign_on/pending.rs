//! A sign-in that was sent to the provider and has not come back: what the browser keeps until then.

use time::{Duration, OffsetDateTime};

use crate::operations::Error;
use crate::sign_in::Secret;

/// How long somebody may take at the provider.
pub const PATIENCE: Duration = Duration::minutes(10);

/// A sign-in that was sent to the provider, as the browser keeps it in a cookie. It ties the answer to the
/// browser that asked.
#[derive(Debug, Clone)]
pub struct Pending {
    /// What the answer must repeat.
    pub state: Secret,
    /// What the provider must sign.
    pub(crate) nonce: Secret,
    /// What proves to the provider that the code was asked for here.
    pub(crate) verifier: Secret,
    /// When it was sent.
    pub(crate) started_at: OffsetDateTime,
    /// The page to go on to.
    pub page: String,
}

impl Pending {
    /// A new one.
    ///
    /// # Errors
    ///
    /// When the machine has no random numbers.
    pub fn new(now: OffsetDateTime, page: &str) -> Result<Self, Error> {
        Ok(Self {
            state: Secret::random()?,
            nonce: Secret::random()?,
            verifier: Secret::random()?,
            started_at: now,
            page: page.to_owned(),
        })
    }

    /// The value of its cookie.
    #[must_use]
    pub fn text(&self) -> String {
        let page: String = self.page.bytes().map(|byte| format!("{byte:02x}")).collect();
        let (state, nonce, verifier) = (self.state.text(), self.nonce.text(), self.verifier.text());
        format!(
            "{state}.{nonce}.{verifier}.{}.{page}",
            self.started_at.unix_timestamp()
        )
    }

    /// What a cookie holds, if it is one and not too old.
    #[must_use]
    pub fn read(text: &str, now: OffsetDateTime) -> Option<Self> {
        let mut parts = text.split('.');
        let mut secret = || Secret::read(parts.next()?);
        let (state, nonce, verifier) = (secret()?, secret()?, secret()?);
        let started_at = OffsetDateTime::from_unix_timestamp(parts.next()?.parse::<i64>().ok()?).ok()?;
        let page = String::from_utf8(unhex(parts.next()?)?).ok()?;
        let age = now - started_at;
        let is_whole = parts.next().is_none() && age >= Duration::ZERO - Duration::SECOND && age < PATIENCE;
        is_whole.then_some(Self {
            state,
            nonce,
            verifier,
            started_at,
            page,
        })
    }
}

/// The bytes that a text spells, two digits each.
pub(super) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok()))
        .collect();
    let digits = digits?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty()
        .then(|| pairs.iter().map(|[high, low]| high * 16 + low).collect())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-28 12:00 UTC);

    #[test]
    fn what_the_browser_keeps_is_read_back_for_ten_minutes() {
        let pending = Pending::new(NOW, "/ui/flags?q=größer").unwrap();
        let text = pending.text();
        assert!(
            text.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.'),
            "{text}"
        );
        let read = Pending::read(&text, NOW + PATIENCE - Duration::SECOND).unwrap();
        assert_eq!(read.text(), text);
        assert_eq!(read.page, "/ui/flags?q=größer");
        assert!(Pending::read(&text, NOW + PATIENCE).is_none());
        assert!(Pending::read(&text, NOW - Duration::MINUTE).is_none());
    }

    #[test]
    fn anything_else_is_nothing() {
        let text = Pending::new(NOW, "/").unwrap().text();
        for broken in [
            "",
            ".",
            "a.b.c.d.e",
            &text[1..],
            &format!("{text}.x"),
            &format!("{text}0"),
            &text.replace('.', ""),
        ] {
            assert!(Pending::read(broken, NOW).is_none(), "{broken}");
        }
    }
}
