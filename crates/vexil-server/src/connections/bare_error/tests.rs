use super::*;

const EMPTY: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\ndate: Sat, 28 Nov 2026 09:00:00 GMT\r\n\r\n";

fn answer(found: &Found) -> (String, serde_json::Value) {
    let text = String::from_utf8(found.text.clone()).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(&format!("content-length: {}\r\n", body.len())));
    (
        head.lines().next().unwrap().to_owned(),
        serde_json::from_str(body).unwrap(),
    )
}

#[test]
fn refusals_without_a_body_get_the_shape_of_all_errors() {
    for (status, line, name) in [
        ("400", "HTTP/1.1 400 Bad Request", "BadDataError"),
        ("408", "HTTP/1.1 408 Request Timeout", "RequestTimeoutError"),
        (
            "431",
            "HTTP/1.1 431 Request Header Fields Too Large",
            "HeaderFieldsTooLargeError",
        ),
    ] {
        let bytes = String::from_utf8(EMPTY.to_vec()).unwrap().replace("400", status);
        let found = find(bytes.as_bytes()).unwrap();
        assert_eq!(found.start, 0);
        let (first, body) = answer(&found);
        assert_eq!(first, line);
        assert_eq!(body["name"], name);
        for member in ["id", "message", "details"] {
            assert!(body.get(member).is_some(), "{member}");
        }
    }
}

#[test]
fn a_refusal_behind_an_answer_is_found_and_the_answer_left_alone() {
    let before = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
    let found = find(&[&before[..], EMPTY].concat()).unwrap();
    assert_eq!(found.start, before.len());
}

#[test]
fn answers_of_handlers_are_no_refusals() {
    for bytes in [
        &b"HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}"[..],
        b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 4",
        b"\r\n\r\n",
        b"",
    ] {
        assert!(find(bytes).is_none());
    }
}
