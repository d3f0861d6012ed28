//! The web pages of the server: files for browsers, compressed and named by their digest, and the shell that loads them.
//!
//! Nothing here is asked of the machine: files are part of the program, and what the shell tells is given to it.

mod encoding;
#[cfg(test)]
#[path = "../build/join.rs"]
mod join;
mod routes;
mod shell;
#[cfg(test)]
#[path = "../build/sources.rs"]
mod sources;
#[cfg(test)]
mod tests;

pub use encoding::Encoding;
pub use routes::page_of;
pub use shell::{POLICY, Shell, Theme, escaped, shell};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

struct File {
    name: &'static str,
    plain: &'static [u8],
    brotli: &'static [u8],
    gzip: &'static [u8],
}

/// A file as it goes to a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// Its media type.
    pub content_type: &'static str,
    /// How `bytes` are compressed.
    pub encoding: Encoding,
    /// What is sent.
    pub bytes: &'static [u8],
}

/// The file `name` in the best form that an `Accept-Encoding` header allows, if there is such a file.
#[must_use]
pub fn file(name: &str, accept_encoding: &str) -> Option<Asset> {
    let file = FILES.iter().find(|file| file.name == name)?;
    let encoding = Encoding::best(accept_encoding);
    let bytes = match encoding {
        Encoding::Brotli => file.brotli,
        Encoding::Gzip => file.gzip,
        Encoding::Identity => file.plain,
    };
    Some(Asset {
        content_type: content_type(name),
        encoding,
        bytes,
    })
}

/// The names of all files.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.name)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    }
}
