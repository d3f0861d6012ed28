//! A private PostgreSQL for one run of the tests: on loopback, on a random port, in a folder of its own.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::outcome::{Outcome, missing};
use crate::program::{find, read};
use crate::watchdog::Watchdog;
use anyhow::{Context, Error};

/// How a server that holds nothing worth keeping is made fast.
const SETTINGS: &str =
    "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200";

/// A running server; dropping this stops it and removes its files.
#[derive(Debug)]
pub(crate) struct Postgres {
    /// The URL of its database `postgres`.
    pub(crate) url: String,
    _watchdog: Watchdog,
}

impl Postgres {
    /// Starts a server with the newest PostgreSQL programs found in `PG_BIN`, in Debian's folders or in `PATH`.
    pub(crate) fn start() -> Outcome<Postgres> {
        let programs = programs().ok_or_else(|| {
            missing(
                "PostgreSQL's `initdb` and `pg_ctl` are not here: install PostgreSQL 13 or newer, or set PG_BIN",
            )
        })?;
        let folder = std::env::temp_dir().join(format!("vexil-postgres-{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let user = unprivileged_user(&folder)?;
        let data = folder.join("data");
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(programs.join(program));
            command.arg("-D").arg(&data).args(arguments).current_dir("/");
            if let Some((user, group)) = user {
                command.uid(user).gid(group);
            }
            read(&mut command)
        };
        let programs_text = programs.display();
        let clean_up = format!(
            "'{programs_text}/pg_ctl' -D '{0}/data' -m immediate -w stop; rm -rf '{0}'",
            folder.display()
        );
        let watchdog = Watchdog::new(&clean_up, user)?;
        run(
            "initdb",
            &[
                "-A",
                "trust",
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync",
            ],
        )?;
        let port = free_port()?;
        let options = format!("-h 127.0.0.1 -p {port} -k '{}' {SETTINGS}", folder.display());
        let log = folder.join("log");
        run(
            "pg_ctl",
            &["-w", "-s", "-o", &options, "-l", &log.to_string_lossy(), "start"],
        )?;
        Ok(Postgres {
            url: format!("postgres://postgres@127.0.0.1:{port}/postgres"),
            _watchdog: watchdog,
        })
    }

    /// Makes an empty database and gives back its URL.
    pub(crate) fn database(&self, name: &str) -> Outcome<String> {
        tell(&self.url, &format!("create database {name}"))?;
        let server = self.url.strip_suffix("postgres").unwrap_or(&self.url);
        Ok(format!("{server}{name}"))
    }

    /// Lets nobody read or write a table of a database for a while, and waits until that is over.
    pub(crate) fn stand_still(&self, database: &str, table: &str, time: Duration) -> Outcome {
        let seconds = time.as_secs_f64();
        tell(
            database,
            &format!(
                "begin; lock table {table} in access exclusive mode; select pg_sleep({seconds}); rollback"
            ),
        )
    }
}

/// Lets a database carry out a statement.
fn tell(url: &str, statement: &str) -> Outcome {
    let programs = programs().ok_or_else(|| Error::msg("PostgreSQL's programs are gone"))?;
    let mut command = Command::new(programs.join("psql"));
    read(command.args(["-q", "-d", url, "-c", statement])).map(drop)
}

/// A port on loopback that nothing listens on.
pub(crate) fn free_port() -> Outcome<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no free port on loopback")?;
    Ok(listener.local_addr().context("no free port on loopback")?.port())
}

/// The folder with `initdb` and `pg_ctl`.
fn programs() -> Option<PathBuf> {
    let named = std::env::var_os("PG_BIN").map(PathBuf::from);
    let installed = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let mut installed: Vec<(u32, PathBuf)> = installed
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse::<u32>().ok()?,
                entry.path().join("bin"),
            ))
        })
        .collect();
    installed.sort();
    let on_path = find("initdb").and_then(|file| file.parent().map(Path::to_path_buf));
    named
        .into_iter()
        .chain(installed.into_iter().rev().map(|(_, folder)| folder))
        .chain(on_path)
        .find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
}

/// `initdb` refuses to run as root: then the user `postgres` runs it, and owns `folder`.
fn unprivileged_user(folder: &Path) -> Outcome<Option<(u32, u32)>> {
    if fs::metadata(folder)
        .with_context(|| folder.display().to_string())?
        .uid()
        != 0
    {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").context("/etc/passwd")?;
    let numbers = users.lines().find_map(|line| {
        let mut fields = line.strip_prefix("postgres:")?.split(':').skip(1);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    });
    let (user, group) = numbers.ok_or_else(|| {
        missing("there is no user `postgres`, and PostgreSQL refuses to run as root: run as another user")
    })?;
    chown(folder, Some(user), Some(group)).with_context(|| folder.display().to_string())?;
    Ok(Some((user, group)))
}
