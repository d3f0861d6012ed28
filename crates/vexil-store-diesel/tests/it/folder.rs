//! A folder that is gone when dropped.

#[cfg(feature = "sqlite")]
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(feature = "sqlite")]
pub(crate) struct Folder(PathBuf);

#[cfg(feature = "sqlite")]
impl Folder {
    pub(crate) fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("vexil-store-{}", unique_name()));
        std::fs::create_dir(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(feature = "sqlite")]
impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// A name that no other test has, of this process or another.
pub(crate) fn unique_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
