//! Expectations: what a change must leave or make, checked cell by cell.

use std::path::Path;

use itertools::Itertools;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use vexil_admin_api::playground::{DiffQuestion, Part};
use vexil_preview::{quoted, seen};
use vexil_service::operations::Error;

use super::contexts::context;
use super::error::{CommandError, read_json};
use super::output::counted;
use super::source::Source;

/// The most contexts that one expectation may stand for.
const MOST_CELLS: u128 = 10_000;

/// What must hold after a change.
#[derive(Debug)]
pub(super) struct Expectations(Vec<Expectation>);

/// What must hold of one flag, for some contexts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    /// The expectation in a person's words.
    name: Option<String>,
    /// The flag.
    flag: String,
    /// `userId=ceo;country=NO,SE`, or the context as an object.
    context: Value,
    /// `true`, `false` or `"unknown"`.
    enabled: Option<Value>,
    /// The name of the variant.
    variant: Option<String>,
    /// Whether it must be as it was.
    unchanged: Option<bool>,
}

/// What came of checking.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// How many were checked, where any were asked for.
    checked: Option<usize>,
    pub(super) broken: Vec<Unmet>,
}

/// A cell that is not as expected.
#[derive(Debug)]
pub(super) struct Unmet {
    title: String,
    flag: String,
    cell: Map<String, Value>,
    expected: Vec<String>,
    answer: Value,
}

impl Expectations {
    pub(super) fn read(path: &Path) -> Result<Self, CommandError> {
        let place = path.display();
        let list: Vec<Expectation> = serde_json::from_value(read_json(path)?).map_err(|error| {
            CommandError(format!("`{place}` must be a list of {{\"flag\", \"context\", \"enabled\" | \"variant\" | \"unchanged\"}}: {error}"))
        })?;
        for (number, one) in (1..).zip(&list) {
            if one.enabled.is_none() && one.variant.is_none() && one.unchanged != Some(true) {
                return Err(CommandError(format!(
                    "`{place}`: expectation {number} expects nothing; say `enabled`, `variant` or `unchanged: true`"
                )));
            }
        }
        Ok(Self(list))
    }

    pub(super) fn check(
        &self,
        source: &Source,
        common: &Map<String, Value>,
    ) -> Result<Findings, CommandError> {
        let mut findings = Findings {
            checked: Some(self.0.len()),
            broken: Vec::new(),
        };
        for (number, expectation) in (1..).zip(&self.0) {
            let checked = expectation.check(number, source, common, &mut findings);
            checked.map_err(|error| CommandError(format!("expectation {number}: {error}")))?;
        }
        Ok(findings)
    }
}

impl Expectation {
    fn check(
        &self,
        number: usize,
        source: &Source,
        common: &Map<String, Value>,
        findings: &mut Findings,
    ) -> Result<(), CommandError> {
        let mut body = common.clone();
        let asked = match &self.context {
            Value::String(text) => context(text)?,
            Value::Object(fields) => {
                let mut fields = fields.clone();
                fields.entry("appName").or_insert_with(|| json!([""]));
                Value::Object(fields)
            }
            other => other.clone(),
        };
        body.insert("context".to_owned(), asked);
        let question = DiffQuestion::read(&Value::Object(body.clone())).map_err(Error::from)?;
        let count = question.matrix.count();
        if count > MOST_CELLS {
            let message = format!("it stands for {count} contexts, more than {MOST_CELLS}");
            return Err(CommandError(message));
        }
        body.insert("flag".to_owned(), json!(self.flag));
        for cell in 0..count {
            body.insert("combination".to_owned(), json!(cell as u64));
            let answer = source.explain(&Value::Object(body.clone()))?;
            let expected = self.disappointed(&answer);
            if !expected.is_empty() {
                let title = match &self.name {
                    Some(name) => format!("expectation {number} (\"{}\")", seen(name)),
                    None => format!("expectation {number}"),
                };
                let cell = answer
                    .get("context")
                    .and_then(Value::as_object)
                    .cloned()
                    .unwrap_or_default();
                findings.broken.push(Unmet {
                    title,
                    flag: self.flag.clone(),
                    cell,
                    expected,
                    answer,
                });
            }
        }
        Ok(())
    }

    /// What is expected and is not so.
    fn disappointed(&self, answer: &Value) -> Vec<String> {
        let after = |key: &str| answer.get("after").and_then(|after| after.get(key));
        let mut expected = Vec::new();
        if let Some(enabled) = &self.enabled
            && after("enabled") != Some(enabled)
        {
            let word = match enabled {
                Value::Bool(true) => "on".to_owned(),
                Value::Bool(false) => "off".to_owned(),
                other => other.as_str().map_or_else(|| other.to_string(), str::to_owned),
            };
            expected.push(word);
        }
        let variant = after("variant")
            .and_then(|variant| variant.get("name"))
            .and_then(Value::as_str);
        if let Some(wanted) = &self.variant
            && variant != Some(wanted)
        {
            expected.push(format!("variant {wanted}"));
        }
        if self.unchanged == Some(true) && answer.get("change").and_then(Value::as_str) != Some("unchanged") {
            expected.push("unchanged".to_owned());
        }
        expected
    }
}

impl Findings {
    /// What is broken and why, for a person.
    pub(super) fn text(&self) -> String {
        let Some(checked) = self.checked else {
            return String::new();
        };
        let mut text = String::new();
        for broken in &self.broken {
            text.push_str(&broken.text());
        }
        let kept = match checked {
            0 => "there are none in the file",
            _ if self.broken.is_empty() => "all are met",
            _ => "NOT all are met",
        };
        format!("\n{text}{} checked, {kept}\n", counted(checked, "expectation"))
    }

    /// The same for machines.
    pub(super) fn document(&self) -> Value {
        let broken = self.broken.iter().map(|broken| {
            json!({ "expectation": broken.title, "expected": broken.expected, "cell": broken.answer })
        });
        json!({ "checked": self.checked, "broken": broken.collect::<Vec<_>>() })
    }
}

impl Unmet {
    fn text(&self) -> String {
        let cell = self.cell.iter().filter(|(field, _)| *field != "appName");
        let cell = cell
            .map(|(field, value)| format!("{}={}", quoted(field), quoted(value.as_str().unwrap_or_default())))
            .join(", ");
        let side = |name: &str| super::preview_table::outcome(self.answer.get(name).unwrap_or(&Value::Null));
        let why = self
            .answer
            .pointer("/after/text")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let why: String = why.lines().map(|line| format!("    {line}\n")).collect();
        format!(
            "{} is broken: {} for {}: was {}, becomes {}, expected {}\n{why}",
            self.title,
            quoted(&self.flag),
            if cell.is_empty() {
                "an empty context".to_owned()
            } else {
                cell
            },
            side("before"),
            side("after"),
            self.expected.join(" and "),
        )
    }
}
