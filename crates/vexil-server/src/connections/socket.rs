//! The socket of one connection, which notes what goes through it.

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_codec::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::{Connection, End, refusal};

/// How many bytes are read until they are looked at.
const PILE: usize = 16 << 10;

/// The socket of one connection.
pub(crate) struct Socket {
    stream: TcpStream,
    connection: Rc<Connection>,
    /// What is sent in the place of a refusal without a body.
    pending: Option<Pending>,
    /// How many bytes were read since somebody looked at them.
    unseen: usize,
}

/// Bytes to send in the place of others.
struct Pending {
    text: Vec<u8>,
    sent: usize,
    /// How many bytes they stand for.
    replaces: usize,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, connection: Rc<Connection>) -> Self {
        Self {
            stream,
            connection,
            pending: None,
            unseen: 0,
        }
    }

    pub(crate) fn connection(&self) -> &Rc<Connection> {
        &self.connection
    }

    /// Fails when the connection is to end.
    fn check(&self) -> io::Result<()> {
        let Some(end) = self.connection.end.get() else {
            return Ok(());
        };
        if end == End::TooSlow {
            // nothing else is under way; a peer that does not take it does without
            let _ = self.stream.try_write(&refusal::too_slow());
        }
        Err(io::ErrorKind::ConnectionAborted.into())
    }

    /// Sends the rest of what stands in the place of other bytes, and tells how many.
    fn poll_pending(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let Some(pending) = &mut self.pending else {
            return Poll::Ready(Ok(0));
        };
        while let Some(rest) = pending.text.get(pending.sent..).filter(|rest| !rest.is_empty()) {
            let sent = ready!(Pin::new(&mut self.stream).poll_write(context, rest))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            pending.sent += sent;
        }
        let replaces = pending.replaces;
        self.pending = None;
        Poll::Ready(Ok(replaces))
    }

    fn poll_send(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.pending.is_none() {
            let Some(found) = refusal::find(bytes) else {
                return Pin::new(&mut self.stream).poll_write(context, bytes);
            };
            if let Some(before) = bytes.get(..found.start).filter(|before| !before.is_empty()) {
                return Pin::new(&mut self.stream).poll_write(context, before);
            }
            self.pending = Some(Pending {
                text: found.text,
                sent: 0,
                replaces: bytes.len(),
            });
        }
        self.poll_pending(context)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check()?;
        if self.connection.is_paused() {
            self.connection.wakes(context);
            return Poll::Pending;
        }
        if self.unseen >= PILE {
            // what was read is looked at first, so that it does not pile up
            self.unseen = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let bytes = buffer.filled().len() - before;
        match &read {
            Poll::Pending => {
                self.unseen = 0;
                self.connection.wakes(context);
            }
            Poll::Ready(Ok(())) if bytes > 0 => {
                self.unseen += bytes;
                self.connection.has_read();
            }
            Poll::Ready(_) => {}
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        let written = self.poll_send(context, bytes);
        match &written {
            Poll::Pending => {
                self.connection.is_blocked();
                self.connection.wakes(context);
            }
            Poll::Ready(Ok(bytes)) => self.connection.has_written(*bytes),
            Poll::Ready(Err(_)) => {}
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let connection = &self.connection;
        connection.table.open.borrow_mut().remove(&connection.number);
    }
}
