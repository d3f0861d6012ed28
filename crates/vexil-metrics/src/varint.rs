//! Numbers and texts as bytes: seven bits a byte, the lowest first (LEB128); texts with their length before them.

use crate::{Count, Malformed};

/// Appends a number.
pub(crate) fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Appends a number that may be negative: those of small magnitude take few bytes (zigzag).
pub(crate) fn put_signed(number: i64, out: &mut Vec<u8>) {
    put_number(((number << 1) ^ (number >> 63)).cast_unsigned(), out);
}

/// Appends a text.
pub(crate) fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(u64::try_from(text.len()).unwrap_or(u64::MAX), out);
    out.extend_from_slice(text.as_bytes());
}

/// What has not been read yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes are left.
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    /// Further on, where so many bytes are left.
    pub(crate) fn with_left(self, left: usize) -> Result<Self, Malformed> {
        let passed = self.len().checked_sub(left).ok_or(Malformed)?;
        self.0.get(passed..).map(Self).ok_or(Malformed)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(first)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Malformed);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    pub(crate) fn signed(&mut self) -> Result<i64, Malformed> {
        let number = self.number()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    pub(crate) fn count(&mut self) -> Result<Count, Malformed> {
        self.number().map(Count::new)
    }

    pub(crate) fn bytes(&mut self, length: u64) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(length).map_err(|_too_long| Malformed)?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Malformed> {
        let length = self.number()?;
        let bytes = self.bytes(length)?;
        std::str::from_utf8(bytes).map_err(|_no_text| Malformed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number in any::<u64>(), signed in any::<i64>(), text in ".*") {
            let mut bytes = Vec::new();
            put_number(number, &mut bytes);
            put_signed(signed, &mut bytes);
            put_text(&text, &mut bytes);
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert_eq!(reader.signed(), Ok(signed));
            prop_assert_eq!(reader.text(), Ok(text.as_str()));
            prop_assert!(reader.is_empty());
        }
    }

    #[test]
    fn small_numbers_take_one_byte() {
        for (number, length) in [(0, 1), (127, 1), (128, 2), (u64::MAX, 10)] {
            let mut bytes = Vec::new();
            put_number(number, &mut bytes);
            assert_eq!(bytes.len(), length, "{number}");
        }
    }

    #[test]
    fn what_is_cut_off_or_too_large_is_malformed() {
        assert_eq!(Reader::new(&[0x80]).number(), Err(Malformed));
        assert_eq!(Reader::new(&[0xff; 11]).number(), Err(Malformed));
        assert_eq!(Reader::new(&[5, b'a']).text(), Err(Malformed));
        assert_eq!(Reader::new(&[1, 0xff]).text(), Err(Malformed));
    }
}
