use std::collections::BTreeSet;
use std::sync::{Mutex, mpsc};

use time::OffsetDateTime;
use time::macros::datetime;
use vexil_domain::FlagName;
use vexil_metrics::{Counts, Merge, Report, Retention, Rows};
use vexil_store::{
    Appended, Folding, LastSeen, Reported, ReportedBy, StoreError, UsageBatch, UsageQuery,
    check_usage_storable,
};

use super::{Arc, Error, Packed, ReportKey, UsageStore, UsageWriter};

/// What a test lets the store do with the next batch.
enum Turn {
    Store,
    /// Fail, whatever is in it.
    Fail,
    /// Say nothing, and have stored it or not.
    Unknown {
        stored: bool,
    },
}

/// Keeps the batches it is given, each once the test lets it.
#[derive(Default)]
struct Kept {
    batches: Vec<UsageBatch>,
    keys: BTreeSet<ReportKey>,
}

struct Store {
    kept: Mutex<Kept>,
    turns: Mutex<mpsc::Receiver<Turn>>,
}

impl Store {
    fn new() -> (Arc<Self>, mpsc::Sender<Turn>) {
        let (turns, received) = mpsc::channel();
        let store = Self {
            kept: Mutex::default(),
            turns: Mutex::new(received),
        };
        (Arc::new(store), turns)
    }

    /// The flags of each batch that was stored.
    fn stored(&self) -> Vec<Vec<String>> {
        let kept = self.kept.lock().unwrap();
        let flags = |batch: &UsageBatch| {
            let mut merge = Merge::default();
            merge.add(&batch.counts).unwrap();
            let rows = merge.into_rows();
            rows.iter()
                .map(|row| format!("{} {}", row.flag, row.yes))
                .collect()
        };
        kept.batches.iter().map(flags).collect()
    }

    fn store(&self, batch: &UsageBatch) -> Appended {
        let mut kept = self.kept.lock().unwrap();
        let same = |it: &UsageBatch| (it.writer, it.number) == (batch.writer, batch.number);
        if kept.batches.iter().any(same) {
            assert!(batch.again, "a number is used once");
            return Appended::Stored;
        }
        let known: Vec<ReportKey> = batch
            .keys
            .iter()
            .filter(|key| kept.keys.contains(key))
            .copied()
            .collect();
        if !known.is_empty() {
            return Appended::Known(known);
        }
        kept.keys.extend(&batch.keys);
        kept.batches.push(batch.clone());
        Appended::Stored
    }
}

fn unknown() -> StoreError {
    StoreError::UnknownOutcome {
        doing: "testing",
        source: "no answer".into(),
    }
}

impl UsageStore for Store {
    fn append_usage(&self, batch: &UsageBatch) -> Result<Appended, StoreError> {
        check_usage_storable(&batch.counts)?;
        let turn = self.turns.lock().unwrap().recv().unwrap();
        match turn {
            Turn::Store => Ok(self.store(batch)),
            Turn::Fail => Err(StoreError::Backend {
                doing: "testing",
                source: "broken".into(),
            }),
            Turn::Unknown { stored } => {
                if stored {
                    self.store(batch);
                }
                Err(unknown())
            }
        }
    }

    fn fold_usage(&self) -> Result<Folding, StoreError> {
        unreachable!()
    }

    fn tidy_usage(&self, _: OffsetDateTime, _: &Retention) -> Result<bool, StoreError> {
        unreachable!()
    }

    fn usage(&self, _: &UsageQuery) -> Result<Rows, StoreError> {
        unreachable!()
    }

    fn usage_and_applications(&self, _: &UsageQuery) -> Result<(Rows, BTreeSet<String>), StoreError> {
        unreachable!()
    }

    fn reported_by(&self, _: &Reported) -> Result<Vec<ReportedBy>, StoreError> {
        unreachable!()
    }

    fn last_seen(&self, _: Option<&[FlagName]>) -> Result<LastSeen, StoreError> {
        unreachable!()
    }

    fn reporting_applications(&self) -> Result<BTreeSet<String>, StoreError> {
        unreachable!()
    }
}

const NOW: OffsetDateTime = datetime!(2026-11-27 12:00 UTC);

fn counts(flag: &str) -> Packed {
    let mut report = Report::new("app", "development", NOW, NOW);
    report.add(flag, &Counts::new(1, 0));
    report.pack()
}

fn start(store: &Arc<Store>) -> UsageWriter {
    UsageWriter::start(store.clone(), Arc::new(|| NOW))
}

/// Sends a report, and waits until it lies in the queue or in a group.
async fn send(
    writer: &UsageWriter,
    flag: &str,
    key: Option<u8>,
) -> tokio::task::JoinHandle<Result<(), Error>> {
    let (writer, flag) = (writer.clone(), flag.to_owned());
    let sent = tokio::spawn(async move {
        let room = writer.room(1).await?;
        writer
            .submit(counts(&flag), key.map(|key| ReportKey([key; 32])), room)
            .await
    });
    settle().await;
    sent
}

/// Lets everything that is ready run.
async fn settle() {
    for _ in 0..20 {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_report_is_answered_once_it_is_stored_and_not_before() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let answer = send(&writer, "a", None).await;
    assert!(!answer.is_finished());
    turns.send(Turn::Store).unwrap();
    answer.await.unwrap().unwrap();
    assert_eq!(store.stored(), [["a 1"]]);
}

#[tokio::test]
async fn reports_that_arrive_while_one_is_stored_share_the_next_row() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let mut answers = Vec::new();
    for flag in ["first", "b", "c", "d", "b"] {
        answers.push(send(&writer, flag, None).await);
    }
    turns.send(Turn::Store).unwrap();
    turns.send(Turn::Store).unwrap();
    for answer in answers {
        answer.await.unwrap().unwrap();
    }
    assert_eq!(store.stored(), [vec!["first 1"], vec!["b 2", "c 1", "d 1"]]);
}

#[tokio::test]
async fn one_report_that_cannot_be_stored_harms_none_of_those_beside_it() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let mut answers = Vec::new();
    for flag in ["first", "good 1", "good 2", "bad\0", "good 3", "good 4"] {
        answers.push((flag, send(&writer, flag, None).await));
    }
    (0..20).for_each(|_| turns.send(Turn::Store).unwrap());
    for (flag, answer) in answers {
        let outcome = answer.await.unwrap();
        match flag {
            "bad\0" => assert!(matches!(outcome, Err(Error::Invalid { .. })), "{outcome:?}"),
            _ => outcome.unwrap(),
        }
    }
    let stored: Vec<String> = store.stored().concat();
    assert_eq!(
        stored,
        ["first 1", "good 1 1", "good 2 1", "good 3 1", "good 4 1"]
    );
}

#[tokio::test]
async fn everybody_is_told_when_the_database_is_away_and_the_next_are_stored() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let answers = [
        send(&writer, "a", None).await,
        send(&writer, "b", None).await,
        send(&writer, "c", None).await,
    ];
    // the first by itself, then both of the group, then each alone
    (0..4).for_each(|_| turns.send(Turn::Fail).unwrap());
    for answer in answers {
        assert!(matches!(answer.await.unwrap(), Err(Error::Unavailable { .. })));
    }
    turns.send(Turn::Store).unwrap();
    send(&writer, "d", None).await.await.unwrap().unwrap();
    assert_eq!(store.stored(), [["d 1"]]);
}

#[tokio::test]
async fn a_batch_whose_outcome_is_not_known_is_sent_again_and_counts_once() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    for stored in [true, false] {
        let answer = send(&writer, "a", None).await;
        turns.send(Turn::Unknown { stored }).unwrap();
        turns.send(Turn::Fail).unwrap();
        turns.send(Turn::Unknown { stored }).unwrap();
        turns.send(Turn::Store).unwrap();
        answer.await.unwrap().unwrap();
    }
    assert_eq!(store.stored(), [["a 1"], ["a 1"]]);
}

#[tokio::test]
async fn an_outcome_that_stays_unknown_is_told_as_that_and_its_number_is_not_used_again() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let answer = send(&writer, "a", None).await;
    (0..21).for_each(|_| turns.send(Turn::Unknown { stored: true }).unwrap());
    assert!(matches!(answer.await.unwrap(), Err(Error::UnknownOutcome { .. })));
    turns.send(Turn::Store).unwrap();
    send(&writer, "b", None).await.await.unwrap().unwrap();
    assert_eq!(store.stored(), [["a 1"], ["b 1"]]);
}

#[tokio::test]
async fn a_report_that_is_sent_again_under_its_name_counts_once() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    turns.send(Turn::Store).unwrap();
    send(&writer, "a", Some(1)).await.await.unwrap().unwrap();
    let blocking = send(&writer, "blocking", None).await;
    let mut answers = Vec::new();
    for (flag, key) in [("a", Some(1)), ("b", Some(2)), ("c", None), ("b", Some(2))] {
        answers.push(send(&writer, flag, key).await);
    }
    (0..3).for_each(|_| turns.send(Turn::Store).unwrap());
    blocking.await.unwrap().unwrap();
    for answer in answers {
        answer.await.unwrap().unwrap();
    }
    assert_eq!(
        store.stored(),
        [vec!["a 1"], vec!["blocking 1"], vec!["b 1", "c 1"]]
    );
}

#[tokio::test]
async fn what_nobody_waits_for_any_more_is_not_stored() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let blocking = send(&writer, "blocking", None).await;
    let gone = send(&writer, "gone", None).await;
    let stays = send(&writer, "stays", None).await;
    gone.abort();
    settle().await;
    (0..2).for_each(|_| turns.send(Turn::Store).unwrap());
    blocking.await.unwrap().unwrap();
    stays.await.unwrap().unwrap();
    assert_eq!(store.stored(), [["blocking 1"], ["stays 1"]]);
}

/// However large the reports are that others have sent.
#[tokio::test]
async fn senders_that_find_no_room_are_told_to_come_back() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let room = writer.room(super::WAITING).await.unwrap();
    let refused = writer.room(1).await;
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
    let answer = tokio::spawn({
        let writer = writer.clone();
        async move { writer.submit(counts("a"), None, room).await }
    });
    settle().await;
    turns.send(Turn::Store).unwrap();
    answer.await.unwrap().unwrap();
    writer.room(super::WAITING).await.unwrap();
}

#[tokio::test]
async fn finishing_stores_what_was_submitted_and_refuses_what_comes_later() {
    let (store, turns) = Store::new();
    let writer = start(&store);
    let answers = [
        send(&writer, "a", None).await,
        send(&writer, "b", None).await,
        send(&writer, "c", None).await,
    ];
    (0..3).for_each(|_| turns.send(Turn::Store).unwrap());
    writer.finish().await;
    assert_eq!(store.stored().concat(), ["a 1", "b 1", "c 1"]);
    for answer in answers {
        answer.await.unwrap().unwrap();
    }
    let late = send(&writer, "late", None).await.await.unwrap();
    assert!(matches!(late, Err(Error::Unavailable { .. })));
    writer.finish().await;
}

#[tokio::test]
async fn a_report_of_nothing_needs_no_row() {
    let (store, _turns) = Store::new();
    let writer = start(&store);
    let room = writer.room(0).await.unwrap();
    writer.submit(Packed::default(), None, room).await.unwrap();
    assert!(store.stored().is_empty());
}
