//! Which of the kept forms of a file a browser gets.

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Identity,
    /// Brotli (RFC 7932).
    Brotli,
    /// Gzip (RFC 1952).
    Gzip,
}

impl Encoding {
    /// The name in `Content-Encoding`; none for a file as it is.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
        }
    }

    /// The smallest form that an `Accept-Encoding` header (RFC 9110, 12.5.3) allows.
    #[must_use]
    pub fn best(accept_encoding: &str) -> Self {
        if accepts(accept_encoding, "br") {
            Self::Brotli
        } else if accepts(accept_encoding, "gzip") {
            Self::Gzip
        } else {
            Self::Identity
        }
    }
}

/// Whether a header allows a coding: by name, else by `*`, with a weight above 0.
fn accepts(header: &str, coding: &str) -> bool {
    let weight_of = |wanted: &str| {
        header.split(',').find_map(|part| {
            let mut pieces = part.split(';').map(str::trim);
            let name = pieces.next()?;
            let weight =
                pieces.find_map(|piece| piece.strip_prefix("q=").or_else(|| piece.strip_prefix("Q=")));
            let weight = weight.map_or(1.0, |text| text.parse::<f32>().unwrap_or(0.0));
            name.eq_ignore_ascii_case(wanted).then_some(weight)
        })
    };
    weight_of(coding)
        .or_else(|| weight_of("*"))
        .is_some_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::Encoding::{self, Brotli, Gzip, Identity};

    #[test]
    fn the_smallest_form_that_is_allowed_is_sent() {
        for (header, expected) in [
            ("", Identity),
            ("gzip, deflate, br, zstd", Brotli),
            ("gzip", Gzip),
            ("BR", Brotli),
            ("br;q=0, gzip;q=0.1", Gzip),
            ("br; q=0.000 , *;q=0.5", Gzip),
            ("*", Brotli),
            ("*;q=0", Identity),
            ("identity", Identity),
            ("gzip;q=nonsense", Identity),
            ("brotli", Identity),
        ] {
            assert_eq!(Encoding::best(header), expected, "{header}");
        }
    }
}
