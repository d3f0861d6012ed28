//! The socket of one connection, as the HTTP library has it: until whoever answers takes the connection over.

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_codec::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::{Connection, Listed, Wire};

/// The socket of one connection.
pub(crate) struct Socket {
    /// `None` once it was taken over.
    wire: Option<Wire>,
    connection: Rc<Connection>,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, connection: Rc<Connection>) -> Self {
        Self {
            wire: Some(Wire::new(stream, Listed(Rc::clone(&connection)))),
            connection,
        }
    }

    pub(crate) fn connection(&self) -> &Rc<Connection> {
        &self.connection
    }

    /// To the HTTP library a connection that was taken over is gone.
    fn wire(&mut self) -> io::Result<Pin<&mut Wire>> {
        let wire = self.wire.as_mut().map(Pin::new);
        wire.ok_or_else(|| io::ErrorKind::ConnectionAborted.into())
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.wire()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.wire()?.poll_write(context, bytes)
    }

    /// All that was written is on its way, the head of an answer too: this is when it is taken over.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.wire()?.poll_flush(context))?;
        if let Some(taker) = self.connection.taker()
            && let Some(wire) = self.wire.take()
        {
            let (stream, listed) = wire.into_parts();
            taker(stream, listed);
            // so that the HTTP library notices
            context.waker().wake_by_ref();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.wire()?.poll_shutdown(context)
    }
}
