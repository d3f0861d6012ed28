//! The address of this server as people find it, and places on the network.

use std::net::{IpAddr, Ipv6Addr};

use actix_web::HttpRequest;
use actix_web::http::header::HOST;

use super::SignInOptions;
use super::cookie::is_secure;

/// The address under which whoever asks has found this server, the base path included: as it was set, else as the
/// request says. What is sent to others, such as e-mail, must not be made of what a request says.
pub(crate) fn own_address(request: &HttpRequest, options: &SignInOptions) -> String {
    let base = &options.base_path;
    if let Some(origin) = options.public_origin() {
        return format!("{origin}{base}");
    }
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let is_host = |host: &&str| {
        let mut bytes = host.bytes();
        !host.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte))
    };
    let host = host.filter(is_host).unwrap_or("localhost");
    let scheme = if is_secure(request, options) {
        "https"
    } else {
        "http"
    };
    format!("{scheme}://{host}{base}")
}

/// What counts as one place to guess from: an IPv4 address, or the network of an IPv6 address, of which
/// anybody has 2^64.
pub(crate) fn place_of(address: Option<IpAddr>) -> IpAddr {
    match address {
        Some(IpAddr::V6(address)) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        Some(address) => address,
        None => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_own_address_is_the_one_that_was_set_or_the_one_that_was_found() {
        let found = |host: &'static str| {
            TestRequest::default()
                .insert_header(("host", host))
                .to_http_request()
        };
        let options = SignInOptions::below("/flags");
        assert_eq!(
            own_address(&found("here:4242"), &options),
            "http://here:4242/flags"
        );
        assert_eq!(own_address(&found("a\"><b>"), &options), "http://localhost/flags");
        let set = options
            .with_public_url("https://flags.example.com/flags")
            .unwrap();
        assert_eq!(
            own_address(&found("evil.example"), &set),
            "https://flags.example.com/flags"
        );
    }

    #[test]
    fn a_network_of_ipv6_is_one_place() {
        let place = |text: &str| place_of(Some(text.parse().unwrap()));
        assert_eq!(place("2001:db8::1"), place("2001:db8::ffff:1"));
        assert_ne!(place("2001:db8::1"), place("2001:db8:0:1::1"));
        assert_ne!(place("203.0.113.9"), place("203.0.113.8"));
    }
}
