//! How long anybody is waited for: the one place that hands out time.
//!
//! Whatever waits for a peer, for the database or for a thread takes its deadline from here, and waits by
//! [`within`]. `clippy.toml` of this crate and of the server bans other ways to wait.

use std::future::Future;
use std::time::Duration;

/// How long anybody is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Deadlines {
    /// For the head of a request, from its first byte on.
    pub head: Duration,
    /// For the next request on a connection.
    pub idle: Duration,
    /// For a whole request body.
    pub body: Duration,
    /// How many bytes of a body must arrive on average in each [`Deadlines::window`].
    pub body_bytes: u64,
    /// For a whole answer to be taken.
    pub answer: Duration,
    /// How many bytes of an answer must be taken in each [`Deadlines::window`] in which it waits for its reader.
    pub answer_bytes: u64,
    /// How often rates are looked at.
    pub window: Duration,
    /// For the database, for each call.
    pub store: Duration,
    /// For the database, where only that is asked whether it answers.
    pub check: Duration,
    /// For an edit, its turn included.
    pub edit: Duration,
    /// For the work that one question makes, its turn included.
    pub question: Duration,
    /// For requests in flight once the server was told to stop.
    pub shutdown: Duration,
    /// For the usage counts that wait to be written after that.
    pub flush: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            idle: Duration::from_secs(5),
            body: Duration::from_secs(30),
            body_bytes: 1 << 10,
            answer: Duration::from_secs(10 * 60),
            answer_bytes: 64 << 10,
            window: Duration::from_secs(4),
            store: Duration::from_secs(10),
            check: Duration::from_secs(3),
            edit: Duration::from_secs(10),
            question: Duration::from_secs(10),
            shutdown: Duration::from_secs(2),
            flush: Duration::from_secs(2),
        }
    }
}

/// What came out, unless it took longer.
#[expect(clippy::disallowed_methods, reason = "this is the place that hands out time")]
pub async fn within<T>(deadline: Duration, work: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(deadline, work).await.ok()
}

/// Listens from now on for being told to stop; what is returned ends when that happens.
pub fn told_to_stop() -> impl Future<Output = ()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut kinds = vec![
            SignalKind::terminate(),
            SignalKind::interrupt(),
            SignalKind::quit(),
        ];
        // the terminal is closed; whoever started it with `nohup` wants it to go on
        if !ignores(SignalKind::hangup()) {
            kinds.push(SignalKind::hangup());
        }
        let signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
        async {
            let told = signals
                .into_iter()
                .map(|mut signal| Box::pin(async move { signal.recv().await }));
            futures_util::future::select_all(told).await;
        }
    }
    #[cfg(not(unix))]
    async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "the server cannot be told to stop");
            std::future::pending::<()>().await;
        }
    }
}

/// Lets the process outlive a limit on the size of its files (`ulimit -f`, `LimitFSIZE`): what would go beyond it fails, as
/// on a full disk, and flags are served on.
pub fn outlive_file_limits() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        /// `SIGXFSZ` of Linux, macOS and the BSDs, for which there is no name here.
        const TOO_LARGE: i32 = 25;

        // once something listens, the signal ends no process any more
        if let Err(error) = signal(SignalKind::from_raw(TOO_LARGE)) {
            tracing::warn!(%error, "a limit on the size of files would end the server");
        }
    }
}

/// Whether the process was started so that it passes over a signal; where that is not known, it was.
#[cfg(unix)]
fn ignores(kind: tokio::signal::unix::SignalKind) -> bool {
    // a mask in hexadecimal, whose lowest bit is the signal 1; only Linux tells it
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (kind.as_raw_value() - 1) & 1 == 1)
}

/// Ends the process when the time is up, whatever it does then. What was acknowledged is stored already.
#[expect(clippy::disallowed_methods, reason = "this is the place that hands out time")]
pub fn exit_within(deadline: Duration) {
    let started = std::thread::Builder::new().name("end".to_owned()).spawn(move || {
        std::thread::sleep(deadline);
        tracing::warn!("the time to stop is up; what is not finished is given up");
        std::process::exit(0);
    });
    if let Err(error) = started {
        tracing::warn!(%error, "the time to stop has no end");
    }
}
