//! The body of an answer, which says when all of it was handed over.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;

use super::Connection;

/// So many bytes are handed over at a time: a body that lies in memory anyway is not copied as a whole for
/// each of its readers.
const PIECE: usize = 64 << 10;

/// The body of an answer on a connection.
pub(crate) struct Answer<B> {
    body: B,
    rest: Bytes,
    connection: Option<Rc<Connection>>,
}

impl<B> Answer<B> {
    pub(crate) fn new(body: B, connection: Option<Rc<Connection>>) -> Self {
        if let Some(connection) = &connection {
            connection.answer();
        }
        Self {
            body,
            rest: Bytes::new(),
            connection,
        }
    }
}

impl<B> Drop for Answer<B> {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            connection.finish();
        }
    }
}

impl<B: MessageBody + Unpin> MessageBody for Answer<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_next(context) {
                Poll::Ready(Some(Ok(bytes))) => self.rest = bytes,
                other => return other,
            }
        }
        let piece = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}
