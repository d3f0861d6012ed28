use actix_web::http::header::{HeaderMap, HeaderValue, IF_NONE_MATCH};

use super::is_known;

fn known(headers: &[&'static str], tag: &str) -> bool {
    let mut map = HeaderMap::new();
    for header in headers {
        map.append(IF_NONE_MATCH, HeaderValue::from_static(header));
    }
    is_known(&map, tag)
}

#[test]
fn tags_are_compared_weakly_in_every_list_that_was_sent() {
    for tag in ["\"a\"", "W/\"a\""] {
        for headers in [
            &["\"a\""][..],
            &["W/\"a\""],
            &["\"b\" , W/\"a\""],
            &["\"b\"", "\"a\""],
            &["*"],
            &[" * "],
        ] {
            assert!(known(headers, tag), "{headers:?} {tag}");
        }
        for headers in [&[][..], &["a"], &[""], &["\"ab\""], &["\"b\""], &["w/\"a\""]] {
            assert!(!known(headers, tag), "{headers:?} {tag}");
        }
    }
}
