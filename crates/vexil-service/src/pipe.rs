//! A pipe from a thread that writes an answer to the connection that sends it. It holds a bounded number of
//! bytes, so memory does not grow with the answer, nor with how slowly it is read.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_util::Stream;
use vexil_budget::{Reason, Stop};

use crate::pool::Pool;

/// How many bytes wait for the reader, and one piece more.
const CAPACITY: usize = 128 << 10;

/// The end that is written to, on a thread of a pool.
pub(crate) struct Writer {
    pipe: Arc<Pipe>,
    pool: Pool,
}

/// The end that is read. Dropping it tells the writer to stop.
pub struct Reader {
    pipe: Arc<Pipe>,
    stop: Stop,
}

opaque!(Reader);

#[derive(Default)]
struct Pipe {
    state: Mutex<State>,
    taken: Condvar,
}

#[derive(Default)]
struct State {
    pieces: VecDeque<Bytes>,
    bytes: usize,
    reader: Option<Waker>,
    reader_gone: bool,
    writer_gone: bool,
}

/// A pipe whose writer runs in `pool`; `stop` is set when the reader is gone.
pub(crate) fn pipe(pool: &Pool, stop: &Stop) -> (Writer, Reader) {
    let pipe = Arc::new(Pipe::default());
    let writer = Writer {
        pipe: Arc::clone(&pipe),
        pool: pool.clone(),
    };
    let stop = stop.clone();
    (writer, Reader { pipe, stop })
}

impl Pipe {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_full(&mut self) -> bool {
        self.bytes >= CAPACITY && !self.reader_gone
    }
}

impl Writer {
    /// Writes a piece, once there is room, and says whether anybody reads. How long a reader may take is for
    /// its connection to know; then it drops its end.
    pub(crate) fn write(&self, piece: Bytes) -> bool {
        let mut state = self.pipe.state();
        if state.is_full() {
            drop(state);
            state = self.pool.while_waiting(|| self.wait());
        }
        if state.reader_gone {
            return false;
        }
        state.bytes += piece.len();
        state.pieces.push_back(piece);
        wake(&mut state);
        true
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the other end is a connection, which has deadlines"
    )]
    fn wait(&self) -> MutexGuard<'_, State> {
        let full = self.pipe.taken.wait_while(self.pipe.state(), State::is_full);
        full.unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake(state: &mut State) {
    if let Some(reader) = state.reader.take() {
        reader.wake();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let mut state = self.pipe.state();
        state.writer_gone = true;
        wake(&mut state);
    }
}

impl Stream for Reader {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut state = self.pipe.state();
        if let Some(piece) = state.pieces.pop_front() {
            state.bytes -= piece.len();
            if state.bytes < CAPACITY {
                self.pipe.taken.notify_one();
            }
            return Poll::Ready(Some(Ok(piece)));
        }
        if state.writer_gone {
            return Poll::Ready(None);
        }
        state.reader = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.stop.set(Reason::Cancelled);
        let mut state = self.pipe.state();
        state.reader_gone = true;
        state.pieces.clear();
        self.pipe.taken.notify_one();
    }
}

#[cfg(test)]
mod tests;
