//! Two servers on one PostgreSQL: while one is edited fast, the other lags little, edits itself, and turns away who
//! was removed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::Api;
use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::postgres::Postgres;
use crate::server::{Server, fresh_folder};
use anyhow::Error;

const FLAGS: usize = 5_000;
/// Edits a second on the first server, by so many who edit at once.
const EDITS: f64 = 50.0;
const EDITORS: usize = 5;
const LASTING: Duration = Duration::from_secs(40);
/// After so long what was not seen counts as lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// What an SDK on the other server may lag at p99, how long an edit there may take at p99, and how long somebody
/// who was removed may be let in.
const LAG: Duration = Duration::from_millis(1_500);
const EDIT: Duration = Duration::from_secs(1);
const REMOVAL: Duration = Duration::from_millis(1_500);

const FEATURES: &str = "/api/admin/projects/default/features";

pub(super) fn run(vexil: &Path, postgres: &Postgres) -> Outcome {
    let folder = fresh_folder(&target_directory()?, "nodes")?;
    let database = postgres.database("nodes")?;
    let one = Server::start(vexil, &database, &folder.join("one.log"))?;
    fill(&one.admin())?;
    let other = Server::start(vexil, &database, &folder.join("other.log"))?;
    let over = AtomicBool::new(false);
    let edits = AtomicUsize::new(0);
    let began = Instant::now();
    let (lag, own, removed) = scope(|threads| {
        let (over, edits) = (&over, &edits);
        for editor in 0..EDITORS {
            let api = one.admin();
            threads.spawn(move || edit_steadily(&api, editor, began, over, edits));
        }
        let lag = threads.spawn(|| lag(&one.admin(), &other.client(), began));
        let own = threads.spawn(|| own_edits(&other.admin(), began));
        let removed = threads.spawn(|| removals(&one.admin(), &other, began));
        let joined = (lag.join(), own.join(), removed.join());
        over.store(true, Ordering::Relaxed);
        let broke = |_| Error::msg("a thread broke off");
        Ok::<_, Error>((
            joined.0.map_err(broke)??,
            joined.1.map_err(broke)??,
            joined.2.map_err(broke)??,
        ))
    })?;
    let rate = edits.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64();
    println!("nodes: {FLAGS} flags, {rate:.1} edits a second on one server");
    let mut wrong = Vec::new();
    if rate < EDITS * 0.9 {
        wrong.push(format!("only {rate:.1} edits a second were made"));
    }
    judge("the other server lags", &lag, 99, LAG, &mut wrong);
    judge("its own edits take", &own, 99, EDIT, &mut wrong);
    judge(
        "who was removed is let in for",
        &removed,
        100,
        REMOVAL,
        &mut wrong,
    );
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Error::msg(wrong.join("; ")))
}

/// Makes the flags, on in development, by several hands.
fn fill(api: &Api) -> Outcome {
    const HANDS: usize = 8;
    let made = scope(|threads| {
        let hand = |first: usize| {
            let api = api.clone();
            threads.spawn(move || -> Outcome {
                for number in (first..FLAGS).step_by(HANDS) {
                    api.json("POST", FEATURES, Some(&json!({ "name": name(number) })))?;
                }
                Ok(())
            })
        };
        let hands: Vec<_> = (0..HANDS).map(hand).collect();
        hands.into_iter().map(|hand| hand.join()).collect::<Vec<_>>()
    });
    for hand in made {
        hand.map_err(|_panic| Error::msg("a thread broke off"))??;
    }
    Ok(())
}

fn name(number: usize) -> String {
    format!("flag-{number:05}")
}

fn switch(api: &Api, flag: &str, on: bool) -> Outcome<u16> {
    let to = if on { "on" } else { "off" };
    let path = format!("{FEATURES}/{flag}/environments/development/{to}");
    Ok(api.call("POST", &path, Some(&Value::Null))?.status)
}

/// Turns a flag on and off at the pace that was asked for, however long each edit takes.
fn edit_steadily(api: &Api, editor: usize, began: Instant, over: &AtomicBool, edits: &AtomicUsize) {
    let pace = Duration::from_secs_f64(EDITORS as f64 / EDITS);
    for number in 0_u32.. {
        if over.load(Ordering::Relaxed) {
            return;
        }
        sleep((began + pace * number).saturating_duration_since(Instant::now()));
        let flag = name(editor * 100 + usize::try_from(number).unwrap_or_default() / 2 % 100);
        if switch(api, &flag, number % 2 == 0).is_ok_and(|status| status == 200) {
            edits.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// How long after an edit on one server was acknowledged an SDK sees it on the other.
fn lag(one: &Api, other: &Api, began: Instant) -> Outcome<Vec<Duration>> {
    let mut lags = Vec::new();
    for number in 0.. {
        if began.elapsed() >= LASTING {
            break;
        }
        let (flag, on) = (name(1_000 + number / 2), number % 2 == 0);
        if switch(one, &flag, on)? != 200 {
            return Err(Error::msg("an edit was refused"));
        }
        let path = format!("/api/client/features/{flag}");
        lags.push(until(|| {
            Ok(other.json("GET", &path, None)?["enabled"] == json!(on))
        })?);
    }
    Ok(lags)
}

/// How long edits of the other server take.
fn own_edits(other: &Api, began: Instant) -> Outcome<Vec<Duration>> {
    let mut taken = Vec::new();
    for number in 0.. {
        if began.elapsed() >= LASTING {
            break;
        }
        let asked = Instant::now();
        let status = switch(other, &name(4_000 + number / 2), number % 2 == 0)?;
        taken.push(if status == 200 { asked.elapsed() } else { PATIENCE });
        sleep(Duration::from_millis(50));
    }
    Ok(taken)
}

/// How long after a token or an administrator was removed on one server the other lets them in.
fn removals(one: &Api, other: &Server, began: Instant) -> Outcome<Vec<Duration>> {
    let mut taken = Vec::new();
    for number in 0.. {
        if began.elapsed() >= LASTING {
            break;
        }
        let (token, gone, path) = if number % 2 == 0 {
            administrator(one, number)?
        } else {
            sdk(one, number)?
        };
        let api = Api {
            url: other.url.clone(),
            token,
        };
        until(|| Ok(api.call("GET", path, None)?.status == 200))?;
        one.json("DELETE", &gone, None)?;
        taken.push(until(|| Ok(api.call("GET", path, None)?.status == 401))?);
    }
    Ok(taken)
}

/// The secret of a new administrator, how they are removed, and what they may ask.
fn administrator(one: &Api, number: usize) -> Outcome<(String, String, &'static str)> {
    let body = json!({ "username": format!("admin-{number}"), "rootRole": "Admin" });
    let user = one.json("POST", "/api/admin/user-admin", Some(&body))?["id"].clone();
    let path = format!("/api/admin/user-admin/{user}");
    let body = json!({ "description": "nodes", "expiresAt": "2099-01-01T00:00:00Z" });
    let made = one.json("POST", &format!("{path}/tokens"), Some(&body))?;
    Ok((text(&made["secret"]), path, "/api/admin/projects"))
}

fn sdk(one: &Api, number: usize) -> Outcome<(String, String, &'static str)> {
    let body = json!({ "tokenName": format!("sdk-{number}"), "type": "client", "environment": "development", "projects": ["default"] });
    let secret = text(&one.json("POST", "/api/admin/api-tokens", Some(&body))?["secret"]);
    let path = format!("/api/admin/api-tokens/{secret}");
    Ok((secret, path, "/api/client/features/flag-00000"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// How long it takes until something holds.
fn until(holds: impl Fn() -> Outcome<bool>) -> Outcome<Duration> {
    let began = Instant::now();
    while !holds()? {
        if began.elapsed() >= PATIENCE {
            break;
        }
        sleep(Duration::from_millis(2));
    }
    Ok(began.elapsed())
}

/// Prints how long something took, and notes where it took longer than it may at a percentile.
fn judge(what: &str, taken: &[Duration], percentile: usize, most: Duration, wrong: &mut Vec<String>) {
    let mut sorted = taken.to_vec();
    sorted.sort_unstable();
    let at = |percent: usize| {
        let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(place).copied().unwrap_or(PATIENCE)
    };
    let figures: BTreeMap<_, _> = [50, 99, 100]
        .map(|percent| (percent, at(percent).as_millis()))
        .into();
    println!(
        "nodes: {what} {figures:?} ms at these percentiles of {}",
        sorted.len()
    );
    if at(percentile) > most {
        wrong.push(format!(
            "{what} {} ms at p{percentile}, and may {}",
            at(percentile).as_millis(),
            most.as_millis()
        ));
    }
}
