//! What the server does by itself, again and again.

use std::time::Duration;

use tokio::task::JoinHandle;
use vexil_metrics::Retention;

use crate::app::App;
use crate::operations::chain;
use crate::operations::change_requests::apply_due;

/// How often other servers' commits are looked for.
const REFRESH: Duration = Duration::from_secs(1);
/// How often scheduled change requests are looked at.
const SCHEDULES: Duration = Duration::from_secs(1);
/// How often old usage counts, and instances that are gone, are deleted.
const PURGE: Duration = Duration::from_secs(10 * 60);

/// How often it is written down who and what was seen.
const SEEN: Duration = Duration::from_secs(5);

/// Starts everything that runs in the background. It ends when the handles are aborted.
pub(crate) fn start(app: &App, retention: Retention) -> Vec<JoinHandle<()>> {
    let refresh = app.clone();
    let schedules = app.clone();
    let purge = app.clone();
    let forget = app.clone();
    let seen = app.clone();
    let sessions = app.clone();
    vec![
        every(REFRESH, "taking over other servers' edits", move || {
            refresh.refresh().map_err(|e| e.to_string())
        }),
        every(SCHEDULES, "applying scheduled change requests", move || {
            apply_due(&schedules).map_err(|e| e.to_string())
        }),
        every(PURGE, "deleting old usage counts", move || {
            let now = purge.now();
            purge
                .store()
                .purge_usage(now, &retention)
                .map(drop)
                .map_err(|e| chain(&e))
        }),
        every(SEEN, "noting who was seen", move || note_seen(&seen)),
        every(PURGE, "forgetting old sessions", move || {
            let now = sessions.now();
            let idle_since = now.saturating_sub(sessions.sign_in.options.idle);
            sessions
                .store()
                .purge_sign_ins(now, idle_since)
                .map(drop)
                .map_err(|e| chain(&e))
        }),
        every(PURGE, "forgetting instances that are gone", move || {
            let gone = forget.now().saturating_sub(retention.hours);
            forget
                .store()
                .purge_instances(gone)
                .map(drop)
                .map_err(|e| chain(&e))
        }),
    ]
}

/// Writes down when sessions were last used.
fn note_seen(app: &App) -> Result<(), String> {
    let sessions = app.sign_in.sessions.take_uses();
    if sessions.is_empty() {
        return Ok(());
    }
    app.store().mark_sessions_seen(&sessions).map_err(|e| chain(&e))
}

/// Runs `work` on a thread that may block, now and then every `period`. A failure is logged, and
/// the next turn tries again.
fn every(
    period: Duration,
    doing: &'static str,
    work: impl Fn() -> Result<(), String> + Clone + Send + 'static,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut turns = tokio::time::interval(period);
        turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            turns.tick().await;
            match tokio::task::spawn_blocking(work.clone()).await {
                Ok(Ok(())) => {}
                Ok(Err(cause)) => tracing::warn!(cause, "failed while {doing}; trying again later"),
                Err(cause) => tracing::error!(%cause, "broke off while {doing}; trying again later"),
            }
        }
    })
}
