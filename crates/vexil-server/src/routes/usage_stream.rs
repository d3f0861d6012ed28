//! `GET …/features/{name}/minutes/stream`: the usage of a flag minute by minute, as it is reported.

use std::future::pending;
use std::time::{Duration, Instant};

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use tokio::sync::watch;
use vexil_domain::FlagName;
use vexil_service::App;
use vexil_service::deadlines::within;
use vexil_service::operations::Error;

use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::is_still_admitted;
use crate::routes::event_stream::{self, NOTHING_NEW, Teller};
use crate::routes::paths::ReportedFlagPath;
use crate::routes::usage::{flag_document, flag_name, last_minutes};

/// How long there is quiet after an event.
const PAUSE: Duration = Duration::from_millis(500);
/// After so long it is looked in any case: another server may have stored a report, and minutes pass.
const QUIET: Duration = Duration::from_secs(15);
/// After so long the answer ends and listeners come back.
const LONGEST: Duration = Duration::from_secs(120);

/// Tells the usage of a flag, and again when there is more.
pub(crate) async fn flag_minutes(
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    asked: Asked,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let flag = flag_name(name)?;
    let last = last_minutes(&asked.query)?;
    let stored = app.usage_writer.listen();
    let first = flag_document(&app, &flag, last).await?;
    event_stream::answer(&request, &app.streams, || MinutesTeller {
        app: app.clone(),
        request: request.clone(),
        flag,
        last,
        stored,
        begun: Instant::now(),
        first: Some(first),
        told: Vec::new(),
    })
}

/// Tells the document of the last minutes, each time that it is another one.
struct MinutesTeller {
    app: Data<App>,
    /// Whoever sent it may listen for as long as they may ask.
    request: HttpRequest,
    flag: FlagName,
    last: u32,
    stored: watch::Receiver<u64>,
    begun: Instant,
    first: Option<Vec<u8>>,
    told: Vec<u8>,
}

impl Teller for MinutesTeller {
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.first.take() {
            return Some(self.tell(first));
        }
        loop {
            within(PAUSE, pending::<()>()).await;
            let heard = within(QUIET, self.stored.changed()).await;
            if matches!(heard, Some(Err(_))) || self.begun.elapsed() > LONGEST {
                return None;
            }
            if !is_still_admitted(&self.request).await {
                return None;
            }
            match flag_document(&self.app, &self.flag, self.last).await {
                Ok(document) if document != self.told => return Some(self.tell(document)),
                Ok(_) => return Some(NOTHING_NEW),
                Err(Error::NotFound(_)) => return None,
                // the database may be away; there will be another turn
                Err(_) => {}
            }
        }
    }
}

impl MinutesTeller {
    fn tell(&mut self, document: Vec<u8>) -> Bytes {
        let mut event = b"event: usage\ndata: ".to_vec();
        event.extend_from_slice(&document);
        event.extend_from_slice(b"\n\n");
        self.told = document;
        event.into()
    }
}
