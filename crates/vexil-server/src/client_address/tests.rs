use actix_web::test::TestRequest;

use super::*;

fn request(headers: &[(&str, &str)]) -> HttpRequest {
    let mut request = TestRequest::default().peer_addr("192.0.2.1:5000".parse().unwrap());
    for header in headers {
        request = request.append_header(*header);
    }
    request.to_http_request()
}

fn vouched(trusted: &str, header: ForwardingHeader, headers: &[(&str, &str)]) -> String {
    let proxies = Proxies {
        trusted: Some(trusted.parse().unwrap()),
        header,
    };
    super::vouched(&proxies, &request(headers)).unwrap().to_string()
}

fn by_count(noted: &[&str], count: usize) -> String {
    let headers: Vec<_> = noted.iter().map(|value| ("x-forwarded-for", *value)).collect();
    vouched(&count.to_string(), ForwardingHeader::XForwardedFor, &headers)
}

#[test]
fn only_what_trusted_proxies_have_noted_is_believed() {
    assert_eq!(by_count(&["203.0.113.9"], 0), "192.0.2.1");
    assert_eq!(by_count(&[], 1), "192.0.2.1");
    assert_eq!(by_count(&["198.51.100.7, 203.0.113.9"], 1), "203.0.113.9");
    let two = ["198.51.100.7", "203.0.113.9, 192.0.2.2"];
    assert_eq!(by_count(&two, 2), "203.0.113.9");
    assert_eq!(by_count(&["203.0.113.9"], 2), "192.0.2.1");
    assert_eq!(by_count(&["unknown"], 1), "192.0.2.1");
    // as long as nobody is trusted, sign-in believes nobody
    let nobody = super::vouched(
        &Proxies::default(),
        &request(&[("x-forwarded-for", "203.0.113.9")]),
    );
    assert_eq!(nobody.unwrap().to_string(), "192.0.2.1");
}

#[test]
fn proxies_may_be_told_by_their_networks() {
    let networks = "192.0.2.0/24, 2001:db8::7";
    let by = |noted| {
        vouched(
            networks,
            ForwardingHeader::XForwardedFor,
            &[("x-forwarded-for", noted)],
        )
    };
    assert_eq!(by("198.51.100.7, 203.0.113.9"), "203.0.113.9");
    assert_eq!(by("198.51.100.7, 203.0.113.9, 192.0.2.9"), "203.0.113.9");
    assert_eq!(by("203.0.113.9, 2001:db8::7, 192.0.2.9"), "203.0.113.9");
    assert_eq!(by("192.0.2.8, 192.0.2.9"), "192.0.2.8");
    // whom a proxy hides nobody can name
    assert_eq!(by("203.0.113.9, unknown"), "192.0.2.1");
    let elsewhere = vouched(
        "10.0.0.0/8",
        ForwardingHeader::XForwardedFor,
        &[("x-forwarded-for", "203.0.113.9")],
    );
    assert_eq!(elsewhere, "192.0.2.1");
}

#[test]
fn a_trusted_proxy_notes_in_one_header_and_the_other_is_made_up() {
    let both = [
        ("x-forwarded-for", "198.51.100.7"),
        ("forwarded", "for=203.0.113.9"),
    ];
    assert_eq!(
        vouched("1", ForwardingHeader::XForwardedFor, &both),
        "198.51.100.7"
    );
    assert_eq!(vouched("1", ForwardingHeader::Forwarded, &both), "203.0.113.9");
}

#[test]
fn addresses_are_read_as_proxies_write_them() {
    for (text, read) in [
        ("203.0.113.9", "203.0.113.9"),
        ("203.0.113.9:51008", "203.0.113.9"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("\"203.0.113.9\"", "203.0.113.9"),
        ("\"[2001:db8::1]:443\"", "2001:db8::1"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("unknown, 203.0.113.9", "203.0.113.9"),
        ("_hidden, , 203.0.113.9", "203.0.113.9"),
    ] {
        let read_here = of_front_end(&Proxies::default(), &request(&[("x-forwarded-for", text)]));
        assert_eq!(read_here.unwrap().to_string(), read, "{text}");
    }
    for (text, read) in [
        ("for=192.0.2.43", "192.0.2.43"),
        ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
        ("for=192.0.2.43;proto=http;by=203.0.113.43", "192.0.2.43"),
        (
            "proto=http; FOR = \"192.0.2.43:80\" ;by=203.0.113.43",
            "192.0.2.43",
        ),
        ("for=unknown, for=192.0.2.43", "192.0.2.43"),
        (
            "for=_gazonk, for=\"_SEVKISEK\", for=\"198.51.100.7:_port\"",
            "198.51.100.7",
        ),
        ("by=\"for=198.51.100.7,;\\\"x\";for=192.0.2.43", "192.0.2.43"),
        ("for=\"192\\.0.2.43\"", "192.0.2.43"),
    ] {
        let read_here = of_front_end(&Proxies::default(), &request(&[("forwarded", text)]));
        assert_eq!(read_here.unwrap().to_string(), read, "{text}");
    }
    for text in [
        "unknown",
        "",
        "1.2.3",
        "1.2.3.4:x",
        "[::1",
        "[::1]x",
        "999.1.1.1",
        "for=1.2.3.4",
    ] {
        let read_here = of_front_end(&Proxies::default(), &request(&[("x-forwarded-for", text)]));
        assert_eq!(read_here.unwrap().to_string(), "192.0.2.1", "{text}");
    }
}
