//! In what form an answer is sent that is made once and kept.

/// In what form an answer is sent that is made once and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// As it is.
    Plain,
    /// gzip.
    Gzip,
    /// Brotli, for those who name it.
    Brotli,
    /// zstd, for those who name it and not Brotli.
    Zstd,
}

impl Coding {
    /// Its name in `Content-Encoding`; `None` where nothing was done to the text.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
            Self::Zstd => Some("zstd"),
        }
    }
}
