use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Waker};
use std::time::Duration;

use super::*;

const LONG: Duration = Duration::from_secs(60);

fn pool(threads: usize, waiting: usize) -> Pool {
    Pool::new(PoolSettings {
        name: "test",
        threads,
        waiting,
        suspended: 1,
    })
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().build().unwrap()
}

/// Polls once.
fn is_pending<F: Future + Unpin>(future: &mut F) -> bool {
    let mut context = Context::from_waker(Waker::noop());
    Pin::new(future).poll(&mut context).is_pending()
}

/// Begins work that goes on until the sender is dropped or used; returns once it has begun.
fn occupy(pool: &Pool) -> mpsc::Sender<()> {
    let (begun, begins) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    pool.start(move || {
        begun.send(()).unwrap();
        let _ = released.recv();
    })
    .unwrap();
    begins.recv().unwrap();
    release
}

#[test]
fn work_beyond_the_queue_is_refused_at_once() {
    let pool = pool(1, 1);
    let running = occupy(&pool);
    pool.start(|| ()).unwrap();
    assert_eq!(pool.start(|| ()), Err(NotDone::Full));
    drop(running);
    let answer = runtime().block_on(pool.run(LONG, |_| 7));
    // the place may not be free yet
    assert!(matches!(answer, Ok(7) | Err(NotDone::Full)));
}

#[test]
fn work_whose_turn_does_not_come_in_time_is_never_begun() {
    let pool = pool(1, 8);
    let running = occupy(&pool);
    let (tell, told) = mpsc::channel();
    let late = runtime().block_on(pool.run(Duration::from_millis(1), move |_| tell.send(()).unwrap()));
    assert_eq!(late, Err(NotDone::NotBegun));
    drop(running);
    assert_eq!(told.recv(), Err(mpsc::RecvError), "it was dropped");
}

#[test]
fn work_that_takes_too_long_is_told_to_stop_and_its_end_is_not_known() {
    let pool = pool(1, 8);
    let (tell, told) = mpsc::channel();
    // long enough for a thread that others keep waiting to begin
    let late = runtime().block_on(pool.run(Duration::from_millis(500), move |stop| {
        while stop.reason().is_none() {
            thread::yield_now();
        }
        tell.send(stop.reason()).unwrap();
    }));
    assert_eq!(late, Err(NotDone::NotEnded));
    assert_eq!(told.recv().unwrap(), Some(Reason::Late));
}

#[test]
fn work_that_nobody_waits_for_any_more_takes_no_place_and_is_told_to_stop() {
    let pool = pool(1, 1);
    runtime().block_on(async {
        let (tell, told) = mpsc::channel();
        let (begun, begins) = mpsc::channel();
        let mut running = Box::pin(pool.run(LONG, move |stop| {
            begun.send(()).unwrap();
            while stop.reason().is_none() {
                thread::yield_now();
            }
            tell.send(stop.reason()).unwrap();
        }));
        assert!(is_pending(&mut running));
        begins.recv().unwrap();
        let mut queued = Box::pin(pool.run(LONG, |_| ()));
        assert!(is_pending(&mut queued));
        assert_eq!(pool.run(LONG, |_| ()).await, Err(NotDone::Full));
        drop(queued);
        let mut next = Box::pin(pool.run(LONG, |_| 5));
        assert!(is_pending(&mut next));
        drop(running);
        assert_eq!(told.recv().unwrap(), Some(Reason::Cancelled));
        assert_eq!(next.await, Ok(5));
    });
}

#[test]
fn work_that_breaks_off_harms_no_other() {
    let pool = pool(1, 8);
    runtime().block_on(async {
        let broken: Result<(), _> = pool.run(LONG, |_| panic!("on purpose")).await;
        assert_eq!(broken, Err(NotDone::Broken));
        assert_eq!(pool.run(LONG, |_| 3).await, Ok(3));
    });
}

#[test]
fn a_thread_that_waits_gives_its_place_to_another() {
    let pool = pool(1, 8);
    let inner = pool.clone();
    let (tell, told) = mpsc::channel();
    let (answer, answered) = mpsc::channel();
    pool.start(move || {
        inner.while_waiting(|| told.recv()).unwrap();
        answer.send("first").unwrap();
    })
    .unwrap();
    // the first goes on only when the second, on a thread of its own, tells it to
    pool.start(move || tell.send(()).unwrap()).unwrap();
    assert_eq!(answered.recv().unwrap(), "first");
}
