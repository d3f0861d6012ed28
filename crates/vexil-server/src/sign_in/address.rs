//! The address of this server as people find it.

use actix_web::HttpRequest;
use actix_web::http::header::HOST;
use vexil_service::sign_in::SignInOptions;

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
}
