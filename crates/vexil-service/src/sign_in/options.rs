//! What an operator can set about signing in.

use time::Duration;

use crate::origin::normal;
use crate::proxies::Proxies;

/// What an operator can set about signing in.
#[derive(Debug, Clone)]
pub struct SignInOptions {
    /// After how much time without use a session ends.
    pub idle: Duration,
    /// After how much time a session ends, however much it is used.
    pub longest: Duration,
    /// The address under which browsers find the server, such as `https://flags.example.com`, without a
    /// slash at the end; `None` where only requests tell.
    public_url: Option<String>,
    /// The path under which everything is served; empty, or with a slash in front and none behind.
    pub base_path: String,
    /// The proxies that stand before the server and tell the address of the client.
    pub proxies: Proxies,
    /// Whether people may sign in with a password.
    pub passwords: bool,
}

impl Default for SignInOptions {
    /// 12 hours without use, 7 days at most; no proxy, no base path; with passwords.
    fn default() -> Self {
        Self {
            idle: Duration::hours(12),
            longest: Duration::days(7),
            public_url: None,
            base_path: String::new(),
            proxies: Proxies::default(),
            passwords: true,
        }
    }
}

/// The public address is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the address `{0}` must begin with `http://` or `https://` and have no path, such as `https://flags.example.com`"
)]
pub struct PublicUrlError(pub String);

impl SignInOptions {
    /// The usual options, below a base path.
    #[must_use]
    pub fn below(base_path: &str) -> Self {
        Self {
            base_path: base_path.to_owned(),
            ..Self::default()
        }
    }

    /// The same with a public address: a scheme and a host. A path at its end must be the base path.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn with_public_url(self, url: &str) -> Result<Self, PublicUrlError> {
        let unreadable = || PublicUrlError(url.to_owned());
        let trimmed = url.trim().trim_end_matches('/');
        let origin = trimmed.strip_suffix(&self.base_path).unwrap_or(trimmed);
        let is_for_pages = |origin: &String| origin.starts_with("http://") || origin.starts_with("https://");
        let origin = normal(origin).filter(is_for_pages).ok_or_else(unreadable)?;
        Ok(Self {
            public_url: Some(origin),
            ..self
        })
    }

    /// The scheme and host under which browsers find the server, where they were set.
    #[must_use]
    pub fn public_origin(&self) -> Option<&str> {
        self.public_url.as_deref()
    }

    /// Whether browsers reach the server over TLS for sure.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_origin()
            .is_some_and(|origin| origin.starts_with("https://"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        let read = |url: &str| {
            let options = SignInOptions {
                base_path: "/flags".to_owned(),
                ..SignInOptions::default()
            };
            let read = options.with_public_url(url).ok()?;
            read.public_origin().map(str::to_owned)
        };
        assert_eq!(
            read("https://Flags.example.com/"),
            Some("https://flags.example.com".to_owned())
        );
        assert_eq!(
            read("http://[::1]:4242/flags"),
            Some("http://[::1]:4242".to_owned())
        );
        assert_eq!(
            read("https://flags.example.com:443/flags"),
            Some("https://flags.example.com".to_owned())
        );
        for wrong in [
            "",
            "flags.example.com",
            "ftp://x",
            "https://",
            "https://x/y",
            "https://a@b",
            "javascript:x",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
