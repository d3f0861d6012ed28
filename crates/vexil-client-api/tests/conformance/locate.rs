//! Finds suites that are not part of this repository.

use std::env::var_os;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a suite may be.
pub(crate) struct Source {
    /// An environment variable that names its folder.
    pub(crate) variable: &'static str,
    /// Its folder from the root of the workspace.
    pub(crate) beside: &'static str,
    /// Its folder under the build directory.
    pub(crate) package: &'static str,
}

impl Source {
    /// The folder of the suite.
    ///
    /// Where it is not there, this says so, past what holds back the output of tests that pass, and gives `None`.
    /// Where nothing may be left out (`CI` is set, and `VEXIL_TESTS_MAY_SKIP` is not) that is a failure.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let target = var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let places = [
            var_os(self.variable).map(PathBuf::from),
            Some(root.join(self.beside)),
            Some(target.join(self.package)),
        ];
        let found = places.into_iter().flatten().find(|place| place.is_dir());
        if found.is_none() {
            let set = |name| var_os(name).is_some_and(|value| !value.is_empty());
            let message = format!(
                "LEFT OUT: {} is not set, and nothing is at {}; `cargo xtask test` fetches it",
                self.variable, self.beside
            );
            assert!(!set("CI") || set("VEXIL_TESTS_MAY_SKIP"), "{message}");
            // nothing is left to tell when even stderr is closed
            let _ = writeln!(std::io::stderr(), "{message}");
        }
        found.map(|folder| match folder.join("specifications") {
            inner if inner.is_dir() => inner,
            _ => folder,
        })
    }
}
