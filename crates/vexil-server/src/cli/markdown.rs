//! Proofs as Markdown, for a comment. Names and values come from others: none makes a link, a mention, markup or another row.

use serde_json::Value;
use vexil_preview::{is_unseen, seen};

use super::output::counted;
use super::prove_text::{list, share, verdict, word};
use super::warnings;

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
    write_rows(document, &mut text);
    text.push_str(&format!("\n{}", inert(word(document, "sentence"))));
    if let Some(nodes) = document.get("nodes").and_then(Value::as_u64) {
        text.push_str(&format!(" {nodes} nodes"));
    }
    if let Some(effect) = document.get("effect").and_then(Value::as_str) {
        text.push_str(&format!(", effect {}", inert(effect)));
    }
    text.push_str("\n\n");
    for undecided in list(document, "undecided") {
        let (flag, reason) = (word(undecided, "flag"), word(undecided, "reason"));
        text.push_str(&format!("- not decided: {}: {}\n", inert(flag), inert(reason)));
    }
    if let Some(checked) = document.get("checked") {
        text.push_str(&format!(
            "- {} checked by a second method\n",
            counted(checked, "flag")
        ));
    }
    for warning in warnings::lines(document) {
        text.push_str(&format!("- warning: {}\n", inert(&warning)));
    }
    for guard in list(document, "guards") {
        text.push_str(&format!("- guard {}\n", inert(&verdict(guard))));
    }
    text
}

/// A table of the flags that change, with a row for each region.
fn write_rows(document: &Value, text: &mut String) {
    let rows = list(document, "features");
    if !rows.is_empty() {
        text.push_str("| flag | change | who | share |\n|---|---|---|---|\n");
    }
    for feature in rows {
        for group in list(feature, "groups") {
            let mut row = |who: &str, share: &str| {
                let cells = [word(feature, "name"), word(group, "sentence"), who, share].map(cell);
                let [name, change, who, share] = cells;
                let place = match feature.get("environment").and_then(Value::as_str) {
                    Some(environment) => format!(" in {}", cell(environment)),
                    None => String::new(),
                };
                text.push_str(&format!("| {name}{place} | {change} | {who} | {share} |\n"));
            };
            for region in list(group, "boxes") {
                let share = share(region);
                row(
                    word(region, "sentence"),
                    share.trim().trim_end_matches(" of those, exactly"),
                );
            }
            if group.get("more") == Some(&Value::Bool(true)) {
                row("and more, too many to list", "");
            }
        }
    }
}

/// A text in a cell of a table, where a bar ends the cell even in code.
fn cell(text: &str) -> String {
    inert(text).replace('|', "\\|")
}

/// A text as it is where it is nothing but words and numbers, else as code, with letters that cannot be seen written out.
fn inert(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let seen = seen(text);
    // a fence longer than any within
    let fences = seen.split(|letter| letter != '`');
    let longest = fences.map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let is_edged = longest > 0 || seen.starts_with(' ') || seen.ends_with(' ');
    let space = if is_edged { " " } else { "" };
    format!("{fence}{space}{seen}{space}{fence}")
}

/// Whether a text is words and numbers; a point or colon is the end of one.
fn is_plain(text: &str) -> bool {
    let begins = text.chars().next().is_none_or(char::is_alphanumeric);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_end = letters.peek().is_none_or(|next| *next == ' ');
        let is_word = (letter.is_alphanumeric() && !is_unseen(letter)) || " ,-%>".contains(letter);
        if !is_word && (!is_end || !".:".contains(letter)) {
            return false;
        }
    }
    begins
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HOSTILE: [&str; 24] = [
        "<img src=x onerror=alert(1)>",
        "a|b",
        "a`b",
        "``",
        "` `` ```",
        "```\n# H",
        "[x](javascript:alert(1))",
        "![x](//e.example)",
        "@team",
        "#1",
        "www.e.example",
        "http://e.example",
        "a@e.example",
        "a\r\nb",
        "\u{202e}abc",
        "\u{1b}[31mred",
        "a\u{2028}b",
        "**b**",
        "_b_",
        "~~x~~",
        "$x$",
        ":smile:",
        "&lt;",
        "<!-- ",
    ];

    #[test]
    fn names_and_values_of_others_are_inert() {
        for hostile in HOSTILE {
            let told = inert(hostile);
            let fence: String = told.chars().take_while(|letter| *letter == '`').collect();
            let inner = told
                .strip_prefix(&fence)
                .and_then(|rest| rest.strip_suffix(&fence));
            assert!(
                !fence.is_empty() && inner.is_some_and(|inner| !inner.contains(&fence)),
                "{told}"
            );
            let unseen = |letter: char| letter.is_control() || "\u{202e}\u{2028}".contains(letter);
            assert!(!told.contains(unseen), "{told}");
            let bars = cell(hostile).replace("\\|", "");
            assert!(!bars.contains('|'), "{bars}");
        }
        for plain in [
            "off -> on",
            "country is NO or SE, userId in buckets 11 to 60 of checkout",
            "Nobody else changes: proven.",
            "",
        ] {
            assert_eq!(inert(plain), plain);
        }
    }

    #[test]
    fn every_group_is_a_row_and_what_is_left_out_is_said() {
        for hostile in HOSTILE {
            let region = json!({ "sentence": hostile });
            let group = json!({ "sentence": hostile, "boxes": [region], "more": true });
            let document = json!({
                "sentence": "Others may change: not everything could be decided.", "flags": { "changed": 1 }, "checked": 2,
                "features": [{ "name": hostile, "groups": [group] }], "undecided": [{ "flag": hostile, "reason": hostile }],
                "guards": [{ "guard": "at most 1 %", "flag": hostile, "verdict": "broken", "witness": { "context": { hostile: hostile } } }],
            });
            let text = markdown(&document);
            let rows = text.lines().filter(|line| line.starts_with("| ")).count();
            assert_eq!((rows, text.lines().count()), (3, 12), "{text}");
            assert!(text.contains("| and more, too many to list |"), "{text}");
            assert!(text.contains("2 flags checked by a second method"), "{text}");
        }
    }
}
