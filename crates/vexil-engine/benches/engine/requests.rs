//! Whole requests: a context is built from its parts, and some flags are asked for.

use std::hint::black_box;

use time::OffsetDateTime;
use vexil_domain::Context;
use vexil_engine::{Ambient, FlagId};

use crate::measure::{each, report, versus};
use crate::state;
use crate::users::{USERS, properties};

pub(crate) fn run() {
    let json = state::scenarios().to_string();
    let (ours, theirs) = (state::ours(json.as_bytes()), state::theirs(json.as_bytes()));
    // their engine reads the clock
    let now = OffsetDateTime::from_unix_timestamp(1_764_000_000).unwrap();
    let ambient = Ambient::new(now, 0);
    let names: Vec<String> = (0..USERS * 20)
        .map(|place| state::name_of(place * 7_919 % 10_000))
        .collect();
    let ids: Vec<FlagId> = names.iter().map(|name| ours.flag(name).unwrap()).collect();
    for count in [8, 30] {
        println!("\n## context of {count} properties, built for each request");
        let parts: Vec<Vec<(String, String)>> = (0..USERS).map(|number| properties(number, count)).collect();
        let users: Vec<String> = (0..USERS).map(|number| format!("user-{number}")).collect();
        for flags in [1, 5, 20] {
            let their_request = |at: usize| {
                let context = unleash_yggdrasil::Context {
                    user_id: Some(users[at].clone()),
                    properties: Some(parts[at].iter().cloned().collect()),
                    ..unleash_yggdrasil::Context::default()
                };
                let asked = &names[at * 20..at * 20 + flags];
                asked
                    .iter()
                    .filter(|name| theirs.is_enabled(black_box(name), &context, &None))
                    .count()
            };
            let context = |at: usize| {
                let mut context = Context {
                    user_id: Some(users[at].clone()),
                    ..Context::default()
                };
                context
                    .properties
                    .extend(parts[at].iter().map(|(name, value)| (name, value)));
                context
            };
            let direct = |at: usize| {
                let context = context(at);
                let asked = &names[at * 20..at * 20 + flags];
                asked
                    .iter()
                    .filter(|name| ours.is_enabled(black_box(name), &context, &ambient))
                    .count()
            };
            let prepared = |at: usize| {
                let context = context(at);
                let prepared = ours.prepare(&context, &ambient);
                let asked = &names[at * 20..at * 20 + flags];
                asked
                    .iter()
                    .filter(|name| prepared.is_enabled(black_box(name)))
                    .count()
            };
            let by_handle = |at: usize| {
                let context = context(at);
                let asked = &ids[at * 20..at * 20 + flags];
                asked
                    .iter()
                    .filter(|id| ours.is_enabled_by(black_box(**id), &context, &ambient))
                    .count()
            };
            let all =
                |work: &dyn Fn(usize) -> usize| (0..USERS).map(|user| black_box(work(user))).sum::<usize>();
            assert_eq!(all(&direct), all(&prepared));
            assert_eq!(all(&direct), all(&by_handle));
            assert_eq!(all(&direct), all(&their_request));
            for (how, work) in [
                ("by name", &direct as &dyn Fn(usize) -> usize),
                ("prepared", &prepared),
                ("by handle", &by_handle),
            ] {
                let both = versus(15, || all(work), || all(&their_request));
                report(&format!("request of {flags} flags, {how}"), &each(both, USERS));
            }
        }
    }
}
