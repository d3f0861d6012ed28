//! Clocks that are wrong: whoever is ahead of the others applies and deletes nothing for them, and at the edges of the
//! calendar everything is answered.

use std::sync::Arc;

use actix_web::http::Method;
use serde_json::json;
use time::Duration;
use vexil_server::{EARLIEST, LATEST, all_routes};
use vexil_service::operations::change_requests::apply_due;
use vexil_service::{ClockError, Limits};

use crate::any_request::bodies::body;
use crate::any_request::world::World;
use crate::chance::Chance;
use crate::change_requests::failing_store::{FailingStore, Outage};
use crate::support::{CLIENT, FRONTEND, START, TestServer, ask};

#[actix_web::test]
async fn what_is_due_by_a_clock_that_is_ahead_of_the_database_s_is_left_to_others() {
    let store = Arc::new(FailingStore::default());
    let server = TestServer::with(store.clone(), Limits::default());
    server.app().check_clock().unwrap();
    store.tell_time(Some(START));
    for (ahead, may) in [
        (Duration::ZERO, true),
        (Duration::minutes(1), true),
        (Duration::seconds(61), false),
        (Duration::days(400), false),
        (Duration::days(-400), true),
    ] {
        *server.clock.lock().unwrap() = START + ahead;
        match server.app().check_clock() {
            Ok(()) => assert!(may, "{ahead}"),
            Err(error) => assert!(!may && matches!(error, ClockError::Ahead), "{ahead}: {error}"),
        }
    }
    store.fail(Some(Outage::Moved));
    let error = server.app().check_clock().unwrap_err();
    assert!(matches!(error, ClockError::Store(_)), "{error}");
}

#[actix_web::test]
async fn every_route_answers_at_the_edges_of_the_calendar() {
    for now in [EARLIEST, LATEST] {
        let world = World::new(1).await;
        world.server.set_time(now);
        apply_due(world.server.app()).unwrap();
        let service = world.server.service().await;
        let chance = &mut Chance::new(1);
        for route in all_routes() {
            // these end what is asked with
            if route.method == Method::DELETE {
                continue;
            }
            let path = world.first_path(&route);
            let body = body(&format!("{} {}", route.method, route.path), &world, chance);
            let body = body.unwrap_or_else(|| json!({})).to_string().into_bytes();
            let body = if route.method == Method::GET {
                Vec::new()
            } else {
                body
            };
            let token = match &path {
                path if path.starts_with("/api/client") => CLIENT,
                path if path.starts_with("/api/admin") => &world.callers[0],
                _ => FRONTEND,
            };
            let headers = [("authorization", token), ("content-type", "application/json")];
            let answer = ask(&service, route.method.clone(), &path, &headers, body).await;
            assert!(
                answer.status < 500,
                "{now}: {} {path}: {}",
                route.method,
                answer.text
            );
        }
    }
}
