//! The server under test, as a process of its own.

use std::fs::{self, File};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::http::Api;
use crate::outcome::Outcome;
use crate::postgres::free_port;
use crate::watchdog::Watchdog;
use anyhow::{Context, Error};

/// How long a server may take until it answers.
const START: Duration = Duration::from_secs(60);

/// How long it may take to end once it is asked to.
const END: Duration = Duration::from_secs(15);

/// The tokens that a server under test begins with.
pub(crate) const ADMIN_TOKEN: &str = "*:*.acceptance-admin-token";
pub(crate) const CLIENT_TOKEN: &str = "default:development.acceptance-client-token";
pub(crate) const FRONTEND_TOKEN: &str = "default:development.acceptance-frontend-token";

/// A running `vexil serve`; dropping this stops it.
#[derive(Debug)]
pub(crate) struct Server {
    /// `http://127.0.0.1:PORT`
    pub(crate) url: String,
    process: Child,
    watchdog: Option<Watchdog>,
}

impl Server {
    /// Starts `vexil serve` on a free port and waits until it is ready. `log` gets what it prints.
    pub(crate) fn start(vexil: &Path, database_url: &str, log: &Path) -> Outcome<Server> {
        Server::start_with(vexil, database_url, log, &[])
    }

    /// The same with further variables in its environment.
    pub(crate) fn start_with(
        vexil: &Path,
        database_url: &str,
        log: &Path,
        variables: &[(&str, &str)],
    ) -> Outcome<Server> {
        let port = free_port()?;
        let mut command = Command::new(vexil);
        command.arg("serve").env("DATABASE_URL", database_url);
        command
            .env("INIT_ADMIN_API_TOKENS", ADMIN_TOKEN)
            .env("INIT_CLIENT_API_TOKENS", CLIENT_TOKEN);
        command
            .env("INIT_FRONTEND_API_TOKENS", FRONTEND_TOKEN)
            .env("LOG_LEVEL", "info")
            .envs(variables.iter().copied());
        Server::spawn(command, port, log)
    }

    /// Starts `vexil demo` on a free port and waits until it is ready. `log` gets what it prints.
    pub(crate) fn demo(vexil: &Path, log: &Path) -> Outcome<Server> {
        let mut command = Command::new(vexil);
        command.arg("demo");
        // it is killed in the end, and its data stays where it put it
        command.envs(log.parent().map(|folder| ("TMPDIR", folder)));
        Server::spawn(command, free_port()?, log)
    }

    fn spawn(mut command: Command, port: u16, log: &Path) -> Outcome<Server> {
        let output = File::options()
            .create(true)
            .append(true)
            .open(log)
            .with_context(|| log.display().to_string())?;
        let complaints = output.try_clone().with_context(|| log.display().to_string())?;
        command
            .env("HTTP_HOST", "127.0.0.1")
            .env("HTTP_PORT", port.to_string())
            .env_remove("BASE_URI_PATH");
        command.stdin(Stdio::null()).stdout(output).stderr(complaints);
        let process = command.spawn().context("cannot start `vexil`")?;
        let watchdog = Some(Watchdog::new(&format!("kill {}", process.id()), None)?);
        let mut server = Server {
            url: format!("http://127.0.0.1:{port}"),
            process,
            watchdog,
        };
        server.wait_until_ready(port, log)?;
        Ok(server)
    }

    fn wait_until_ready(&mut self, port: u16, log: &Path) -> Outcome {
        let deadline = Instant::now() + START;
        while Instant::now() < deadline {
            if let Some(status) = self.process.try_wait().context("vexil")? {
                let said = fs::read_to_string(log).unwrap_or_default();
                return Err(Error::msg(format!("`vexil` ended at once ({status}):\n{said}")));
            }
            let answers = TcpStream::connect(("127.0.0.1", port)).is_ok()
                && self
                    .admin()
                    .call("GET", "/ready", None)
                    .is_ok_and(|answer| answer.status == 200);
            if answers {
                return Ok(());
            }
            sleep(Duration::from_millis(20));
        }
        Err(Error::msg(format!(
            "`vexil` was not ready after {} s; see {}",
            START.as_secs(),
            log.display()
        )))
    }

    /// The server, asked as an administrator.
    pub(crate) fn admin(&self) -> Api {
        Api {
            url: self.url.clone(),
            token: ADMIN_TOKEN.to_owned(),
        }
    }

    /// The server, asked as a backend SDK of the environment `development`.
    pub(crate) fn client(&self) -> Api {
        Api {
            url: self.url.clone(),
            token: CLIENT_TOKEN.to_owned(),
        }
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends the server as a power failure would.
    pub(crate) fn kill(mut self) -> Outcome {
        self.disarm()?;
        self.process.kill().context("cannot kill `vexil`")?;
        self.process.wait().context("vexil").map(|_| ())
    }

    /// Asks the server to finish, with SIGTERM, and waits for it.
    pub(crate) fn terminate(mut self) -> Outcome<ExitStatus> {
        drop(self.watchdog.take());
        let ended = self.wait_for_the_end()?;
        ended.ok_or_else(|| Error::msg(format!("SIGTERM did not end `vexil` within {} s", END.as_secs())))
    }

    fn wait_for_the_end(&mut self) -> Outcome<Option<ExitStatus>> {
        let deadline = Instant::now() + END;
        while Instant::now() < deadline {
            if let Some(status) = self.process.try_wait().context("vexil")? {
                return Ok(Some(status));
            }
            sleep(Duration::from_millis(20));
        }
        Ok(None)
    }

    fn disarm(&mut self) -> Outcome {
        self.watchdog.take().map_or(Ok(()), Watchdog::disarm)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.watchdog.take());
        let ended = matches!(self.wait_for_the_end(), Ok(Some(_)));
        if !ended && let Err(error) = self.process.kill().and_then(|()| self.process.wait()) {
            eprintln!("stopping vexil: {error}");
        }
    }
}

/// An empty folder below the target folder for the files of one task.
pub(crate) fn fresh_folder(target: &Path, name: &str) -> Outcome<PathBuf> {
    let folder = target.join("xtask").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(folder)
}
