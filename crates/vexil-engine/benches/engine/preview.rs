//! Many contexts for many flags, as previews ask.

use std::collections::HashMap;
use std::hint::black_box;

use time::OffsetDateTime;
use vexil_domain::Context;
use vexil_engine::{Ambient, Engine, FlagId};

use crate::measure::{alone, report_alone};
use crate::state;

/// Contexts that differ in `fields` fields of four values each.
fn contexts(fields: u32) -> Vec<Context> {
    const FIELDS: [&str; 6] = ["userId", "country", "plan", "age", "version", "device"];
    (0..4_usize.pow(fields))
        .map(|combination| {
            let mut context = state::context("user-42");
            for (place, field) in FIELDS.iter().take(fields as usize).enumerate() {
                let value = combination >> (2 * place) & 3;
                match *field {
                    "age" => context.set(field, format!("{}", 16 + value)),
                    "version" => context.set(field, format!("1.{value}.0")),
                    _ => context.set(field, format!("{field}-{value}")),
                }
            }
            context
        })
        .collect()
}

pub(crate) fn run() {
    let engine = state::ours(state::mix(500).to_string().as_bytes());
    let ids: Vec<FlagId> = engine.flags().collect();
    let users = contexts(4);
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let decided = || {
        let mut on = 0_u32;
        for context in &users {
            let prepared = engine.prepare(black_box(context), &ambient);
            on += ids
                .iter()
                .map(|id| u32::from(prepared.is_enabled_by(*id)))
                .sum::<u32>();
        }
        on
    };
    report_alone("P3: decide 500 flags x 256", &alone(9, decided));
    for (flags, fields) in [(500, 4), (500, 5), (500, 6), (1_000, 5), (2_000, 5)] {
        let engine = state::ours(state::mix(flags).to_string().as_bytes());
        let users = contexts(fields);
        let what = format!("explain {flags} flags x {} each", users.len());
        report_alone(&what, &alone(3, || explain_each(&engine, &users, &ambient)));
        let what = format!("explain {flags} x {} by projection", users.len());
        report_alone(
            &what,
            &alone(3, || explain_projections(&engine, &users, &ambient)),
        );
    }
}

fn explain_each(engine: &Engine, users: &[Context], ambient: &Ambient<'_>) -> usize {
    let mut on = 0;
    for context in users {
        let prepared = engine.prepare(context, ambient);
        on += engine
            .flags()
            .filter(|id| black_box(prepared.explain_by(*id)).is_some_and(|explanation| explanation.enabled))
            .count();
    }
    on
}

/// Each flag once for each distinct projection of the contexts onto the fields that it reads.
fn explain_projections(engine: &Engine, users: &[Context], ambient: &Ambient<'_>) -> usize {
    let mut on = 0;
    for id in engine.flags() {
        let reads = engine.reads(id);
        let mut known: HashMap<Vec<Option<&str>>, bool> = HashMap::new();
        for context in users {
            let projection = reads.iter().map(|field| context.get(field)).collect();
            let enabled = known.entry(projection).or_insert_with(|| {
                black_box(engine.explain_by(id, context, ambient))
                    .is_some_and(|explanation| explanation.enabled)
            });
            on += usize::from(*enabled);
        }
    }
    on
}
