//! Clean-up that happens however a task ends: on return, on failure, on Ctrl-C, on `kill -9`.
//!
//! A shell waits for the end of a pipe that only this process holds, and then runs the clean-up.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use crate::outcome::Outcome;
use anyhow::Context;

/// Ignores the signals of the terminal, waits, and cleans up unless it is told that there is no need.
const SCRIPT: &str = r#"trap "" INT TERM HUP
read -r word && [ "$word" = disarm ] && exit 0
eval "$1""#;

/// A clean-up that is due once; dropping this runs it.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
}

impl Watchdog {
    /// Makes `clean_up`, a line of shell, due. `user` is who runs it (user and group number), else this user.
    pub(crate) fn new(clean_up: &str, user: Option<(u32, u32)>) -> Outcome<Watchdog> {
        let mut command = Command::new("sh");
        command
            .args(["-c", SCRIPT, "sh", clean_up])
            .current_dir("/")
            .stdin(Stdio::piped());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((user, group)) = user {
            command.uid(user).gid(group);
        }
        let shell = command.spawn().context("cannot start a shell for cleaning up")?;
        Ok(Watchdog { shell })
    }

    /// Makes the clean-up undue: what it would have cleaned is gone.
    pub(crate) fn disarm(mut self) -> Outcome {
        match &mut self.shell.stdin {
            Some(pipe) => pipe
                .write_all(b"disarm\n")
                .context("cannot stop the shell for cleaning up"),
            None => Ok(()),
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        if let Err(error) = self.shell.wait() {
            eprintln!("cleaning up: {error}");
        }
    }
}
