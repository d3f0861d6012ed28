use super::*;

/// A text of many lines, none like another.
fn lines(count: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|line| format!("{{\"line\":{line},\"square\":{}}}\n", line * line).into_bytes())
        .collect()
}

fn held(lines: &[Vec<u8>]) -> HeldText {
    let mut holder = TextHolder::default();
    lines.iter().for_each(|line| holder.take(line));
    holder.finish()
}

#[test]
fn a_short_text_is_held_as_it_is() {
    let lines = lines(100);
    let text = held(&lines);
    assert_eq!(text.short(), Some(lines.concat().as_slice()));
    assert_eq!(text.held(), lines.concat().len());
    let mut sent = Vec::new();
    text.write(&mut |piece| {
        sent.push(piece);
        true
    });
    assert_eq!(sent, [lines.concat()]);
}

#[test]
fn a_long_text_is_held_compressed_and_handed_on_in_pieces() {
    let lines = lines(200_000);
    let whole = lines.concat();
    let text = held(&lines);
    assert_eq!(text.short(), None);
    assert!(
        text.held() < whole.len() / 3,
        "{} of {}",
        text.held(),
        whole.len()
    );
    let mut sent = Vec::new();
    text.write(&mut |piece| {
        assert!(piece.len() <= PIECE && piece.capacity() <= 2 * PIECE);
        sent.extend(piece);
        true
    });
    assert!(sent == whole);
}

#[test]
fn nothing_is_handed_on_once_nobody_reads() {
    let mut pieces = 0;
    held(&lines(200_000)).write(&mut |_| {
        pieces += 1;
        pieces < 3
    });
    assert_eq!(pieces, 3);
}
