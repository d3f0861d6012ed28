use super::{is_of_host, normal};

#[test]
fn an_origin_has_one_form_however_it_is_written() {
    for (written, sent) in [
        ("https://shop.example.com", "https://shop.example.com"),
        ("HTTPS://Shop.Example.com", "https://shop.example.com"),
        ("https://shop.example.com:443", "https://shop.example.com"),
        ("http://shop.example.com:80", "http://shop.example.com"),
        ("http://shop.example.com:443", "http://shop.example.com:443"),
        ("https://shop.example.com:80", "https://shop.example.com:80"),
        ("https://shop.example.com:08443", "https://shop.example.com:8443"),
        ("http://[::1]", "http://[::1]"),
        ("http://[::1]:80", "http://[::1]"),
        ("http://[2001:DB8::1]:4242", "http://[2001:db8::1]:4242"),
        ("capacitor://localhost", "capacitor://localhost"),
        ("chrome-extension://abcdef", "chrome-extension://abcdef"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ] {
        assert_eq!(normal(written).as_deref(), Some(sent), "{written}");
    }
}

#[test]
fn what_no_browser_sends_is_no_origin() {
    for wrong in [
        "",
        "null",
        "shop.example.com",
        "https://",
        "https://:443",
        "https://x/",
        "https://x/y",
        "https://x?y",
        "https://x#y",
        "https://a@x",
        "https://*.x",
        "https://x y",
        "https://x\\y",
        "https://x\t",
        "https://x,https://y",
        "https://bücher.example",
        "https://x:",
        "https://x:65536",
        "https://x:+80",
        "https://x:http",
        "https://::1",
        "https://[::1",
        "https://[x]",
        "https://[::1]x",
        "://x",
        "1s://x",
        "h ttps://x",
    ] {
        assert_eq!(normal(wrong), None, "{wrong}");
    }
}

#[test]
fn a_host_may_be_named_with_the_usual_port_or_without_it() {
    for (origin, host) in [
        ("http://flags.example.com", "flags.example.com"),
        ("http://flags.example.com", "flags.example.com:80"),
        ("https://flags.example.com", "flags.example.com:443"),
        ("http://flags.example.com:80", "Flags.example.com"),
        ("http://flags.example.com:4242", "flags.example.com:4242"),
        ("http://[::1]", "[::1]:80"),
    ] {
        assert!(is_of_host(origin, host), "{origin} {host}");
    }
    for (origin, host) in [
        ("http://flags.example.com", "flags.example.com:443"),
        ("https://flags.example.com", "flags.example.com:80"),
        ("https://flags.example.com:8443", "flags.example.com"),
        ("https://flags.example.com", "flags.example.com:8443"),
        ("https://flags.example.com.evil.example", "flags.example.com"),
        ("ftp://flags.example.com", "flags.example.com"),
        ("null", "flags.example.com"),
        ("https://", ""),
        ("https://x", ""),
        ("flags.example.com", "flags.example.com"),
    ] {
        assert!(!is_of_host(origin, host), "{origin} {host}");
    }
}
