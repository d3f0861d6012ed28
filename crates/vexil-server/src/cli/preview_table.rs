//! A difference as a table for people.

use std::fmt::Write;

use serde_json::Value;
use vexil_preview::quoted;

use super::output::counted;

/// The transitions in the order of the table, with the heads of their columns.
const COLUMNS: [(&str, &str); 8] = [
    ("offToOn", "off>on"),
    ("onToOff", "on>off"),
    ("variantChanged", "variant"),
    ("becomesUnknown", "unknown"),
    ("noLongerUnknown", "known"),
    ("appears", "new"),
    ("disappears", "gone"),
    ("unchanged", "same"),
];

/// Writes the answer to a question for the difference.
pub(super) fn write(answer: &Value) -> String {
    let mut out = String::new();
    heading(answer, &mut out);
    let features = list(answer, "features");
    if features.is_empty() {
        out.push_str("Nothing changes for these contexts.\n");
    } else {
        table(answer, features, &mut out);
    }
    for feature in features {
        self::feature(feature, &mut out);
    }
    population(answer, &mut out);
    recent(answer, &mut out);
    out
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A number, or whatever else stands there, as text.
fn number(value: &Value, path: &str) -> String {
    value.pointer(path).map(ToString::to_string).unwrap_or_default()
}

/// Appends one line. Writing to a string does not fail.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn heading(answer: &Value, out: &mut String) {
    let place = format!(
        "project {}, environment {}",
        quoted(text(answer, "project")),
        quoted(text(answer, "environment"))
    );
    match answer.get("changeRequest") {
        Some(id) => line(out, format_args!("Change request {id}: {place}")),
        None => line(out, format_args!("Preview: {place}")),
    }
    line(
        out,
        format_args!(
            "{} of context values; flags: {} compared, {} changed, {} unchanged ({})\n",
            counted(number(answer, "/combinations"), "combination"),
            number(answer, "/flags/compared"),
            number(answer, "/flags/changed"),
            number(answer, "/flags/unchanged"),
            counted(number(answer, "/evaluations"), "evaluation"),
        ),
    );
}

/// How many of those who asked lately would notice.
fn recent(answer: &Value, out: &mut String) {
    if answer.get("recent").is_some() {
        line(
            out,
            format_args!(
                "{} of the last {} contexts would change",
                number(answer, "/recent/changed"),
                number(answer, "/recent/contexts"),
            ),
        );
    }
}

fn table(answer: &Value, features: &[Value], out: &mut String) {
    let total = serde_json::json!({ "counts": answer.get("counts") });
    let rows: Vec<&Value> = features.iter().chain([&total]).collect();
    let count = |row: &Value, key: &str| number(row, &format!("/counts/{key}"));
    let shown: Vec<(&str, &str)> = COLUMNS
        .into_iter()
        .filter(|(key, _)| {
            matches!(*key, "offToOn" | "onToOff" | "variantChanged" | "unchanged")
                || count(&total, key) != "0"
        })
        .collect();
    let names = rows
        .iter()
        .map(|row| name(row).chars().count())
        .max()
        .unwrap_or_default();
    let width = |key: &str, head: &str| {
        rows.iter()
            .map(|row| count(row, key).len())
            .chain([head.len()])
            .max()
            .unwrap_or_default()
            + 2
    };
    let heads: String = shown
        .iter()
        .map(|(key, head)| format!("{head:>0$}", width(key, head)))
        .collect();
    line(out, format_args!("{:names$}{heads}", ""));
    for row in &rows {
        let cells = shown
            .iter()
            .map(|(key, head)| format!("{:>1$}", count(row, key), width(key, head)));
        line(
            out,
            format_args!("{:names$}{}", name(row), cells.collect::<String>()),
        );
    }
}

/// The name of a flag; all have none.
fn name(row: &Value) -> String {
    let name = row.get("name").and_then(Value::as_str);
    name.map_or_else(|| "all flags".to_owned(), quoted)
}

fn feature(feature: &Value, out: &mut String) {
    line(out, format_args!("\n{}", name(feature)));
    for group in list(feature, "groups") {
        let side = |key: &str| outcome(group.get(key).unwrap_or(&Value::Null));
        line(
            out,
            format_args!(
                "  {} -> {}  ({} of the combinations, such as number {})\n      {}",
                side("before"),
                side("after"),
                number(group, "/combinations"),
                number(group, "/cell/combination"),
                text(group, "sentence"),
            ),
        );
    }
    for rollout in list(feature, "rollouts") {
        let percentage = |side: &str| match rollout.pointer(&format!("/{side}/buckets/1")) {
            Some(percentage) => format!("{percentage} %"),
            None => "none".to_owned(),
        };
        line(
            out,
            format_args!(
                "  rollout of strategy {}: {} -> {}; {} enter, {} leave{}",
                quoted(text(rollout, "strategy")),
                percentage("before"),
                percentage("after"),
                percent(rollout.get("enters")),
                percent(rollout.get("leaves")),
                redrawn(rollout),
            ),
        );
    }
    for variants in list(feature, "variants") {
        let place = match variants.get("strategy").and_then(Value::as_str) {
            Some(strategy) => format!("strategy {}", quoted(strategy)),
            None => "the flag".to_owned(),
        };
        let stays = percent(variants.get("stays"));
        line(
            out,
            format_args!("  variants of {place}: {stays} keep theirs{}", redrawn(variants)),
        );
        for one in list(variants, "moves") {
            let name = |key: &str| {
                one.get(key)
                    .and_then(Value::as_str)
                    .map_or_else(|| "none".to_owned(), quoted)
            };
            line(
                out,
                format_args!(
                    "      {} -> {}: {}",
                    name("from"),
                    name("to"),
                    percent(one.get("share"))
                ),
            );
        }
    }
}

fn redrawn(movement: &Value) -> &'static str {
    if movement.get("redrawn") == Some(&Value::Bool(true)) {
        " (group or stickiness changes: everybody is drawn anew)"
    } else {
        ""
    }
}

fn percent(share: Option<&Value>) -> String {
    let percent = share
        .and_then(|share| share.get("percent"))
        .and_then(Value::as_f64)
        .unwrap_or_default();
    format!("{} %", (percent * 1000.0).round() / 1000.0)
}

fn population(answer: &Value, out: &mut String) {
    let Some(population) = answer.get("population") else {
        return;
    };
    let share = |path: &str| {
        let share = population
            .pointer(path)
            .and_then(Value::as_f64)
            .unwrap_or_default();
        format!("{:.2} %", share * 100.0)
    };
    line(
        out,
        format_args!(
            "\n{} of {} synthetic users are hit: {}, with 95 % confidence {} to {}",
            number(population, "/hit"),
            number(population, "/users"),
            share("/share"),
            share("/interval/low"),
            share("/interval/high"),
        ),
    );
}

/// What a flag is on one side, in words.
pub(super) fn outcome(side: &Value) -> String {
    if side.get("exists") == Some(&Value::Bool(false)) {
        return "not there".to_owned();
    }
    match side.get("enabled") {
        Some(Value::Bool(true)) => match side.pointer("/variant/name").and_then(Value::as_str) {
            Some(variant) => format!("on with variant {}", quoted(variant)),
            None => "on".to_owned(),
        },
        Some(Value::String(unknown)) => unknown.clone(),
        _ => "off".to_owned(),
    }
}
