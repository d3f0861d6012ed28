//! A server whose clock is ahead of the others' applies and deletes nothing for them.

use std::sync::Arc;

use time::Duration;
use vexil_service::{ClockError, Limits};

use crate::change_requests::failing_store::{FailingStore, Outage};
use crate::support::{START, TestServer};

#[actix_web::test]
async fn what_is_due_by_a_clock_that_is_ahead_of_the_database_s_is_left_to_others() {
    let store = Arc::new(FailingStore::default());
    let server = TestServer::with(store.clone(), Limits::default());
    server.app.check_clock().unwrap();
    store.tell_time(Some(START));
    for (ahead, may) in [
        (Duration::ZERO, true),
        (Duration::minutes(1), true),
        (Duration::seconds(61), false),
        (Duration::days(400), false),
        (Duration::days(-400), true),
    ] {
        *server.clock.lock().unwrap() = START + ahead;
        match server.app.check_clock() {
            Ok(()) => assert!(may, "{ahead}"),
            Err(error) => assert!(!may && matches!(error, ClockError::Ahead), "{ahead}: {error}"),
        }
    }
    store.fail(Some(Outage::Moved));
    let error = server.app.check_clock().unwrap_err();
    assert!(matches!(error, ClockError::Store(_)), "{error}");
}
