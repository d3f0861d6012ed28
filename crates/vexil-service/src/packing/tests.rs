use std::io::Read;

use flate2::read::GzDecoder;

use super::GzipPieces;

#[test]
fn what_comes_in_pieces_is_one_text_again() {
    // a text that hardly compresses, so that several pieces are handed on, and one that does
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut pieces: Vec<Vec<u8>> = (0..20).map(|_| (0..50_000).map(|_| next()).collect()).collect();
    pieces.extend([Vec::new(), vec![b'a'; 100_000], vec![b'z']]);
    let mut packer = GzipPieces::default();
    let mut sent: Vec<Vec<u8>> = pieces.iter().filter_map(|piece| packer.write(piece)).collect();
    assert!(!sent.is_empty(), "something is handed on before the end");
    sent.push(packer.finish());
    let mut told = Vec::new();
    GzDecoder::new(sent.concat().as_slice())
        .read_to_end(&mut told)
        .unwrap();
    assert!(told == pieces.concat());
}
