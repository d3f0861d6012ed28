use std::task::Waker;

use super::*;
use crate::pool::PoolSettings;

fn settings() -> PoolSettings {
    PoolSettings {
        name: "test",
        threads: 1,
        waiting: 8,
        suspended: 8,
    }
}

fn read(reader: &mut Reader) -> Poll<Option<usize>> {
    let mut context = Context::from_waker(Waker::noop());
    let piece = Pin::new(reader).poll_next(&mut context);
    piece.map(|piece| piece.map(|piece| piece.unwrap().len()))
}

/// Reads until there is something to read.
fn next(reader: &mut Reader) -> Option<usize> {
    loop {
        match read(reader) {
            Poll::Ready(piece) => return piece,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}

#[test]
fn many_readers_that_read_nothing_hold_bounded_memory_and_no_other_writer() {
    let pool = Pool::new(settings());
    let mut readers = Vec::new();
    for _ in 0..8 {
        let (writer, reader) = pipe(&pool, &Stop::default());
        pool.start(move || while writer.write(Bytes::from(vec![0; 10_000])) {})
            .unwrap();
        readers.push(reader);
    }
    // the only thread of the pool was given up by each of them: the last writer came to write, too
    let last = readers.last_mut().unwrap();
    assert_eq!(next(last), Some(10_000));
    for reader in &readers {
        assert!(reader.pipe.state().bytes < CAPACITY + 10_000);
    }
}

#[test]
fn pieces_come_in_order_and_then_the_end() {
    let pool = Pool::new(settings());
    let (writer, mut reader) = pipe(&pool, &Stop::default());
    pool.start(move || {
        for length in 1..=300 {
            assert!(writer.write(Bytes::from(vec![1; length * 10])));
        }
    })
    .unwrap();
    for length in 1..=300 {
        assert_eq!(next(&mut reader), Some(length * 10));
    }
    assert_eq!(next(&mut reader), None);
}

#[test]
fn a_writer_stops_when_its_reader_is_gone() {
    let pool = Pool::new(settings());
    let stop = Stop::default();
    let (writer, reader) = pipe(&pool, &stop);
    let (tell, told) = std::sync::mpsc::channel();
    pool.start(move || {
        while writer.write(Bytes::from_static(&[0; 5000])) {}
        tell.send(()).unwrap();
    })
    .unwrap();
    drop(reader);
    told.recv().unwrap();
    assert_eq!(stop.reason(), Some(Reason::Cancelled));
}
