//! The proof of whom a change touches: what is asked.

use serde_json::Value;
use vexil_client_api::json::{Node, Problems};
use vexil_preview::{ContextSet, Guard, Share};

use super::assignments::read_assignments;
use super::part::Part;

/// What is asked of a proof: the guards.
#[derive(Debug, Default)]
pub struct ProofQuestion {
    /// In the order `never`, `only`, `atMost`.
    pub guards: Vec<Guard>,
}

/// `{"never": ["plan=enterprise"], "only": [], "atMost": "10%"}`.
impl Part for ProofQuestion {
    fn members() -> Vec<&'static str> {
        vec!["never", "only", "atMost"]
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let mut guards = Vec::new();
        for (name, make) in [
            ("never", Guard::Never as fn(ContextSet) -> Guard),
            ("only", Guard::Only),
        ] {
            let place = node.get(name);
            let Some(value) = place.value() else {
                continue;
            };
            let texts: Option<Vec<&str>> = match value {
                Value::String(text) => Some(vec![text]),
                Value::Array(list) => list.iter().map(Value::as_str).collect(),
                _ => None,
            };
            for text in texts.iter().flatten() {
                match read_set(text) {
                    Ok(set) => guards.push(make(set)),
                    Err(message) => problems.refuse(place.path(), &message, value),
                }
            }
            if texts.is_none() {
                problems.refuse(
                    place.path(),
                    "must be a list of texts such as `plan=enterprise;country=NO,SE`",
                    value,
                );
            }
        }
        let place = node.get("atMost").nullable();
        if let Some(value) = place.value() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match read_share(&text) {
                Ok(share) => guards.push(Guard::AtMost(share)),
                Err(message) => problems.refuse(place.path(), &message, value),
            }
        }
        Some(Self { guards })
    }
}

/// Reads `field=value,value;field=value`; an empty value means that the field is unset.
///
/// # Errors
///
/// Why it is none, for people. A value with a bare space at an end is refused: a guard that nobody meets holds.
pub fn read_set(text: &str) -> Result<ContextSet, String> {
    let assignments = read_assignments(text)?;
    if assignments.is_empty() {
        return Err("must name a field, such as `plan=enterprise`".to_owned());
    }
    if let Some(padded) = assignments.iter().find_map(|one| one.padded.as_ref()) {
        return Err(format!(
            "`{padded}` begins or ends with a space; leave it out, or write `\\ ` where the value has one"
        ));
    }
    let fields = assignments.into_iter().map(|one| (one.field, one.values));
    Ok(ContextSet {
        fields: fields.collect(),
    })
}

/// Reads a share: `10%`, `0.5 %` or `33.3`, all of a hundred, exactly.
///
/// # Errors
///
/// Why it is none, for people.
pub fn read_share(text: &str) -> Result<Share, String> {
    let bad = || format!("`{text}` is not a percentage from 0 to 100, such as `10%`");
    let number = text.trim();
    let number = number.strip_suffix('%').unwrap_or(number).trim_end();
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let empty = whole.is_empty() || fraction.is_empty();
    if empty || !digits(whole) || !digits(fraction) || whole.len() > 3 || fraction.len() > 12 {
        return Err(bad());
    }
    let scale = 10_u128.pow(fraction.len() as u32);
    let parts: u128 = format!("{whole}{fraction}")
        .parse::<u128>()
        .ok()
        .ok_or_else(bad)?;
    if parts > 100 * scale {
        return Err(bad());
    }
    Ok(Share::new(parts, 100 * scale))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn percentages_are_read_exactly() {
        for (text, share) in [
            ("10%", Share::new(1, 10)),
            ("0.5 %", Share::new(1, 200)),
            ("33.3", Share::new(333, 1000)),
            ("100%", Share::ALL),
            ("0", Share::NONE),
        ] {
            assert_eq!(read_share(text), Ok(share), "{text}");
        }
        for text in [
            "", "%", "-1%", "101%", "1e1", "10%%x", "10%%", "10.", ".5", "+5", "1000", "ten",
        ] {
            assert!(read_share(text).is_err(), "{text}");
        }
    }

    #[test]
    fn guards_are_read_and_all_that_is_wrong_is_listed() {
        let body = json!({ "never": ["plan=enterprise"], "only": ["country=NO,SE;plan="], "atMost": "10%" });
        let question = ProofQuestion::read(&body).unwrap();
        let texts: Vec<String> = question.guards.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "never plan=enterprise",
                "only country=NO,SE;plan=unset",
                "at most 10 %"
            ]
        );
        let problems =
            ProofQuestion::read(&json!({ "never": ["plan"], "only": 3, "atMost": "x" })).unwrap_err();
        assert_eq!(problems.len(), 3);
        assert!(ProofQuestion::read(&json!({})).unwrap().guards.is_empty());
    }

    #[test]
    fn a_guard_that_cannot_be_meant_is_refused() {
        for text in [
            "",
            ";",
            "=x",
            "=",
            "plan",
            "plan=a;plan=b",
            "plan=a, b",
            "plan= a",
            "plan=a ;x=b",
        ] {
            assert!(read_set(text).is_err(), "{text}");
        }
        let set = read_set(r"company=Acme\,\ Inc,\ x;plan=").unwrap();
        let fields = [("company", vec!["Acme, Inc", " x"]), ("plan", vec![""])];
        let told: Vec<_> = set
            .fields
            .iter()
            .map(|(field, values)| (field.as_str(), values.iter().map(String::as_str).collect()))
            .collect();
        assert_eq!(told, fields);
    }
}
