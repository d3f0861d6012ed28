use std::sync::{Mutex, mpsc};

use time::OffsetDateTime;
use time::macros::datetime;
use vexil_metrics::{Counts, Report, Retention};
use vexil_store::{FlagUsage, Reported, ReportedBy, StoreError};

use super::{Arc, Batch, Error, UsageStore, UsageWriter};

/// Keeps the batches it is given, each once the test lets it, or refuses them all.
struct Store {
    written: Mutex<Vec<Batch>>,
    turn: Mutex<mpsc::Receiver<Result<(), &'static str>>>,
}

impl Store {
    fn new() -> (Arc<Self>, mpsc::Sender<Result<(), &'static str>>) {
        let (turns, turn) = mpsc::channel();
        (
            Arc::new(Self {
                written: Mutex::default(),
                turn: Mutex::new(turn),
            }),
            turns,
        )
    }

    fn sizes(&self) -> Vec<usize> {
        self.written.lock().unwrap().iter().map(Batch::len).collect()
    }
}

impl UsageStore for Store {
    fn add_usage(&self, batch: &Batch) -> Result<(), StoreError> {
        let turn = self.turn.lock().unwrap().recv().unwrap();
        turn.map_err(|source| StoreError::Backend {
            doing: "testing",
            source: source.into(),
        })?;
        self.written.lock().unwrap().push(batch.clone());
        Ok(())
    }

    fn usage(&self, _: &FlagUsage) -> Result<Batch, StoreError> {
        unreachable!()
    }

    fn reported_by(&self, _: &Reported) -> Result<Vec<ReportedBy>, StoreError> {
        unreachable!()
    }

    fn purge_usage(&self, _: OffsetDateTime, _: &Retention) -> Result<u64, StoreError> {
        unreachable!()
    }
}

const NOW: OffsetDateTime = datetime!(2026-11-27 12:00 UTC);

/// A batch of two rows: a minute's and an hour's.
fn batch(flag: &str) -> Batch {
    let mut report = Report::new("app", "development", NOW, NOW);
    report.add(flag, Counts::new(1, 0));
    Batch::from(&report)
}

/// Lets everything that is ready run.
async fn settle() {
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_report_is_answered_once_it_is_written_and_not_before() {
    let (store, turns) = Store::new();
    let writer = UsageWriter::start(store.clone());
    let answer = tokio::spawn({
        let writer = writer.clone();
        async move { writer.submit(batch("a")).await }
    });
    settle().await;
    assert!(!answer.is_finished());
    turns.send(Ok(())).unwrap();
    assert!(answer.await.unwrap().is_ok());
    assert_eq!(store.sizes(), [2]);
}

#[tokio::test]
async fn reports_that_arrive_during_a_transaction_share_the_next_one() {
    let (store, turns) = Store::new();
    let writer = UsageWriter::start(store.clone());
    let send = |flag: &'static str| {
        let writer = writer.clone();
        tokio::spawn(async move { writer.submit(batch(flag)).await })
    };
    let mut answers = vec![send("first")];
    settle().await;
    for flag in ["b", "c", "d", "b"] {
        answers.push(send(flag));
    }
    settle().await;
    turns.send(Ok(())).unwrap();
    turns.send(Ok(())).unwrap();
    for answer in answers {
        assert!(answer.await.unwrap().is_ok());
    }
    assert_eq!(store.sizes(), [2, 6]);
}

#[tokio::test]
async fn everybody_in_a_group_that_fails_is_told_and_the_next_group_is_written() {
    let (store, turns) = Store::new();
    let writer = UsageWriter::start(store.clone());
    turns.send(Err("disk full")).unwrap();
    turns.send(Ok(())).unwrap();
    let refused = writer.submit(batch("a")).await;
    assert!(
        matches!(refused, Err(error @ Error::Unavailable { .. }) if error.cause().unwrap().contains("disk full"))
    );
    assert!(writer.submit(batch("b")).await.is_ok());
    assert_eq!(store.sizes(), [2]);
}

#[tokio::test]
async fn a_report_that_no_store_can_hold_is_refused_before_it_joins_a_group() {
    let (store, _turns) = Store::new();
    let writer = UsageWriter::start(store.clone());
    for flag in ["a\0b".to_owned(), "x".repeat(801)] {
        assert!(matches!(
            writer.submit(batch(&flag)).await,
            Err(Error::Invalid { .. })
        ));
    }
    assert!(store.sizes().is_empty());
}

#[tokio::test]
async fn finishing_writes_what_was_submitted_and_refuses_what_comes_later() {
    let (store, turns) = Store::new();
    let writer = UsageWriter::start(store.clone());
    let answers: Vec<_> = ["a", "b", "c"]
        .into_iter()
        .map(|flag| {
            let writer = writer.clone();
            tokio::spawn(async move { writer.submit(batch(flag)).await })
        })
        .collect();
    settle().await;
    for _ in 0..3 {
        turns.send(Ok(())).unwrap();
    }
    writer.finish().await;
    assert_eq!(store.sizes().iter().sum::<usize>(), 6);
    for answer in answers {
        assert!(answer.await.unwrap().is_ok());
    }
    assert!(matches!(
        writer.submit(batch("late")).await,
        Err(Error::Unavailable { .. })
    ));
    writer.finish().await;
}

#[tokio::test]
async fn a_report_of_nothing_needs_no_transaction() {
    let (store, _turns) = Store::new();
    assert!(
        UsageWriter::start(store.clone())
            .submit(Batch::default())
            .await
            .is_ok()
    );
    assert!(store.sizes().is_empty());
}
