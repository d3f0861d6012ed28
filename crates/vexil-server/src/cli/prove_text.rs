//! Proofs for people. Names and values come from others: none is printed with letters that cannot be seen.

use serde_json::Value;
use vexil_preview::quoted;

use super::contexts::argument;
use super::output::counted;

pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

pub(super) fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A proof as text.
pub(super) fn text(document: &Value) -> String {
    let mut text = String::new();
    for feature in list(document, "features") {
        for group in list(feature, "groups") {
            let name = quoted(word(feature, "name"));
            let place = elsewhere(feature);
            text.push_str(&format!("{name}{place}   {}\n", word(group, "sentence")));
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
        text.push_str(&format!(
            "{} checked by a second method\n",
            counted(checked, "flag")
        ));
    }
    for guard in list(document, "guards") {
        text.push_str(&format!("guard {}\n", verdict(guard)));
    }
    text
}

/// The last line below a difference: what is proven of the contexts that were not tried.
pub(super) fn beyond(document: &Value, difference: &Value) -> String {
    let count = |path: &str| difference.pointer(path).and_then(Value::as_u64);
    let is_complete = document.get("complete") == Some(&Value::Bool(true));
    let other = list(document, "features")
        .iter()
        .map(elsewhere)
        .find(|place| !place.is_empty());
    if let (true, Some(place)) = (is_complete, other) {
        let said = format!("Others change{place}, which is not tried here; `vexil prove` shows all.");
        return line(document, &said);
    }
    match (count("/covers/regions"), count("/covers/covered")) {
        _ if !is_complete => sentence(document),
        (Some(regions), Some(covered)) if covered >= regions => sentence(document),
        (Some(regions), Some(covered)) => {
            let open = regions - covered;
            let said = format!(
                "Others change: {open} of {regions} regions are not tried here; `vexil prove` shows all."
            );
            line(document, &said)
        }
        _ => line(
            document,
            "Others may change: whether every region is tried is not known; `vexil prove` shows all.",
        ),
    }
}

/// The last line of a proof: what is proven, and the effect.
fn sentence(document: &Value) -> String {
    line(document, word(document, "sentence"))
}

fn line(document: &Value, said: &str) -> String {
    let mut text = said.to_owned();
    for undecided in list(document, "undecided") {
        text.push_str(&format!(
            "\n    {}: {}",
            quoted(word(undecided, "flag")),
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

/// In which other environment it is, such as ` in production`; nothing for the one that was asked about.
pub(super) fn elsewhere(told: &Value) -> String {
    let environment = told.get("environment").and_then(Value::as_str);
    environment.map_or_else(String::new, |name| format!(" in {}", quoted(name)))
}

pub(super) fn share(region: &Value) -> String {
    let percent = region.pointer("/share/percent").and_then(Value::as_f64);
    percent.map_or_else(String::new, |percent| {
        format!("   {} % of those, exactly", (percent * 1e6).round() / 1e6)
    })
}

/// A guard with what became of it, and a context that can be replayed with `vexil preview`.
pub(super) fn verdict(guard: &Value) -> String {
    let name = word(guard, "guard");
    match (word(guard, "verdict"), guard.get("flag").and_then(Value::as_str)) {
        ("holds", _) => format!("{name}: holds, proven"),
        ("broken", Some(flag)) => {
            let share = guard.pointer("/share/percent").and_then(Value::as_f64);
            let share = share.map_or_else(String::new, |percent| {
                format!(" ({} % change)", (percent * 1e6).round() / 1e6)
            });
            let example = guard.get("witness").map_or_else(String::new, example);
            format!(
                "{name}: BROKEN{share} by {}{}{example}",
                quoted(flag),
                elsewhere(guard)
            )
        }
        ("broken", None) => format!("{name}: BROKEN, it is another one"),
        _ => format!("{name}: not decided"),
    }
}

/// What shows it: arguments for `vexil preview`, and what no argument can say.
fn example(witness: &Value) -> String {
    let Some(context) = witness.get("context").and_then(Value::as_object) else {
        return String::new();
    };
    let mut text = format!(", for example by {}", argument(context));
    if context.is_empty() {
        text.push_str(" (an empty context)");
    }
    for (member, option) in [("seed", "--seed"), ("now", "--now")] {
        if let Some(value) = witness.get(member).and_then(Value::as_str) {
            text.push_str(&format!(" {option} {value}"));
        }
    }
    if let Some(host) = witness.get("hostName").and_then(Value::as_str) {
        text.push_str(&format!(" on the host {}", quoted(host)));
    }
    for strategy in list(witness, "strategies") {
        let says = if strategy.get("says") == Some(&Value::Bool(true)) {
            "yes"
        } else {
            "no"
        };
        text.push_str(&format!(
            " where strategy {} says {says}",
            quoted(word(strategy, "name"))
        ));
    }
    text
}
