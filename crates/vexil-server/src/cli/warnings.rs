//! What an answer warns of, for a person: beside the answer, so that whoever reads that alone reads nothing else.

use std::io::Write;

use serde_json::Value;
use vexil_preview::seen;

use super::prove_text::{list, word};

/// Writes the warnings of an answer to stderr, one a line.
pub(super) fn tell(command: &str, document: &Value) {
    write(command, &lines(document));
}

/// Writes warnings to stderr, one a line.
pub(super) fn write(command: &str, lines: &[String]) {
    let lines = lines
        .iter()
        .map(|line| format!("vexil {command}: warning: {line}\n"));
    let text: String = lines.collect();
    // nothing is left to tell when even stderr is closed
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Each warning of an answer, in letters that can be seen.
pub(super) fn lines(document: &Value) -> Vec<String> {
    let Some(warnings) = document.get("warnings") else {
        return Vec::new();
    };
    let stale = list(warnings, "changeRequestConflicts")
        .iter()
        .map(|one| word(one, "message").to_owned());
    let closed = list(warnings, "notUnderstood").iter().map(|one| {
        let sides: Vec<&str> = list(one, "sides").iter().filter_map(Value::as_str).collect();
        let sides = match sides.as_slice() {
            [] => String::new(),
            sides => format!("{}: ", sides.join(" and ")),
        };
        format!("{sides}{}: {}", word(one, "place"), word(one, "message"))
    });
    stale.chain(closed).map(|line| seen(&line)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::lines;

    #[test]
    fn each_warning_is_a_line_in_letters_that_can_be_seen() {
        let closed = |sides: &[&str]| json!({ "sides": sides, "place": "flag `a\n\u{202e}`", "message": "it is 'off'" });
        let document = json!({ "warnings": {
            "changeRequestConflicts": [{ "changeId": 1, "code": "stale", "message": "somebody was faster" }],
            "notUnderstood": [closed(&["before", "after"]), closed(&["after"]), { "place": "segment 1", "message": "off" }],
        } });
        let expected = [
            "somebody was faster",
            "before and after: flag `a\\n\\u{202e}`: it is 'off'",
            "after: flag `a\\n\\u{202e}`: it is 'off'",
            "segment 1: off",
        ];
        assert_eq!(lines(&document), expected);
        assert!(lines(&json!({})).is_empty());
    }
}
