//! Whatever anybody sends, the server answers, and says in the one shape of errors what is wrong with it.
//!
//! The requests are drawn from bodies that every route takes, changed in one to three places. They come in blocks,
//! each on a server of its own and made anew by its number. `VEXIL_REQUESTS` says how many requests are tried,
//! `VEXIL_FIRST_BLOCK` where to begin. With `MALLOC_ARENA_MAX=1` memory must not grow: else glibc keeps what threads that
//! are gone have freed. Blocks in which something was found are kept in `kept.txt` and tried first.

mod alike;
pub(crate) mod bodies;
mod dates;
mod images;
mod missing;
mod mutations;
mod renamed;
mod requests;
pub(crate) mod world;

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use actix_web::http::Method;
use actix_web::rt::time::timeout;
use serde_json::Value;
use vexil_server::all_routes;
use vexil_service::operations::change_requests::apply_due;

use crate::chance::Chance;
use crate::support::{Answer, START, ask};
use bodies::body;
use requests::{Sent, draw};
use world::World;

/// So many requests are made to one server.
const BLOCK: usize = 250;
/// What takes longer hangs. No request of such a size takes a tenth of it on a busy machine.
const HANGS: Duration = Duration::from_secs(60);
/// What memory may grow by for each block once everything was used once, in bytes. Each builds some forty services,
/// whose maps of routes actix does not all give back.
const GROWTH: usize = 1 << 20;

#[actix_web::test]
async fn whatever_is_sent_is_answered_and_no_server_is_at_fault() {
    let wanted: usize = variable("VEXIL_REQUESTS").unwrap_or(20_000);
    let first: u64 = variable("VEXIL_FIRST_BLOCK").unwrap_or(0);
    let kept = include_str!("kept.txt")
        .lines()
        .filter_map(|line| line.parse::<u64>().ok());
    let blocks: Vec<u64> = kept.chain((first..).take(wanted.div_ceil(BLOCK))).collect();
    count_panics();
    let warm = blocks.len() / 4;
    let (mut resident, mut slowest) = (0, Duration::ZERO);
    let mut found = Vec::new();
    let mut statuses = [0_usize; 6];
    for (at, &number) in blocks.iter().enumerate() {
        let faults = block(number, &mut slowest, &mut statuses).await;
        for fault in &faults {
            println!("block {number}: {fault}");
        }
        found.extend(faults.into_iter().map(|fault| format!("block {number}: {fault}")));
        if at == warm {
            resident = resident_bytes();
        }
        if at % 100 == 99 {
            println!(
                "{} blocks, {} MiB, slowest {slowest:?}, by hundreds {statuses:?}",
                at + 1,
                resident_bytes() >> 20
            );
        }
    }
    let grown = resident_bytes().saturating_sub(resident);
    println!(
        "{} blocks, grown {} MiB, slowest {slowest:?}, by hundreds {statuses:?}",
        blocks.len(),
        grown >> 20
    );
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
    let is_told = env::var("MALLOC_ARENA_MAX").is_ok();
    let most = GROWTH * (blocks.len() - warm);
    assert!(!is_told || grown < most, "memory grew by {} MiB", grown >> 20);
    // a fifth is sent as it is taken, and not all that was changed is wrong
    assert!(
        statuses[2] * 10 > statuses[4],
        "hardly anything was accepted: {statuses:?}"
    );
}

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    env::var(name)
        .ok()
        .map(|text| text.parse().ok().unwrap_or_else(|| panic!("{name}: {text}")))
}

/// Makes the requests of a block, and returns what was wrong with their answers.
async fn block(number: u64, slowest: &mut Duration, statuses: &mut [usize; 6]) -> Vec<String> {
    let world = World::new(number).await;
    let service = world.server.service().await;
    let routes = all_routes();
    let mut chance = Chance::new(number.wrapping_mul(0x1_0000));
    let mut faults = Vec::new();
    for at in 0..BLOCK {
        let sent = draw(&world, &routes, &mut chance);
        let panics = PANICS.load(Ordering::Relaxed);
        let began = Instant::now();
        let mut headers = sent.headers.clone();
        headers.push(("authorization", &sent.caller));
        let asked = ask(
            &service,
            sent.method.clone(),
            &sent.path,
            &headers,
            sent.body.clone(),
        );
        let fault = match timeout(HANGS, asked).await {
            Err(_) => Some("no answer".to_owned()),
            Ok(answer) => {
                statuses[usize::from(answer.status / 100).min(5)] += 1;
                problem(&sent, &answer)
            }
        };
        *slowest = began.elapsed().max(*slowest);
        let fault = fault.or_else(|| (PANICS.load(Ordering::Relaxed) > panics).then(|| "a panic".to_owned()));
        if let Some(fault) = fault {
            let body = String::from_utf8_lossy(&sent.body);
            let body: String = body.chars().take(600).collect();
            faults.push(format!(
                "{at}: {} {} as {:?} with {:?}: {body}: {fault}",
                sent.method, sent.path, sent.caller, sent.headers
            ));
        }
        if chance.one_in(40) {
            let later = time::Duration::minutes(i64::try_from(at).unwrap());
            world.server.set_time(START + later);
            apply_due(world.server.app()).unwrap();
        }
    }
    let reader = world.server.add_client_token("*:development.reader");
    let mut read = Vec::new();
    for server in [&world.server, &world.server.another()] {
        let answer = server
            .call(&reader, Method::GET, "/api/client/features", None)
            .await;
        read.push((answer.status, answer.text));
    }
    if read[0] != read[1] && read[0].0 == 200 {
        faults.push(format!(
            "a restart reads something else than was served: {read:?}"
        ));
    }
    faults
}

/// What is wrong with an answer, whatever was sent.
fn problem(sent: &Sent, answer: &Answer) -> Option<String> {
    let told = || {
        format!(
            "{} {}",
            answer.status,
            answer.text.chars().take(600).collect::<String>()
        )
    };
    let pages = [
        "/ui",
        "/auth/oidc/",
        "/auth/link/",
        "/new-user",
        "/reset-password",
    ];
    let is_page = sent.path == "/" || pages.iter().any(|page| sent.path.starts_with(page));
    match answer.status {
        500.. => Some(told()),
        400.. if sent.method == Method::HEAD || is_page => None,
        400.. => {
            let body: Value = serde_json::from_str(&answer.text).unwrap_or_default();
            let is_error = ["id", "name", "message"]
                .iter()
                .all(|member| body[member].is_string());
            (!is_error || !body["details"].is_array()).then(told)
        }
        _ => None,
    }
}

static PANICS: AtomicUsize = AtomicUsize::new(0);

fn count_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        before(info);
    }));
}

/// The memory of this process that is resident, or 0 where the system does not tell.
fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

#[actix_web::test]
async fn every_route_that_takes_a_body_has_one_to_change() {
    let world = World::new(0).await;
    let routes = all_routes();
    let changing = routes
        .iter()
        .filter(|route| matches!(route.method, Method::POST | Method::PUT | Method::PATCH));
    let names = changing.map(|route| format!("{} {}", route.method, route.path));
    let without: Vec<String> = names
        .filter(|name| body(name, &world, &mut Chance::new(1)).is_none())
        .collect();
    let switches = [
        "POST /logout",
        // forms
        "POST /new-user",
        "POST /reset-password",
        "POST /api/admin/splash/{notice}",
        "POST /api/admin/projects/{project}/favorites",
        "POST /api/admin/environments/{name}/on",
        "POST /api/admin/environments/{name}/off",
        "POST /api/admin/projects/{project}/features/{feature}/lifecycle/uncomplete",
        "POST /api/admin/projects/{project}/features/{feature}/favorites",
        "POST /api/admin/archive/revive/{feature}",
        "POST /api/admin/projects/{project}/features/{feature}/environments/{environment}/on",
        "POST /api/admin/projects/{project}/features/{feature}/environments/{environment}/off",
        "POST /api/admin/strategies/{name}/deprecate",
        "POST /api/admin/strategies/{name}/reactivate",
        // after which nothing could be changed
        "POST /api/admin/maintenance",
    ];
    assert_eq!(without, switches);
}
