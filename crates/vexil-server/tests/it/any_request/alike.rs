//! That all databases answer alike, whatever is sent: the same requests to a server on each of them.

use vexil_server::all_routes;
use vexil_service::Limits;

use super::requests::draw;
use super::world::World;
use crate::chance::Chance;
use crate::databases::scratch::Database;
use crate::support::{TestServer, ask};

/// So many requests are made to each server.
const REQUESTS: usize = 600;

/// An answer without what each server draws anew, which are ids, secrets and what chance begins with, and without the tag
/// of a document that holds some of them.
fn comparable(text: &str) -> String {
    /// No number that is counted and no time in milliseconds is as long.
    const SHORTEST_DRAWN: usize = 14;
    let text = text.split("\"meta\":").next().unwrap_or_default();
    let mut kept = String::with_capacity(text.len());
    let mut word = String::new();
    for letter in text.chars().chain(['\n']) {
        if letter.is_ascii_hexdigit() || letter == '-' {
            word.push(letter);
            continue;
        }
        let is_drawn = word.len() >= SHORTEST_DRAWN;
        kept.push_str(if is_drawn { "…" } else { &word });
        word.clear();
        kept.push(letter);
    }
    kept
}

/// A text from a little before where another differs.
fn part(text: &str, other: &str) -> String {
    let same = text
        .bytes()
        .zip(other.bytes())
        .take_while(|(one, two)| one == two);
    let from = same.count().saturating_sub(60);
    let rest = String::from_utf8_lossy(&text.as_bytes()[from..]);
    rest.chars().take(200).collect()
}

#[actix_web::test]
async fn whatever_is_sent_is_answered_alike_by_all_databases() {
    let databases = Database::each();
    let number: u64 = super::variable("VEXIL_FIRST_BLOCK").unwrap_or(0);
    let mut worlds = Vec::new();
    for database in &databases {
        let server = TestServer::with(database.open(), Limits::default());
        worlds.push(World::on(server, number).await);
    }
    let mut places = Vec::new();
    for world in &worlds {
        places.push((world, world.server.service().await, Chance::new(number)));
    }
    let mut routes = all_routes();
    // how long requests took is another thing each time
    routes.retain(|route| !route.path.ends_with("/prometheus"));
    let (mut accepted, mut others) = (0, Vec::new());
    for at in 0..REQUESTS {
        let mut told = Vec::new();
        for (world, service, chance) in &mut places {
            let sent = draw(world, &routes, chance);
            let mut headers = sent.headers.clone();
            headers.push(("authorization", &sent.caller));
            let answer = ask(
                service,
                sent.method.clone(),
                &sent.path,
                &headers,
                sent.body.clone(),
            )
            .await;
            accepted += usize::from(answer.status < 300);
            let is_packed = answer.header("content-encoding").is_some();
            let text = if is_packed { "" } else { &answer.text };
            let body = String::from_utf8_lossy(&sent.body).into_owned();
            let asked = format!("{at}: {} {} {body}", sent.method, sent.path);
            told.push((asked, answer.status, comparable(text)));
        }
        let (_, expected_status, expected) = &told[0];
        for (asked, status, text) in told.iter().skip(1) {
            if (status, text) != (expected_status, expected) {
                let parts = (part(expected, text), part(text, expected));
                others.push(format!(
                    "{asked}\n  {expected_status} {}\n  {status} {}",
                    parts.0, parts.1
                ));
            }
        }
    }
    assert!(
        others.is_empty(),
        "{} differ:\n{}",
        others.len(),
        others.join("\n\n")
    );
    assert!(accepted > REQUESTS / 6 * places.len(), "{accepted} were accepted");
}
