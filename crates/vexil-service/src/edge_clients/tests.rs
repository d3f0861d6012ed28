use time::macros::datetime;

use super::*;

const SECRET: &str = "koom8ceiGaeBee9Eivahweideimak4aV";
const NOW: OffsetDateTime = datetime!(2026-11-27 12:30:20 UTC);
const PATH: &str = "/edge/issue-token";

fn read(text: &str) -> Result<EdgeClients, EdgeClientsError> {
    let entries: Vec<String> = text.split(',').map(str::to_owned).collect();
    EdgeClients::read(&entries)
}

#[test]
fn clients_are_named_with_their_secrets() {
    let other = "A".repeat(64);
    assert_eq!(read("").unwrap().0.len(), 0);
    let clients = read(&format!("edge:{SECRET}, other:{other},")).unwrap();
    assert_eq!(clients.0.keys().collect::<Vec<_>>(), ["edge", "other"]);
    let refused = |text: &str, error| assert_eq!(read(text).unwrap_err(), error, "{text}");
    refused("edge", EdgeClientsError::Form(1));
    refused(&format!("edge:{SECRET},:{SECRET}"), EdgeClientsError::Form(2));
    for secret in [
        "",
        "short",
        &SECRET[1..],
        &format!("{SECRET}===="),
        &"ä".repeat(32),
        &"+/".repeat(32),
    ] {
        refused(
            &format!("edge:{secret}"),
            EdgeClientsError::Secret("edge".to_owned()),
        );
    }
    refused(
        &format!("edge:{SECRET},edge:{other}"),
        EdgeClientsError::Twice("edge".to_owned()),
    );
    let shown = format!("{clients:?}");
    assert!(!shown.contains(SECRET) && shown.contains("Key(…)"), "{shown}");
}

/// Worked out with `openssl dgst -sha256 -mac HMAC -macopt hexkey:…`.
#[test]
fn a_signature_is_over_method_path_time_nonce_and_the_digest_of_the_body() {
    let clients = read(&format!("enterprise-edge:{SECRET}")).unwrap();
    let body = br#"{"tokens":[{"environment":"development","projects":["*"]}]}"#;
    let head = SignedHead {
        authorization: Some("HMAC enterprise-edge:OGbq4co0uHh1caEqbGhJg5CR8W1htTiBlP1_4VYuqk4"),
        timestamp: Some("2026-11-27T12:30:20.123456789+00:00"),
        nonce: Some("000102030405060708090a0b0c0d0e0f"),
        content_sha256: Some("1447bc88b621ecb90ee0dd0c67d67f9fedf005f3154a258ce9e5272057dd3613"),
    };
    let checked = clients.check_head(head, &[PATH], NOW).unwrap();
    assert_eq!(
        clients.check_body(&checked, body, NOW).unwrap().id,
        "enterprise-edge"
    );
}

#[test]
fn digests_are_hexadecimal() {
    assert_eq!(read_hex(&"0a".repeat(32)), Some([10; 32]));
    assert_eq!(read_hex(&"0A".repeat(32)), Some([10; 32]));
    for text in [
        "",
        &"0".repeat(63),
        &"0".repeat(65),
        &"+1".repeat(32),
        &"ä".repeat(32),
        &"0g".repeat(32),
    ] {
        assert_eq!(read_hex(text), None, "{text}");
    }
}
