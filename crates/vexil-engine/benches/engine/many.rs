//! All flags for one user: decided, and written as the frontend API answers.

use std::collections::HashMap;
use std::hint::black_box;

use time::OffsetDateTime;
use vexil_client_api::frontend::{Toggle, write_toggles};
use vexil_engine::{Ambient, FlagName, OwnedResolved, Resolved};

use crate::measure::{alone, report, report_alone, versus};
use crate::state;

pub(crate) fn run() {
    for count in [1_000, 10_000] {
        let json = state::mix(count).to_string();
        let (ours, theirs) = (state::ours(json.as_bytes()), state::theirs(json.as_bytes()));
        let context = state::context("user-42");
        let their_context = state::their_context(&context);
        let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
        let decide = || {
            let prepared = ours.prepare(black_box(&context), &ambient);
            prepared
                .resolve_all()
                .filter(|flag| black_box(flag.variant).feature_enabled)
                .count()
        };
        let resolved = || theirs.resolve_all(black_box(&their_context), &None).unwrap();
        assert_eq!(decide(), resolved().values().filter(|flag| flag.enabled).count());
        report(&format!("E7: decide all {count}"), &versus(20, decide, resolved));
        let keep = || -> Vec<OwnedResolved> {
            let prepared = ours.prepare(black_box(&context), &ambient);
            prepared.resolve_all().map(Resolved::into_owned).collect()
        };
        report(&format!("decide and keep {count}"), &versus(20, keep, resolved));
        let keep_by_name = || -> HashMap<FlagName, OwnedResolved> {
            let prepared = ours.prepare(black_box(&context), &ambient);
            let all = prepared.resolve_all().map(Resolved::into_owned);
            all.map(|flag| (flag.name.clone(), flag)).collect()
        };
        report(
            &format!("decide and keep {count} by name"),
            &versus(20, keep_by_name, resolved),
        );
        let kept = keep();
        let map = || -> HashMap<FlagName, OwnedResolved> {
            let all = kept.iter().cloned();
            all.map(|flag| (flag.name.clone(), flag)).collect()
        };
        report_alone(&format!("    floor: a map of {count} alone"), &alone(20, map));
        let mut buffer = Vec::new();
        let write = || {
            buffer.clear();
            let prepared = ours.prepare(black_box(&context), &ambient);
            write_toggles(prepared.resolve_all().map(toggle), &mut buffer);
            buffer.len()
        };
        report(
            &format!("E8: decide and write {count}"),
            &versus(20, write, || their_answer(resolved())),
        );
    }
}

/// What a server on yggdrasil does: keep those that are on, sort, serialise.
fn their_answer(resolved: std::collections::HashMap<String, unleash_yggdrasil::ResolvedToggle>) -> String {
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct TheirToggle {
        name: String,
        enabled: bool,
        variant: unleash_yggdrasil::ExtendedVariantDef,
        impression_data: bool,
    }
    let on = resolved.into_iter().filter(|(_, flag)| flag.enabled);
    let mut toggles: Vec<TheirToggle> = on
        .map(|(name, flag)| TheirToggle {
            name,
            enabled: flag.enabled,
            variant: flag.variant,
            impression_data: flag.impression_data,
        })
        .collect();
    toggles.sort_by(|a, b| a.name.cmp(&b.name));
    serde_json::to_string(&serde_json::json!({ "toggles": toggles })).unwrap()
}

fn toggle(flag: vexil_engine::Resolved<'_>) -> Toggle<'_> {
    Toggle {
        name: flag.name,
        impression_data: flag.impression_data,
        variant: flag.variant,
    }
}
