//! Opening databases, and what is said when that fails.

use vexil_store_diesel::{OpenError, open};

#[test]
fn an_unknown_scheme_is_refused_by_naming_the_accepted_ones() {
    let error = open("mysql://root:secret@localhost/flags").unwrap_err();
    assert!(matches!(error, OpenError::UnknownScheme { .. }));
    let message = error.to_string();
    assert!(message.contains("`mysql:…`") && message.contains("sqlite:") && message.contains("postgres://"));
    assert!(!message.contains("secret"));
}

#[cfg(feature = "postgres")]
#[test]
fn a_server_that_is_not_there_is_an_error_without_the_password() {
    let error = open("postgres://vexil:secret@127.0.0.1:1/flags").unwrap_err();
    assert!(matches!(error, OpenError::Connect { .. }), "{error:?}");
    assert!(std::error::Error::source(&error).is_some());
    assert!(!format!("{error} {error:?}").contains("secret"));
}

/// libpq quotes what it cannot read.
#[cfg(feature = "postgres")]
#[test]
fn a_malformed_url_is_an_error_without_the_password() {
    for url in [
        "postgres://vexil:s3cret%@h/flags",
        "postgres://vexil:s3cret%zz@h/flags",
        "postgres://vexil:s3cret@[::1/flags",
        "postgres://vexil:s3cret@h:port/flags",
        "postgres://vexil:s3cret@h/flags?what=ever",
        "postgres://h/flags?user=vexil&password=s3cret%",
        "postgres://h/flags?password=s3cret=&x",
        "postgres://vexil:s3cret",
    ] {
        let error = open(url).unwrap_err();
        let told = format!("{error} {error:?} {:?}", std::error::Error::source(&error));
        assert!(!told.contains("s3cret"), "{told}");
    }
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use diesel::connection::SimpleConnection;
    use diesel::prelude::*;
    use vexil_store::{Commit, ConfigurationStore};

    use super::*;
    use crate::folder::Folder;

    #[test]
    fn a_missing_folder_is_named() {
        let folder = Folder::new();
        let missing = folder.path().join("not here");
        let error = open(&format!("sqlite:{}/flags.db", missing.display())).unwrap_err();
        assert!(
            matches!(&error, OpenError::NoFolder { folder } if *folder == missing),
            "{error:?}"
        );
        assert!(!missing.exists());
    }

    #[test]
    fn a_folder_is_no_database() {
        let folder = Folder::new();
        let error = open(&format!("sqlite:{}", folder.path().display())).unwrap_err();
        assert!(
            matches!(&error, OpenError::File { path, .. } if path == folder.path()),
            "{error:?}"
        );
    }

    /// SQLite says of all of these that it is unable to open the file, and names none.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_cannot_be_written_is_named_with_the_reason() {
        let folder = Folder::new();
        let loops = folder.path().join("loop.db");
        std::os::unix::fs::symlink(&loops, &loops).unwrap();
        let long = folder.path().join("x".repeat(300));
        for (file, reason) in [
            (folder.path(), "Is a directory"),
            (std::path::Path::new("/proc/flags.db"), "No such file"),
            (&loops, "Too many levels"),
            (&long, "File name too long"),
        ] {
            let error = open(&format!("sqlite:{}", file.display())).unwrap_err();
            let cause = std::error::Error::source(&error).unwrap().to_string();
            assert!(
                matches!(&error, OpenError::File { path, .. } if path == file) && cause.contains(reason),
                "{error:?}"
            );
            assert!(error.to_string().contains("name another"), "{error}");
        }
    }

    #[test]
    fn a_file_of_something_else_is_no_database() {
        let folder = Folder::new();
        let file = folder.path().join("letter.txt");
        std::fs::write(&file, "Dear Sir or Madam, ".repeat(100)).unwrap();
        let error = open(&format!("sqlite:{}", file.display())).unwrap_err();
        assert!(matches!(error, OpenError::NoDatabase { .. }), "{error:?}");
        assert!(std::fs::read_to_string(&file).unwrap().starts_with("Dear Sir"));
    }

    /// Whoever starts a server on such a file reads what to do about it.
    #[test]
    fn a_file_that_is_damaged_wherever_is_opened_or_refused_with_a_way_out() {
        let folder = Folder::new();
        let (file, url) = (
            folder.path().join("flags.db"),
            format!("sqlite:{}/flags.db", folder.path().display()),
        );
        let store = open(&url).unwrap();
        store.commit(&Commit::default()).unwrap();
        store.checkpoint().unwrap();
        drop(store);
        let whole = std::fs::read(&file).unwrap();
        let page = 4096;
        assert!(whole.len() > 20 * page && whole.len().is_multiple_of(page));
        let mut refused = 0;
        let mut try_with = |bytes: &[u8], what: &str| {
            for end in ["flags.db-wal", "flags.db-shm"] {
                let _not_there = std::fs::remove_file(folder.path().join(end));
            }
            std::fs::write(&file, bytes).unwrap();
            if let Err(error) = open(&url) {
                let has_way_out = matches!(
                    error,
                    OpenError::Damaged { is_file: true, .. } | OpenError::NoDatabase { .. }
                ) && error.to_string().contains("put back a copy");
                assert!(has_way_out, "{what}: {error:?}");
                refused += 1;
            }
        };
        for start in (0..whole.len()).step_by(page) {
            let mut bytes = whole.clone();
            bytes[start..start + page].fill(0x5a);
            try_with(&bytes, &format!("the page at {start}"));
            if start > 0 {
                try_with(&whole[..start], &format!("{start} bytes"));
            }
        }
        // the header: its name, the size of a page, the format of the schema
        for at in (0..18).chain(44..48) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            try_with(&bytes, &format!("the byte {at}"));
        }
        assert!(refused > 20, "{refused}");
    }

    #[test]
    fn several_processes_may_open_a_new_file_at_once() {
        let folder = Folder::new();
        let url = format!("sqlite:{}/flags.db", folder.path().display());
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| open(&url).unwrap().revision().unwrap());
            }
        });
    }

    #[test]
    fn a_file_written_by_a_later_version_is_refused_and_left_alone() {
        let folder = Folder::new();
        let url = format!("sqlite:{}/flags.db", folder.path().display());
        open(&url).unwrap().commit(&Commit::default()).unwrap();
        let file = folder.path().join("flags.db");
        let mut connection = SqliteConnection::establish(&file.to_string_lossy()).unwrap();
        connection
            .batch_execute("insert into __diesel_schema_migrations (version) values ('99991231000000')")
            .unwrap();
        let error = open(&url).unwrap_err();
        assert!(
            matches!(&error, OpenError::Newer { migration } if migration == "99991231000000"),
            "{error:?}"
        );
        connection
            .batch_execute("delete from __diesel_schema_migrations where version like '9999%'")
            .unwrap();
        assert_eq!(open(&url).unwrap().revision().unwrap().sequence, 1);
    }
}
