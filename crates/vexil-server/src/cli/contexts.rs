//! Contexts as people write them, and as they are asked.

use serde_json::{Map, Value, json};
use vexil_admin_api::playground::{assignment, read_assignments};
use vexil_preview::is_unseen;
use vexil_values::Instant;

use super::error::CommandError;

/// Reads `field=values;field=values` as the context of a question. What it does not name is unset, the name of the application too.
pub(super) fn context(text: &str) -> Result<Value, CommandError> {
    let assignments = read_assignments(text).map_err(CommandError)?;
    let mut context = document(assignments.into_iter().map(|one| (one.field, one.values)));
    context.entry("appName").or_insert_with(|| json!([""]));
    Ok(Value::Object(context))
}

/// A context as the body of a question has it: values with commas as a list, and what only a property can say among the properties.
pub(super) fn document(fields: impl Iterator<Item = (String, Vec<String>)>) -> Map<String, Value> {
    let (mut context, mut properties) = (Map::new(), Map::new());
    for (field, values) in fields {
        let is_moment = |value: &String| Instant::parse_rfc3339(value).is_some();
        let place = match field.as_str() {
            "properties" => &mut properties,
            "currentTime" if !values.iter().all(is_moment) => &mut properties,
            _ => &mut context,
        };
        let whole = values.iter().any(|value| value.contains(',')) || field == "appName";
        let value = match whole {
            true => json!(values),
            false => json!(values.join(",")),
        };
        place.insert(field, value);
    }
    if !properties.is_empty() {
        context.insert("properties".to_owned(), Value::Object(properties));
    }
    context
}

/// A context as an argument of a shell, which `vexil preview --context` reads again.
pub(super) fn argument(context: &Map<String, Value>) -> String {
    let fields = context
        .iter()
        .map(|(field, value)| assignment(field, value.as_str().unwrap_or_default()));
    in_shell(&fields.collect::<Vec<_>>().join(";"))
}

/// A text between quotes as a shell reads it. Letters that cannot be seen are written with their numbers, as `$'…'` of POSIX has it.
fn in_shell(text: &str) -> String {
    if !text.chars().any(is_unseen) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut quoted = "$'".to_owned();
    for letter in text.chars() {
        match letter {
            '\\' | '\'' => quoted.extend(['\\', letter]),
            _ if !is_unseen(letter) => quoted.push(letter),
            _ => {
                let mut bytes = [0; 4];
                let bytes = letter.encode_utf8(&mut bytes).bytes();
                quoted.extend(bytes.map(|byte| format!("\\{byte:03o}")));
            }
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_reads_the_same_and_nothing_unseen_is_printed() {
        for text in [
            "a",
            "it's",
            "a\nb",
            "\u{202e}a'\\n",
            "\u{1b}[31m1",
            "$(id)`id`",
            "",
            "\\",
            "é\u{200b}9",
            "\r\n",
        ] {
            let quoted = in_shell(text);
            let unseen = |letter: char| letter.is_control() || "\u{202e}\u{200b}".contains(letter);
            assert!(!quoted.contains(unseen), "{quoted}");
            let output = Command::new("bash")
                .args(["-c", &format!("printf %s {quoted}")])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text, "{quoted}");
        }
    }

    #[test]
    fn every_context_can_be_asked() {
        let context = context(r"x=a\,b,c;properties=p;currentTime=noon").unwrap();
        let expected = json!({ "x": ["a,b", "c"], "properties": { "properties": "p", "currentTime": "noon" }, "appName": [""] });
        assert_eq!(context, expected);
    }
}
