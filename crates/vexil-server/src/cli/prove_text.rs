//! Proofs for people: as text, and as Markdown.

use itertools::Itertools;
use serde_json::Value;

use super::preview_table::outcome;

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A proof as text.
pub(super) fn text(document: &Value) -> String {
    let mut text = String::new();
    for feature in list(document, "features") {
        for group in list(feature, "groups") {
            text.push_str(&format!("{}   {}\n", word(feature, "name"), change(group)));
            for region in list(group, "boxes") {
                text.push_str(&format!("    {}{}\n", word(region, "sentence"), share(region)));
            }
            if group.get("more") == Some(&Value::Bool(true)) {
                text.push_str("    and more, too many to list\n");
            }
        }
    }
    text.push_str(&format!("{}\n", sentence(document)));
    if let Some(checked) = document.get("checked") {
        text.push_str(&format!("{checked} flags checked by a second method\n"));
    }
    for guard in list(document, "guards") {
        text.push_str(&format!("guard {}\n", verdict(guard)));
    }
    text
}

/// The last line of a proof: what is proven, and the effect.
pub(super) fn sentence(document: &Value) -> String {
    let mut text = word(document, "sentence").to_owned();
    for undecided in list(document, "undecided") {
        text.push_str(&format!(
            "\n    {}: {}",
            word(undecided, "flag"),
            word(undecided, "reason")
        ));
    }
    if let Some(nodes) = document.get("nodes") {
        text.push_str(&format!("   {nodes} nodes"));
    }
    if let Some(effect) = document.get("effect").and_then(Value::as_str) {
        text.push_str(&format!("   effect {effect}"));
    }
    text
}

fn change(group: &Value) -> String {
    let side = |name: &str| outcome(group.get(name).unwrap_or(&Value::Null));
    format!("{} -> {}", side("before"), side("after"))
}

fn share(region: &Value) -> String {
    let percent = region.pointer("/share/percent").and_then(Value::as_f64);
    percent.map_or_else(String::new, |percent| {
        format!("   {} % of those, exactly", (percent * 1e6).round() / 1e6)
    })
}

/// A guard with what became of it, and a context that can be replayed with `vexil preview`.
fn verdict(guard: &Value) -> String {
    let name = word(guard, "guard");
    match word(guard, "verdict") {
        "holds" => format!("{name}: holds, proven"),
        "broken" => {
            let share = guard.pointer("/share/percent").and_then(Value::as_f64);
            let share = share.map_or_else(String::new, |percent| {
                format!(" ({} % change)", (percent * 1e6).round() / 1e6)
            });
            let example = guard.get("witness").and_then(|witness| witness.get("context"));
            let example = example.and_then(Value::as_object).map(|context| {
                let fields = context
                    .iter()
                    .map(|(field, value)| format!("{field}={}", value.as_str().unwrap_or_default()))
                    .join(";");
                if fields.is_empty() {
                    "an empty context".to_owned()
                } else {
                    format!("'{fields}'")
                }
            });
            let example = example.map_or_else(String::new, |example| format!(", for example by {example}"));
            format!("{name}: BROKEN{share} by {}{example}", word(guard, "flag"))
        }
        _ => format!("{name}: not decided"),
    }
}

/// A proof as Markdown.
pub(super) fn markdown(document: &Value) -> String {
    let mut text = String::new();
    let changed = document
        .pointer("/flags/changed")
        .and_then(Value::as_u64)
        .unwrap_or_default();
    let flags = if changed == 1 {
        "flag changes"
    } else {
        "flags change"
    };
    text.push_str(&format!("**{changed} {flags}**\n\n"));
    let rows = list(document, "features");
    if !rows.is_empty() {
        text.push_str("| flag | change | who | share |\n|---|---|---|---|\n");
    }
    for feature in rows {
        for group in list(feature, "groups") {
            for region in list(group, "boxes") {
                let share = share(region);
                let share = share.trim().trim_end_matches(" of those, exactly");
                let cells = [
                    word(feature, "name").to_owned(),
                    change(group),
                    word(region, "sentence").to_owned(),
                    share.to_owned(),
                ];
                let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
                text.push_str(&format!("| {} |\n", cells.join(" | ")));
            }
        }
    }
    text.push_str(&format!("\n{}\n", sentence(document)));
    for guard in list(document, "guards") {
        text.push_str(&format!("- guard {}\n", verdict(guard)));
    }
    text
}
