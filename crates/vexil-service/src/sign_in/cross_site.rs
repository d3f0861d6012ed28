//! Requests that another site makes a browser send: a cookie must not count for those.

use crate::origin::{is_of_host, normal};

/// What a request says of where it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestOrigin<'a> {
    /// The header `Sec-Fetch-Site`, which pages cannot set.
    pub fetch_site: Option<&'a str>,
    /// The header `Origin`, which pages cannot set.
    pub origin: Option<&'a str>,
    /// The header `Host`.
    pub host: Option<&'a str>,
    /// Whether the body is said to be JSON, which a form of another site cannot be.
    pub is_json: bool,
}

/// Whether a request that changes something comes from a page of this server, or from no page at all.
/// `public_origin` is the scheme and host that browsers know the server by, in the form in which they send it, where that is set.
#[must_use]
pub fn is_from_the_server_itself(request: &RequestOrigin<'_>, public_origin: Option<&str>) -> bool {
    if let Some(site) = request.fetch_site {
        return site == "same-origin";
    }
    let Some(origin) = request.origin else {
        return request.is_json;
    };
    let is_public = public_origin.is_some_and(|own| normal(origin).as_deref() == Some(own));
    // where a public address is set, the Host header, which a proxy may have changed, says nothing
    is_public || (public_origin.is_none() && request.host.is_some_and(|host| is_of_host(origin, host)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: RequestOrigin<'_> = RequestOrigin {
        fetch_site: None,
        origin: None,
        host: Some("flags.example.com"),
        is_json: true,
    };

    fn counts(request: RequestOrigin<'_>) -> bool {
        is_from_the_server_itself(&request, None)
    }

    #[test]
    fn only_what_the_browser_calls_the_same_origin_counts() {
        let said = |site| RequestOrigin {
            fetch_site: Some(site),
            ..PLAIN
        };
        assert!(counts(said("same-origin")));
        for site in ["same-site", "cross-site", "none", "", "SAME-ORIGIN"] {
            assert!(!counts(said(site)), "{site}");
        }
    }

    #[test]
    fn without_that_the_origin_must_be_the_server() {
        let said = |origin| RequestOrigin {
            origin: Some(origin),
            ..PLAIN
        };
        assert!(counts(said("https://flags.example.com")));
        assert!(counts(said("http://flags.example.com")));
        let with_port = RequestOrigin {
            host: Some("flags.example.com:80"),
            ..said("http://flags.example.com")
        };
        assert!(counts(with_port));
        for origin in [
            "null",
            "https://evil.example",
            "https://flags.example.com.evil.example",
            "https://flags.example.com:8443",
            "flags.example.com",
            "",
        ] {
            assert!(!counts(said(origin)), "{origin}");
        }
        let no_host = RequestOrigin {
            host: None,
            ..said("https://flags.example.com")
        };
        assert!(!counts(no_host));
    }

    #[test]
    fn a_public_address_is_the_only_one_that_counts() {
        let said = |origin| RequestOrigin {
            origin: Some(origin),
            ..PLAIN
        };
        let own = Some("https://flags.example.org");
        assert!(is_from_the_server_itself(&said("https://flags.example.org"), own));
        assert!(!is_from_the_server_itself(&said("http://flags.example.org"), own));
        assert!(!is_from_the_server_itself(
            &said("https://flags.example.com"),
            own
        ));
    }

    #[test]
    fn with_neither_only_json_counts() {
        assert!(counts(PLAIN));
        let form = RequestOrigin {
            is_json: false,
            ..PLAIN
        };
        assert!(!counts(form));
    }
}
