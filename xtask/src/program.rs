//! Running other programs and knowing where things lie.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::outcome::Outcome;
use anyhow::{Context, Error};

/// From how long on it is said what a program took.
const WORTH_SAYING: Duration = Duration::from_secs(5);

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// The folder with the peer server and the official cases, beside the workspace, where there is one.
pub(crate) fn shared() -> Option<PathBuf> {
    let folder = root().parent()?.join("shared");
    folder.is_dir().then_some(folder)
}

/// Whether nothing may be left out.
pub(crate) fn strict() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The first program of that name in `PATH`.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Says what is run, runs it, says how long it took where that is worth knowing, and fails when it fails.
pub(crate) fn run(command: &mut Command) -> Outcome {
    println!("$ {}", line(command));
    let start = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    let taken = start.elapsed();
    if taken >= WORTH_SAYING {
        println!("{} s: {}", taken.as_secs(), line(command));
    }
    ended(command, status)
}

fn ended(command: &Command, status: ExitStatus) -> Outcome {
    if status.success() {
        Ok(())
    } else {
        Err(Error::msg(format!("`{}` failed ({status})", line(command))))
    }
}

/// Runs a program beside others: what it writes is shown once it has ended, with what it took.
pub(crate) fn run_beside(command: &mut Command) -> Outcome {
    let start = Instant::now();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    println!(
        "$ {}\n{}{}{} s: {0}",
        line(command),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        start.elapsed().as_secs(),
    );
    ended(command, output.status)
}

/// Runs a program in silence and gives back what it wrote to its standard output.
pub(crate) fn read(command: &mut Command) -> Outcome<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    if output.status.success() {
        return String::from_utf8(output.stdout).with_context(|| format!("`{}`", line(command)));
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(Error::msg(format!(
        "`{}` failed ({}):\n{complaint}",
        line(command),
        output.status
    )))
}

/// A command as a person would type it; long ones are cut.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let words = std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy);
    let text = words.collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or(&text)),
        None => text,
    }
}
