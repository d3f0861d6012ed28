//! Request bodies as they arrive: within a deadline, at a least rate, and in bounded memory.

use std::rc::Rc;
use std::time::Instant;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_LENGTH, UPGRADE};
use actix_web::web::{Bytes, BytesMut};
use futures_util::StreamExt;
use vexil_service::deadlines::{Deadlines, within};
use vexil_service::memory::{Held, Space};
use vexil_service::operations::{Error, RETRY_BUSY};

use crate::connections::Connection;
use crate::routes::ApiError;

/// Bodies up to this many bytes are not counted: there are no more of them than connections.
const SMALL: usize = 4 << 10;
/// A document takes so many times the room of its text: `[0,0,…]` makes a value of each two bytes.
const GROWTH: usize = 16;
/// Room is taken in steps of so many bytes.
const STEP: usize = 16 << 10;

/// What bounds a body.
pub(crate) struct Bounds<'a> {
    /// The largest one, in bytes.
    pub(crate) limit: usize,
    /// How long it may take.
    pub(crate) deadlines: Deadlines,
    /// The room that all bodies share.
    pub(crate) space: &'a Space,
}

/// Reads the whole body, and takes the room that it needs.
///
/// # Errors
///
/// When it is too large, too slow, or broken off, or when there is no room for it.
pub(crate) async fn collect(
    request: &HttpRequest,
    payload: Payload,
    bounds: &Bounds<'_>,
) -> Result<(Bytes, Held), ApiError> {
    let announced = announced(request);
    if announced.is_some_and(|length| length > bounds.limit) {
        return Err(ApiError::TooLarge { limit: bounds.limit });
    }
    let connection = request.conn_data::<Rc<Connection>>();
    let waits = |waits| {
        if let Some(connection) = connection {
            connection.read_body(waits);
        }
    };
    waits(true);
    let reader = Reader {
        payload,
        connection,
        // a protocol that is not spoken here has no body, or the one that is announced
        end: request
            .headers()
            .contains_key(UPGRADE)
            .then(|| announced.unwrap_or(0)),
        bounds,
        body: BytesMut::new(),
        held: Held::default(),
        room: SMALL,
    };
    let read = within(bounds.deadlines.body, reader.read()).await;
    waits(false);
    read.unwrap_or(Err(ApiError::TooSlow))
}

/// Takes the room that a document needs once it is read.
///
/// # Errors
///
/// When there is none, and none comes free in time.
pub(crate) async fn room_to_read(space: &Space, bytes: usize) -> Result<Held, ApiError> {
    if bytes <= SMALL {
        return Ok(Held::default());
    }
    let held = space.take(bytes.saturating_mul(GROWTH)).await;
    held.ok_or_else(busy)
}

fn busy() -> ApiError {
    ApiError::from(Error::Busy {
        doing: "other large requests",
        retry_after: RETRY_BUSY,
    })
}

/// What `Content-Length` says.
fn announced(request: &HttpRequest) -> Option<usize> {
    let header = request.headers().get(CONTENT_LENGTH)?;
    header.to_str().ok()?.trim().parse::<usize>().ok()
}

struct Reader<'a> {
    payload: Payload,
    connection: Option<&'a Rc<Connection>>,
    /// Where the body ends, if that is not for the HTTP library to say.
    end: Option<usize>,
    bounds: &'a Bounds<'a>,
    body: BytesMut,
    held: Held,
    /// How many bytes there is room for.
    room: usize,
}

impl Reader<'_> {
    async fn read(mut self) -> Result<(Bytes, Held), ApiError> {
        let window = self.bounds.deadlines.window;
        let (mut begun, mut before) = (Instant::now(), 0);
        while self.end.is_none_or(|end| self.body.len() < end) {
            let left = window.saturating_sub(begun.elapsed());
            match within(left, self.payload.next()).await {
                Some(Some(chunk)) => {
                    let broken = |error| Error::invalid(format!("The request body broke off: {error}."));
                    self.add(&chunk.map_err(broken)?).await?;
                }
                Some(None) => break,
                None => {}
            }
            if begun.elapsed() >= window {
                if ((self.body.len() - before) as u64) < self.bounds.deadlines.body_bytes {
                    return Err(ApiError::TooSlow);
                }
                (begun, before) = (Instant::now(), self.body.len());
            }
        }
        if let Some(end) = self.end {
            self.body.truncate(end);
        }
        Ok((self.body.freeze(), self.held))
    }

    async fn add(&mut self, chunk: &[u8]) -> Result<(), ApiError> {
        let limit = self.bounds.limit;
        let length = self.body.len() + chunk.len();
        if length > limit {
            return Err(ApiError::TooLarge { limit });
        }
        while length > self.room {
            self.held.join(self.take(STEP).await?);
            self.room += STEP;
        }
        self.body.extend_from_slice(chunk);
        Ok(())
    }

    /// Takes room, which whoever has been sending for longest must give up where there is none.
    async fn take(&self, bytes: usize) -> Result<Held, ApiError> {
        let space = self.bounds.space;
        if let Some(held) = space.try_take(bytes) {
            return Ok(held);
        }
        let Some(connection) = self.connection else {
            return space.take(bytes).await.ok_or_else(busy);
        };
        connection.make_room_for_bodies();
        connection.pause(true);
        let held = space.take(bytes).await;
        connection.pause(false);
        held.ok_or_else(busy)
    }
}
