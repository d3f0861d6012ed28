//! The path under which everything is served.

/// Whether a text is nothing, or a path that everybody who asks for it writes in the same way: no clean-up of dots and
/// slashes and no percent code makes another of it, and no header of a cookie ends in it.
pub(crate) fn is_base_path(text: &str) -> bool {
    let segments = text.strip_prefix('/').map(|rest| rest.split('/'));
    text.is_empty() || segments.is_some_and(|mut segments| segments.all(is_segment))
}

/// Unreserved letters (RFC 3986, section 2.3), and not dots alone.
fn is_segment(text: &str) -> bool {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"-._~".contains(&letter);
    !matches!(text, "" | "." | "..") && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::is_base_path;

    #[test]
    fn a_base_path_is_one_that_can_be_asked_for() {
        for path in ["", "/flags", "/a/b", "/a.b/c-d_e~f", "/api", "/ui", "/...", "/4"] {
            assert!(is_base_path(path), "{path}");
        }
        for path in [
            "/", "flags", "/flags/", "//a", "/a//b", "/.", "/..", "/./a", "/a/..", "/a b", "/a%20b", "/%",
            "/é", "/a\tb", "/a?", "/a#b", "/{x}", "/a;b", "/a,b", "/a:b", "/a&b", "/a\"b", "/a\\b",
        ] {
            assert!(!is_base_path(path), "{path}");
        }
    }
}
