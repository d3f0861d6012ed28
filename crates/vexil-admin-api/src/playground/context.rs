//! The context of a playground question: every text in it may hold several values, split on commas.

use serde_json::{Map, Value};
use vexil_preview::ContextMatrix;
use vexil_values::Instant;

use vexil_client_api::json::{Node, Problems};

/// The fields that the interface names, in whatever order they come.
const NAMED: [&str; 5] = [
    "userId",
    "sessionId",
    "remoteAddress",
    "environment",
    "currentTime",
];

/// How generously a context is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As the documented interface says: a top-level value that is no text is left out and warned of.
    Documented,
    /// As Unleash does it: named fields take numbers and booleans as text; only unnamed ones are left out.
    Unleash,
}

/// How values stand in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Commas separate them.
    Split,
    /// Commas separate them, or they stand in a list, commas and all.
    SplitOrListed,
    /// There is one for each field, commas and all.
    Whole,
}

/// A context with several values per field, as asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaygroundContext {
    /// The fields with the values to try, in the order of the request, `appName` last.
    pub matrix: ContextMatrix,
    /// Top-level fields that were left out since they are no text, in the order of the request.
    pub invalid: Vec<String>,
    /// The context as it was understood: as sent, but for values that were taken as text.
    pub echo: Map<String, Value>,
}

impl PlaygroundContext {
    /// Reads the context that stands at `node`.
    pub fn read(node: &Node<'_>, reading: Reading, values: Values, problems: &mut Problems) -> Option<Self> {
        let members = node.members(problems)?;
        let mut reader = Reader {
            reading,
            values,
            matrix: ContextMatrix::new(),
            top: Vec::new(),
            invalid: Vec::new(),
            echo: Map::new(),
        };
        for (name, member) in &members {
            match *name {
                "appName" => reader.keep(name, member),
                "properties" => reader.properties(member, problems),
                _ => reader.top_level(name, member, problems),
            }
        }
        reader.app_name(&node.get("appName"), problems)?;
        Some(Self {
            matrix: reader.matrix,
            invalid: reader.invalid,
            echo: reader.echo,
        })
    }
}

struct Reader<'a> {
    reading: Reading,
    values: Values,
    matrix: ContextMatrix,
    /// Names that were set at the top level, which win over properties.
    top: Vec<&'a str>,
    invalid: Vec<String>,
    echo: Map<String, Value>,
}

impl<'a> Reader<'a> {
    fn keep(&mut self, name: &str, node: &Node<'_>) {
        self.echo
            .insert(name.to_owned(), node.value().cloned().unwrap_or(Value::Null));
    }

    fn set(&mut self, name: &str, text: &str) {
        match self.values {
            Values::Split | Values::SplitOrListed => self.matrix.set_text(name, text),
            Values::Whole => self.matrix.set(name, vec![text.to_owned()]),
        }
    }

    /// The values of a list, where lists are taken.
    fn listed(&self, node: &Node<'_>, problems: &mut Problems) -> Option<Vec<String>> {
        if self.values != Values::SplitOrListed || !node.value().is_some_and(Value::is_array) {
            return None;
        }
        let items = node.array(problems)?;
        let values: Vec<String> = items.iter().filter_map(|item| item.text(problems)).collect();
        if let (true, Some(value)) = (items.is_empty(), node.value()) {
            problems.refuse(node.path(), "must NOT have fewer than 1 items", value);
        }
        Some(values)
    }

    fn top_level(&mut self, name: &'a str, node: &Node<'_>, problems: &mut Problems) {
        let named = NAMED.contains(&name);
        if let Some(values) = self.listed(node, problems) {
            let is_instant = |value: &String| value.is_empty() || Instant::parse_rfc3339(value).is_some();
            if let (true, Some(sent)) = (
                name == "currentTime" && !values.iter().all(is_instant),
                node.value(),
            ) {
                problems.refuse(node.path(), "must match format \"date-time\"", sent);
            }
            self.top.push(name);
            self.matrix.set(name, values);
            self.keep(name, node);
            return;
        }
        let text = match (self.reading, node.value()) {
            (_, Some(Value::String(text))) => text.clone(),
            (Reading::Unleash, _) if named => match node.loose_text(problems) {
                Some(text) => text,
                None => return,
            },
            _ => {
                self.keep(name, node);
                self.invalid.push(name.to_owned());
                return;
            }
        };
        if name == "currentTime" && !self.are_instants(&text) {
            problems.refuse(
                node.path(),
                "must match format \"date-time\"",
                &Value::String(text),
            );
            return;
        }
        self.top.push(name);
        self.set(name, &text);
        self.echo.insert(name.to_owned(), Value::String(text));
    }

    fn properties(&mut self, node: &Node<'_>, problems: &mut Problems) {
        let Some(members) = node.members(problems) else {
            return;
        };
        let mut echo = Map::new();
        for (name, member) in members {
            if let Some(values) = self.listed(&member, problems) {
                if !self.top.contains(&name) {
                    self.matrix.set(name, values);
                }
                continue;
            }
            let Some(text) = member.loose_text(problems) else {
                continue;
            };
            let absent = self.reading == Reading::Documented && member.is_absent_or_null();
            if !absent && !self.top.contains(&name) {
                self.set(name, &text);
            }
            echo.insert(name.to_owned(), Value::String(text));
        }
        let echo = match (self.reading, node.value()) {
            (Reading::Documented, Some(sent)) => sent.clone(),
            _ => Value::Object(echo),
        };
        self.echo.insert("properties".to_owned(), echo);
    }

    /// `appName` goes last, and no property takes its place.
    fn app_name(&mut self, node: &Node<'_>, problems: &mut Problems) -> Option<()> {
        if let Some(values) = self.listed(node, problems) {
            self.matrix.set("appName", Vec::new());
            self.matrix.set("appName", values);
            self.keep("appName", node);
            return Some(());
        }
        let text = match (self.reading, node.value()) {
            (Reading::Documented, Some(value)) if !value.is_string() => {
                problems.refuse(node.path(), "must be string", value);
                return None;
            }
            _ => node.non_empty_text(problems)?,
        };
        self.matrix.set("appName", Vec::new());
        self.set("appName", &text);
        self.echo.insert("appName".to_owned(), Value::String(text));
        Some(())
    }

    fn are_instants(&self, text: &str) -> bool {
        let is_instant = |part: &str| match self.reading {
            Reading::Documented => Instant::parse_rfc3339(part).is_some(),
            Reading::Unleash => {
                let in_utc = || Instant::parse_rfc3339(&format!("{part}Z"));
                Instant::parse_rfc3339(part).or_else(in_utc).is_some()
            }
        };
        match self.values {
            Values::Split | Values::SplitOrListed => text.split(',').all(is_instant),
            Values::Whole => is_instant(text),
        }
    }
}
