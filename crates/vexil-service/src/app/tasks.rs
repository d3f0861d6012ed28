//! What the server does by itself, again and again: each on a thread of its own, so that nothing that people
//! ask for keeps it from that.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use vexil_metrics::Retention;
use vexil_store::StoreError;

use super::stop::Stop;
use super::usage_folding;
use crate::app::App;
use crate::operations::change_requests::apply_due;
use crate::operations::lifetimes::mark_aged;
use crate::operations::{Error, chain};

/// How often other servers' commits are looked for.
const FOLLOW: Duration = Duration::from_millis(200);
/// How often it is looked whether what is written would be found again.
const CHECK: Duration = Duration::from_secs(1);
/// How often scheduled change requests are looked at.
const SCHEDULES: Duration = Duration::from_secs(1);
/// How often it is looked which flags have become older than expected.
const AGES: Duration = Duration::from_secs(10);
/// How often it is stored who was seen.
const SEEN: Duration = Duration::from_secs(5);
/// How often those who listen hear that somebody is there: SDKs give up after a minute.
const BEAT: Duration = Duration::from_secs(20);
/// How often large answers go that nobody has read for so long.
const LET_GO: Duration = Duration::from_secs(15);
/// How often usage that was reported is folded.
const FOLD: Duration = Duration::from_secs(1);
/// How often old usage becomes coarser, and goes in the end.
const TIDY: Duration = Duration::from_secs(60);
/// How often sessions, contexts and instances that are gone are deleted.
const PURGE: Duration = Duration::from_secs(10 * 60);

/// Everything that runs in the background. It ends when it is told to or this is dropped, each at the end of its
/// turn.
pub struct Background {
    stop: Arc<Stop>,
    threads: Vec<JoinHandle<()>>,
}

opaque!(Background);

impl Background {
    /// Starts it all.
    #[must_use]
    pub fn start(app: &App, retention: Retention) -> Self {
        let stop = Arc::new(Stop::default());
        let all = of_edits().into_iter().chain(of_people());
        let all = all.chain(of_usage(retention, &stop));
        Self {
            threads: all.filter_map(|task| task.spawn(app.clone(), &stop)).collect(),
            stop,
        }
    }

    /// Tells it to end, without waiting.
    pub fn tell_to_end(&self) {
        self.stop.tell();
    }

    /// Waits until nothing of it runs any more.
    pub fn ended(mut self) {
        self.stop.tell();
        for thread in self.threads.drain(..) {
            // one that broke off has ended too
            let _ = thread.join();
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.tell();
    }
}

/// A turn of it; what went wrong is for the log.
type Work = Box<dyn Fn(&App) -> Result<(), String> + Send>;

/// Something that is done again and again.
struct Task {
    /// What its thread is called.
    name: &'static str,
    period: Duration,
    /// What it does, for the log.
    doing: &'static str,
    work: Work,
}

impl Task {
    fn new(
        name: &'static str,
        period: Duration,
        doing: &'static str,
        work: impl Fn(&App) -> Result<(), String> + Send + 'static,
    ) -> Self {
        Self {
            name,
            period,
            doing,
            work: Box::new(work),
        }
    }

    /// The same where it is due by the time and cannot be undone: not while the clock is ahead.
    fn by_the_clock(self) -> Self {
        let work = self.work;
        Self {
            work: Box::new(move |app| {
                app.check_clock().map_err(|error| chain(&error))?;
                work(app)
            }),
            ..self
        }
    }

    /// Does it on a thread of its own, now and then every period. The next turn tries again what failed; the log hears
    /// of it when it begins and when it is over, not at each turn.
    fn spawn(self, app: App, stop: &Arc<Stop>) -> Option<JoinHandle<()>> {
        let Self {
            name,
            period,
            doing,
            work,
        } = self;
        let stop = Arc::clone(stop);
        let turns = move || {
            let mut failing = None;
            loop {
                let begun = Instant::now();
                let outcome = catch_unwind(AssertUnwindSafe(|| work(&app)))
                    .unwrap_or_else(|_| Err("it broke off".to_owned()));
                match (outcome, &failing) {
                    (Ok(()), None) => {}
                    (Ok(()), Some(_)) => {
                        tracing::warn!("succeeded again in {doing}");
                        failing = None;
                    }
                    (Err(cause), Some(known)) if cause == *known => {}
                    (Err(cause), _) => {
                        tracing::warn!(cause, "failed while {doing}; trying again");
                        failing = Some(cause);
                    }
                }
                if !stop.wait(period.saturating_sub(begun.elapsed())) {
                    return;
                }
            }
        };
        match thread::Builder::new().name(name.to_owned()).spawn(turns) {
            Ok(thread) => Some(thread),
            Err(error) => {
                tracing::error!(cause = chain(&error), "no thread for {doing}");
                None
            }
        }
    }
}

/// Edits: those of other servers, those that are due, and those who wait for them.
fn of_edits() -> [Task; 7] {
    [
        Task::new("following", FOLLOW, "taking over other servers' edits", |app| {
            app.follow().map_err(of_store)
        }),
        Task::new(
            "credentials",
            FOLLOW,
            "taking over whose access other servers changed",
            |app| app.follow_credentials().map_err(of_store),
        ),
        Task::new("store-check", CHECK, "looking after the database", |app| {
            app.shared.store.check().map_err(of_store)
        }),
        Task::new(
            "schedules",
            SCHEDULES,
            "applying scheduled change requests",
            |app| apply_due(app).map_err(of_operation),
        )
        .by_the_clock(),
        Task::new(
            "ages",
            AGES,
            "marking flags that are older than expected",
            |app| mark_aged(app).map_err(of_operation),
        )
        .by_the_clock(),
        Task::new(
            "keep-alive",
            BEAT,
            "telling those who listen that somebody is there",
            |app| {
                app.streams.bell.beat();
                Ok(())
            },
        ),
        Task::new("large-answers", LET_GO, "letting go of large answers", |app| {
            app.serving().let_go();
            Ok(())
        }),
    ]
}

/// Who was seen, and who is signed in.
fn of_people() -> [Task; 2] {
    [
        Task::new("seen", SEEN, "storing who was seen", |app| {
            store_seen(app).map_err(of_store)
        }),
        Task::new(
            "sign-in-purge",
            PURGE,
            "forgetting old sessions and contexts",
            |app| {
                app.recent_contexts.forget(app.now());
                let idle_since = app.now().saturating_sub(app.sign_in.options.idle);
                let purged = app.shared.store.purge_sign_ins(app.now(), idle_since);
                purged.map(drop).map_err(of_store)
            },
        )
        .by_the_clock(),
    ]
}

/// Usage, from what waits in memory to what is old.
fn of_usage(retention: Retention, stop: &Arc<Stop>) -> [Task; 4] {
    let [folding_stop, tidying_stop] = [(); 2].map(|()| Arc::clone(stop));
    [
        Task::new(
            "answer-counts",
            SEEN,
            "storing what front ends were answered",
            |app| app.store_answer_counts().map_err(of_operation),
        ),
        Task::new("usage-folding", FOLD, "folding usage", move |app| {
            let shared = &app.shared;
            usage_folding::fold(&*shared.store, &shared.numbers, &folding_stop).map_err(of_store)
        }),
        Task::new("usage-tidying", TIDY, "tidying usage", move |app| {
            let store = &*app.shared.store;
            usage_folding::tidy(store, app.now(), &retention, &tidying_stop).map_err(of_store)
        })
        .by_the_clock(),
        Task::new(
            "instance-purge",
            PURGE,
            "forgetting instances that are gone",
            move |app| {
                let gone = app.now().saturating_sub(retention.days);
                let purged = app.shared.store.purge_instances(gone);
                purged.map(drop).map_err(of_store)
            },
        )
        .by_the_clock(),
    ]
}

/// Stores when tokens, users and sessions were last seen.
fn store_seen(app: &App) -> Result<(), StoreError> {
    app.shared.seen.flush(&*app.shared.store)?;
    let sessions = app.sign_in.sessions.take_uses();
    if sessions.is_empty() {
        return Ok(());
    }
    app.shared.store.mark_sessions_seen(&sessions)
}

fn of_store(error: StoreError) -> String {
    chain(&error)
}

fn of_operation(error: Error) -> String {
    error.cause().unwrap_or_else(|| error.to_string())
}
