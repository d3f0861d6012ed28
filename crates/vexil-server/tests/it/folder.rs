//! A folder of its own for a test that runs the program with files.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A folder, empty at first, which goes with this value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("vexil-test-{}", uuid::Uuid::new_v4().simple()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// The path of a file in it, as an argument.
    pub fn path(&self, name: &str) -> String {
        self.join(name).to_string_lossy().into_owned()
    }

    /// Writes a file, and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.join(name), content).unwrap();
        self.path(name)
    }

    /// Writes a document, and gives the path of its file.
    pub fn json(&self, name: &str, content: &Value) -> String {
        self.file(name, content.to_string())
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}
