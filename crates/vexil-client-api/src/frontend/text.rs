//! JSON strings, most of which need no escaping.

/// Writes a JSON string.
pub(super) fn write_text(text: &str, out: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else if serde_json::to_writer(&mut *out, text).is_err() {
        // writing to memory does not fail, and any text can be written
        out.extend_from_slice(b"\"\"");
    }
}

/// Whether nothing needs to be escaped.
fn is_plain(text: &[u8]) -> bool {
    let (eights, rest) = text.as_chunks::<8>();
    let ends_plain = match text.last_chunk::<8>() {
        Some(last) => is_plain_eight(*last),
        None => rest
            .iter()
            .all(|byte| *byte >= b' ' && !matches!(byte, b'"' | b'\\')),
    };
    ends_plain && eights.iter().all(|eight| is_plain_eight(*eight))
}

/// The same of eight bytes: a byte from which something larger is taken away borrows, which sets its
/// highest bit. See <https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>.
#[inline]
fn is_plain_eight(bytes: [u8; 8]) -> bool {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let bytes = u64::from_le_bytes(bytes);
    let has_less = |bytes: u64, than: u8| bytes.wrapping_sub(EACH * u64::from(than)) & !bytes;
    let has = |byte: u8| has_less(bytes ^ (EACH * u64::from(byte)), 1);
    (has_less(bytes, b' ') | has(b'"') | has(b'\\')) & (EACH * 0x80) == 0
}

#[cfg(test)]
mod tests {
    use super::write_text;

    #[test]
    fn writes_what_serde_json_writes() {
        for letter in ('\0'..='\u{101}').chain(['€', '😀']) {
            for length in 0..20 {
                for place in 0..=length {
                    let mut text = "~ !#[]{}".repeat(3).get(..length).unwrap().to_owned();
                    text.insert(place, letter);
                    let mut written = Vec::new();
                    write_text(&text, &mut written);
                    assert_eq!(
                        String::from_utf8(written).unwrap(),
                        serde_json::to_string(&text).unwrap()
                    );
                }
            }
        }
    }
}
