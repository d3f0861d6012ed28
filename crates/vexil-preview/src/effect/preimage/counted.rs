//! Eight letters that are counted through, the last one first.

/// Eight of some letters.
pub(super) struct Counted<'a> {
    letters: &'a [u8],
    /// Which bytes are letters.
    is_letter: [bool; 256],
    /// The letters by their numbers.
    numbers: [usize; 8],
    bytes: [u8; 8],
}

impl<'a> Counted<'a> {
    /// The first letter eight times.
    pub(super) fn new(letters: &'a [u8]) -> Self {
        let mut is_letter = [false; 256];
        for letter in letters {
            if let Some(is_one) = is_letter.get_mut(usize::from(*letter)) {
                *is_one = true;
            }
        }
        Self {
            letters,
            is_letter,
            numbers: [0; 8],
            bytes: [letters.first().copied().unwrap_or_default(); 8],
        }
    }

    /// How many times eight letters there are.
    pub(super) fn all(&self) -> u64 {
        (self.letters.len() as u64).saturating_pow(8)
    }

    pub(super) fn bytes(&self) -> [u8; 8] {
        self.bytes
    }

    pub(super) fn first(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.bytes;
        [a, b, c, d]
    }

    pub(super) fn last(&self) -> [u8; 4] {
        let [.., a, b, c, d] = self.bytes;
        [a, b, c, d]
    }

    /// Goes on to the next letters; whether the first four are others.
    pub(super) fn step(&mut self) -> bool {
        let all = self.numbers.iter_mut().zip(&mut self.bytes).enumerate().rev();
        for (place, (number, byte)) in all {
            *number += 1;
            if let Some(letter) = self.letters.get(*number) {
                *byte = *letter;
                return place < 4;
            }
            *number = 0;
            *byte = self.letters.first().copied().unwrap_or_default();
        }
        true
    }

    /// Whether each of four bytes is one of the letters.
    pub(super) fn are_letters(&self, bytes: [u8; 4]) -> bool {
        let is_letter = |byte: u8| self.is_letter.get(usize::from(byte)).copied().unwrap_or_default();
        bytes.into_iter().all(is_letter)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Counted;

    #[test]
    fn all_words_of_eight_letters_are_counted_through_once() {
        for letters in [&b"a"[..], b"xy", b"abc"] {
            let mut counted = Counted::new(letters);
            let count = (letters.len() as u64).pow(8);
            assert_eq!(counted.all(), count);
            let start = counted.bytes();
            assert_eq!(start, [letters[0]; 8]);
            let mut all = BTreeSet::new();
            for _ in 0..count {
                let (first, bytes) = (counted.first(), counted.bytes());
                assert_eq!([first, counted.last()].concat(), bytes);
                assert!(all.insert(bytes), "{bytes:?}");
                let is_other = counted.step();
                // behind the last word comes the first again
                assert_eq!(
                    is_other,
                    counted.first() != first || counted.bytes() == start,
                    "{bytes:?}"
                );
            }
            assert_eq!(counted.bytes(), start);
            assert!(all.iter().flatten().all(|letter| letters.contains(letter)));
            for byte in 0..=255 {
                let are = |place: usize| {
                    let mut bytes = [letters[0]; 4];
                    bytes[place] = byte;
                    counted.are_letters(bytes)
                };
                assert_eq!([0, 1, 2, 3].map(are), [letters.contains(&byte); 4]);
            }
        }
        assert_eq!(Counted::new(&[0; 256]).all(), u64::MAX);
    }
}
