//! Makes the files that browsers get out of the sources in `ui/`: joins the modules of each page, compresses them, and
//! names them by their digest.

#[path = "join.rs"]
mod join;
#[path = "sources.rs"]
mod sources;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::sources::{Made, make};

/// How many hexadecimal digits of the digest the address of a file holds.
const DIGITS: usize = 16;

#[expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "cargo talks to a build script by the environment and by what it prints, and it ends when it cannot go on"
)]
fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let made = make(&folder).unwrap_or_else(|problem| panic!("{problem}"));
    let mut hash = Sha256::new();
    for file in &made.files {
        hash.update(file.name.as_bytes());
        hash.update(&file.text);
    }
    let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let code = table(&made, digest.get(..DIGITS).unwrap_or(&digest), &out);
    fs::write(out.join("files.rs"), code).expect("the folder for what is built can be written");
}

/// The table of files as Rust, beside which their bytes lie.
#[expect(
    clippy::expect_used,
    reason = "a build script ends when it cannot write what it makes"
)]
fn table(made: &Made, digest: &str, out: &Path) -> String {
    let mut code =
        format!("/// Tells this set of files from every other.\npub const DIGEST: &str = {digest:?};\n");
    code.push_str("const FILES: &[File] = &[\n");
    for file in &made.files {
        let forms = [
            ("", file.text.as_bytes().to_vec()),
            (".br", brotli(file.text.as_bytes())),
            (".gz", gzip(file.text.as_bytes())),
        ];
        let mut members = String::new();
        for ((suffix, bytes), member) in forms.iter().zip(["plain", "brotli", "gzip"]) {
            let name = format!("{}{suffix}", file.name);
            fs::write(out.join(&name), bytes).expect("the folder for what is built can be written");
            let _ = write!(
                members,
                "{member}: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")), "
            );
        }
        let _ = writeln!(code, "    File {{ name: {:?}, {members} }},", file.name);
    }
    code.push_str("];\nconst ROUTES: &[(&str, &str)] = &[\n");
    for (pattern, page) in &made.routes {
        let _ = writeln!(code, "    ({pattern:?}, {page:?}),");
    }
    code.push_str("];\n");
    code
}

#[expect(clippy::expect_used, reason = "writing to memory cannot fail")]
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 18,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters).expect("memory takes everything");
    compressed
}

#[expect(clippy::expect_used, reason = "writing to memory cannot fail")]
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}
