//! The file of a SQLite database: whether it is still the one that was opened.
//!
//! SQLite goes on writing to a file that was deleted or replaced, and says nothing: what it commits
//! is gone with the process.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use vexil_store::StoreError;

use crate::error::DbError;

/// The device and the number of a file, which tell it from all others that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        let metadata = std::fs::metadata(path).ok()?;
        Some(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    /// Elsewhere a file that is open cannot be deleted or replaced.
    #[cfg(not(unix))]
    fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok()?;
        Some(Self { device: 0, inode: 0 })
    }
}

/// The file of a database, and the write-ahead log beside it.
#[derive(Debug)]
pub(crate) struct DatabaseFile {
    path: PathBuf,
    log_path: PathBuf,
    /// What was there when the store was opened.
    opened: Identity,
    /// The log of the connection that writes. It stays as long as that connection is open.
    log: Mutex<Option<Identity>>,
}

impl DatabaseFile {
    /// The file at `path`, which was opened just now; `None` when it is gone already.
    pub(crate) fn new(path: &Path) -> Option<Self> {
        let mut log_path = path.as_os_str().to_owned();
        log_path.push("-wal");
        let file = Self {
            path: path.to_owned(),
            opened: Identity::of(path)?,
            log: Mutex::default(),
            log_path: log_path.into(),
        };
        file.writer_opened();
        Some(file)
    }

    /// Notes the log of a new connection that writes.
    pub(crate) fn writer_opened(&self) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = Identity::of(&self.log_path);
    }

    /// Checks that both files are still there. Takes two calls of the operating system.
    pub(crate) fn check(&self) -> Result<(), DbError> {
        let log = *self.log.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_file()?;
        if log.is_none() || Identity::of(&self.log_path) == log {
            Ok(())
        } else {
            Err(moved())
        }
    }

    /// Checks that the file is still there, whatever became of the log.
    pub(crate) fn check_file(&self) -> Result<(), DbError> {
        if Identity::of(&self.path) == Some(self.opened) {
            Ok(())
        } else {
            Err(moved())
        }
    }
}

fn moved() -> DbError {
    DbError::Refused(StoreError::Moved.into())
}
