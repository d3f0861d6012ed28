//! Finds suites that are not part of this repository.

use std::env::var_os;
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
    /// Not finding it is a failure, unless `VEXIL_TESTS_MAY_SKIP=1` is set: then this says so and
    /// gives `None`.
    #[expect(
        clippy::disallowed_methods,
        clippy::print_stdout,
        reason = "a test finds its data by environment variables, and says loudly what it leaves out"
    )]
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
            let hint = format!("not found; set {} to its folder", self.variable);
            assert!(
                var_os("VEXIL_TESTS_MAY_SKIP").is_some_and(|it| it == "1"),
                "{}: {hint}",
                self.beside
            );
            println!("skipped: {}: {hint}", self.beside);
        }
        found.map(|folder| match folder.join("specifications") {
            inner if inner.is_dir() => inner,
            _ => folder,
        })
    }
}
