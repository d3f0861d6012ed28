//! The web pages in a real browser: Debian's Chromium, driven from Node.js, against servers of their own.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::built;
use crate::metadata::target_directory;
use crate::npm;
use crate::outcome::{Outcome, missing};
use crate::parity::Peer;
use crate::program::{find, root, run as run_program, run_beside};
use crate::report::Report;
use crate::server::{ADMIN_TOKEN, Server, fresh_folder};
use crate::unleash;
use anyhow::{Context, Error};

/// Files of tests that share a server, and what that server is told.
struct Suite {
    names: &'static [&'static str],
    told: &'static [(&'static str, &'static str)],
}

/// Files of tests that are told nothing of their own.
const fn suite(names: &'static [&'static str]) -> Suite {
    Suite { names, told: &[] }
}

/// All files of tests that need a browser: those that measure, one after another.
const MEASURED: &[Suite] = &[suite(&["looks", "weight", "first"]), suite(&["big"])];

/// The others, the longest first, as many at once as [`AT_ONCE`] says: pages mostly wait.
const SIDE_BY_SIDE: &[Suite] = &[
    Suite {
        names: &[UNLEASH, COMPARE],
        told: &[("UNLEASH_UI", "true")],
    },
    suite(&["usable"]),
    suite(&["hostile"]),
    suite(&["judge"]),
    Suite {
        names: &["states"],
        told: &[("PLAYGROUND_LIMIT", "5000")],
    },
    suite(&["walk"]),
    Suite {
        names: &["sign-on"],
        told: &[("SECRET_KEY", "0123456789abcdef0123456789abcdef")],
    },
];

/// How many browsers drive pages at once.
const AT_ONCE: usize = 2;

/// The same tasks here and in a real Unleash, which is not everywhere: done only when somebody names it.
const COMPARE: &str = "compare";

/// The tests with Unleash's own pages.
const UNLEASH: &str = "unleash";

/// Files of tests that need neither browser nor server.
const PURE: &[&str] = &["pure.test.mjs", "texts.test.mjs"];

/// Runs all of them, or those whose names are given, against the server of this workspace.
pub(crate) fn run(only: &[&str]) -> Outcome {
    let vexil = built::program()?;
    let mut report = Report::default();
    run_all(&vexil, only, &mut report);
    report.close()
}

/// The same with a server that is built. Goes on after a failure.
pub(crate) fn run_all(vexil: &Path, only: &[&str], report: &mut Report) {
    let Some(tests) = report.unless_missing("the web pages", Tests::install()) else {
        return;
    };
    if only.is_empty() {
        report.record(tests.types());
        report.record(tests.pure());
    }
    let Some(chromium) = report.unless_missing("the web pages in a browser", chromium()) else {
        return;
    };
    let browser = |suite: &Suite| {
        let wanted = suite.names.iter().filter(|name| match only {
            [] => **name != COMPARE,
            only => only.contains(name),
        });
        let wanted: Vec<&str> = wanted.copied().collect();
        if wanted.is_empty() {
            return Ok(());
        }
        tests.browser(vexil, &chromium, &wanted, suite.told)
    };
    for suite in MEASURED {
        report.record(browser(suite));
    }
    let queue = Mutex::new(SIDE_BY_SIDE.iter());
    let report = Mutex::new(report);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(suite) = lock(&queue).next() {
                    let outcome = browser(suite);
                    lock(&report).record(outcome);
                }
            });
        }
    });
}

/// What is behind the lock; nothing is left half done by a thread that panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The browser that the tests drive: the one that `CHROMIUM` names, else the one in `PATH`.
fn chromium() -> Outcome<PathBuf> {
    if let Some(path) = env::var_os("CHROMIUM") {
        return Ok(path.into());
    }
    find("chromium").ok_or_else(|| missing("`chromium` is not here: install Debian's package of that name"))
}

/// The tests, installed outside the source tree.
struct Tests {
    folder: PathBuf,
    node: PathBuf,
    /// A copy of the modules that Node.js takes for modules.
    sources: PathBuf,
}

impl Tests {
    fn install() -> Outcome<Self> {
        let node = find("node").ok_or_else(|| missing("`node` is not here: install Node.js 20 or newer"))?;
        let target = target_directory()?.join("xtask");
        let folder = npm::install(&root().join("ui-tests"), &target.join("ui-tests"))?;
        let sources = target.join("ui-sources");
        if sources.exists() {
            fs::remove_dir_all(&sources).with_context(|| sources.display().to_string())?;
        }
        copy(&root().join("crates/vexil-ui/ui"), &sources)?;
        fs::write(sources.join("package.json"), r#"{"type":"module"}"#)
            .with_context(|| sources.display().to_string())?;
        Ok(Self {
            folder,
            node,
            sources,
        })
    }

    /// Types, as comments say them.
    fn types(&self) -> Outcome {
        let config = serde_json::json!({
            "extends": self.folder.join("tsconfig.json"),
            "include": [self.sources.join("**/*.js")],
        });
        let file = self.folder.join("tsconfig.sources.json");
        fs::write(&file, config.to_string()).with_context(|| file.display().to_string())?;
        let mut command = Command::new(self.folder.join("node_modules/.bin/tsc"));
        run_program(command.arg("-p").arg(file))
    }

    fn pure(&self) -> Outcome {
        let mut command = self.command();
        run_program(command.args(["--test", "--test-reporter", "dot"]).args(PURE))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.node);
        command
            .current_dir(&self.folder)
            .env("VEXIL_UI_SOURCES", &self.sources)
            .env("VEXIL_FIXTURES", root().join("fixtures"));
        command
    }

    /// Files of tests against one fresh server.
    fn browser(&self, vexil: &Path, chromium: &Path, names: &[&str], told: &[(&str, &str)]) -> Outcome {
        let folder = fresh_folder(&target_directory()?, &format!("ui-{}", names.join("-")))?;
        let pictures = target_directory()?.join("xtask/ui-pictures");
        fs::create_dir_all(&pictures).with_context(|| pictures.display().to_string())?;
        let database = format!("sqlite:{}", folder.join("vexil.db").display());
        let server = Server::start_with(vexil, &database, &folder.join("vexil.log"), told)?;
        let mut failed = Vec::new();
        for name in names {
            let mut command = self.command();
            command.arg(format!("{name}.mjs"));
            command
                .env("VEXIL_URL", &server.url)
                .env("VEXIL_ADMIN_TOKEN", ADMIN_TOKEN)
                .env("VEXIL_KNOWN", folder.join("known.json"));
            command.env("VEXIL_PICTURES", &pictures).env("CHROMIUM", chromium);
            command.env("VEXIL_PROGRAM", vexil);
            if [UNLEASH, COMPARE].contains(name) {
                command.env("UNLEASH_PAGES", unleash::pages()?);
            }
            let peer = (*name == COMPARE).then(Peer::start).transpose()?;
            if let Some(peer) = &peer {
                let (admin, client) = (peer.admin(), peer.client());
                command
                    .env("PEER_URL", &admin.url)
                    .env("PEER_ADMIN_TOKEN", &admin.token);
                command.env("PEER_CLIENT_TOKEN", &client.token);
            }
            if run_beside(&mut command).is_err() {
                failed.push(*name);
            }
        }
        if failed.is_empty() {
            Ok(())
        } else {
            Err(Error::msg(format!("the pages fail: {}", failed.join(", "))))
        }
    }
}

/// Copies a folder with everything below it.
fn copy(from: &Path, to: &Path) -> Outcome {
    npm::copy_files(from, to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry.with_context(|| from.display().to_string())?;
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
