//! The bytes of one connection, and the notes that are taken of them.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_codec::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::{End, Listed, bare_error};

/// How many bytes are read until they are looked at.
const PILE: usize = 16 << 10;

/// The two ends of one connection.
pub(crate) struct Wire {
    stream: TcpStream,
    listed: Listed,
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

impl Wire {
    pub(crate) fn new(stream: TcpStream, listed: Listed) -> Self {
        Self {
            stream,
            listed,
            pending: None,
            unseen: 0,
        }
    }

    /// The socket, for somebody else. Nothing may be left to be written.
    pub(super) fn into_parts(self) -> (TcpStream, Listed) {
        (self.stream, self.listed)
    }

    /// Waits until the peer hangs up or the connection is to end. What the peer says meanwhile is not heard.
    pub(crate) fn poll_gone(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut ignored = [0; 256];
        loop {
            let mut buffer = ReadBuf::new(&mut ignored);
            match ready!(Pin::new(&mut *self).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {}
                _ => return Poll::Ready(()),
            }
        }
    }

    /// Sends all of this.
    ///
    /// # Errors
    ///
    /// When the peer is gone, or takes too little.
    pub(crate) async fn send(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let sent = poll_fn(|context| Pin::new(&mut *self).poll_write(context, bytes)).await?;
            if sent == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = bytes.get(sent..).unwrap_or_default();
        }
        Ok(())
    }

    /// Fails when the connection is to end.
    fn check(&self) -> io::Result<()> {
        let Some(end) = self.listed.0.end.get() else {
            return Ok(());
        };
        if end == End::TooSlow {
            // nothing else is under way; a peer that does not take it does without
            let _ = self.stream.try_write(&bare_error::too_slow());
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
            let Some(found) = bare_error::find(bytes) else {
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

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check()?;
        if self.listed.0.is_paused() {
            self.listed.0.wakes(context);
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
                self.listed.0.wakes(context);
            }
            Poll::Ready(Ok(())) if bytes > 0 => {
                self.unseen += bytes;
                self.listed.0.has_read();
            }
            Poll::Ready(_) => {}
        }
        read
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        let written = self.poll_send(context, bytes);
        match &written {
            Poll::Pending => {
                self.listed.0.is_blocked();
                self.listed.0.wakes(context);
            }
            Poll::Ready(Ok(bytes)) => self.listed.0.has_written(*bytes),
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
