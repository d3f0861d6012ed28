//! Query parameters of searches, such as `type=IS_ANY_OF:release,experiment`. What is not understood is refused,
//! parameter by parameter: a search that passes over a filter finds everything, and a script deletes it.

use std::collections::BTreeMap;

use time::{Date, OffsetDateTime};
use vexil_client_api::json::{Problem, Problems};
use vexil_client_api::query::pairs;
use vexil_domain::Tag;
use vexil_service::operations::flag_search::{Day, Listed, OneOf};
use vexil_values::Instant;

use crate::routes::query_names::{ONCE, unknown};

/// The parameters of a search, each read at most once.
pub(super) struct Parameters {
    given: BTreeMap<String, Vec<String>>,
    problems: Problems,
}

impl Parameters {
    /// The parameters of a query string.
    pub(super) fn read(query: &str) -> Self {
        let mut given: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in pairs(query) {
            given.entry(name).or_default().push(value);
        }
        Self {
            given,
            problems: Problems::new(),
        }
    }

    /// What was asked, or everything that is wrong with it, parameters that nobody has asked for included.
    pub(super) fn finish<T>(mut self, asked: T) -> Result<T, Vec<Problem>> {
        for name in std::mem::take(&mut self.given).into_keys() {
            let Problem { path, message } = unknown(&name, &[]);
            self.problems.add(path, message);
        }
        self.problems.finish(Some(asked))
    }

    /// All values of a parameter.
    pub(super) fn all(&mut self, name: &str) -> Vec<String> {
        self.given.remove(name).unwrap_or_default()
    }

    /// The value of a parameter that is given once at most; one that is blank is not given.
    pub(super) fn one(&mut self, name: &str) -> Option<String> {
        let mut values = self.all(name);
        if values.len() > 1 {
            self.refuse(name, ONCE, &values.join(", "));
        }
        values.pop().filter(|value| !value.trim().is_empty())
    }

    /// Refuses a parameter: `The … property must …`.
    pub(super) fn refuse(&mut self, name: &str, must: &str, sent: &str) {
        let path = format!("/query/{name}");
        let message = format!("The `{path}` property {must}. You sent \"{sent}\".");
        self.problems.add(path, message);
    }

    /// One of these words, with what it stands for.
    pub(super) fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.one(name)?;
        let found = words.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.refuse(name, &format!("must be one of: {}", known.join(", ")), &text);
        }
        found.map(|(_, value)| *value)
    }

    /// `IS`, `IS_NOT`, `IS_ANY_OF`, `IS_NONE_OF`.
    pub(super) fn one_of(&mut self, name: &str) -> Option<OneOf> {
        let (operator, values) = self.operator(name, &["IS", "IS_NOT", "IS_ANY_OF", "IS_NONE_OF"])?;
        let negated = matches!(operator.as_str(), "IS_NOT" | "IS_NONE_OF");
        Some(OneOf { values, negated })
    }

    /// `IS` and `IS_ANY_OF`.
    pub(super) fn any_of(&mut self, name: &str) -> Vec<String> {
        let found = self.operator(name, &["IS", "IS_ANY_OF"]);
        found.map(|(_, values)| values).unwrap_or_default()
    }

    /// `INCLUDE`, `DO_NOT_INCLUDE`, `INCLUDE_ALL_OF`, `INCLUDE_ANY_OF`, `EXCLUDE_IF_ANY_OF`, `EXCLUDE_ALL`.
    pub(super) fn listed(&mut self, name: &str) -> Option<Listed> {
        const OPERATORS: [&str; 6] = [
            "INCLUDE",
            "DO_NOT_INCLUDE",
            "INCLUDE_ALL_OF",
            "INCLUDE_ANY_OF",
            "EXCLUDE_IF_ANY_OF",
            "EXCLUDE_ALL",
        ];
        let (operator, values) = self.operator(name, &OPERATORS)?;
        Some(match operator.as_str() {
            "INCLUDE_ALL_OF" => Listed::All(values),
            "DO_NOT_INCLUDE" | "EXCLUDE_IF_ANY_OF" => Listed::None(values),
            "EXCLUDE_ALL" => Listed::NotAll(values),
            _ => Listed::Any(values),
        })
    }

    /// Tags such as `simple:checkout`, given once or several times, also as a list: `tag[]` or `tag[0]`.
    pub(super) fn tags(&mut self, name: &str) -> Vec<Tag> {
        let is_one = |key: &&String| key.split('[').next() == Some(name);
        let keys: Vec<String> = self.given.keys().filter(is_one).cloned().collect();
        let texts: Vec<String> = keys.iter().flat_map(|key| self.all(key)).collect();
        let mut tags = Vec::new();
        for text in texts.iter().filter(|text| !text.is_empty()) {
            match text.split_once(':') {
                Some((kind, value)) if !kind.is_empty() && !value.is_empty() => {
                    tags.push(Tag::new(kind, value));
                }
                _ => self.refuse(name, "must be a tag such as simple:checkout", text),
            }
        }
        tags
    }

    /// `IS:true` or `IS:false`.
    pub(super) fn truth(&mut self, name: &str) -> Option<bool> {
        let text = self.one(name)?;
        match text.as_str() {
            "IS:true" => Some(true),
            "IS:false" => Some(false),
            _ => {
                self.refuse(name, "must be IS:true or IS:false", &text);
                None
            }
        }
    }

    /// `IS_BEFORE` and `IS_ON_OR_AFTER`, with a day.
    pub(super) fn day(&mut self, name: &str) -> Option<Day> {
        let (operator, values) = self.operator(name, &["IS_BEFORE", "IS_ON_OR_AFTER"])?;
        let text = values.join(",");
        let date = self.date(name, &text)?;
        Some(if operator == "IS_BEFORE" {
            Day::Before(date)
        } else {
            Day::OnOrAfter(date)
        })
    }

    /// A day that a text names.
    pub(super) fn date(&mut self, name: &str, text: &str) -> Option<Date> {
        let day = Instant::parse_day(text).and_then(|day| OffsetDateTime::try_from(day).ok());
        let date = day.map(OffsetDateTime::date);
        if date.is_none() {
            self.refuse(name, "must be a day such as 2026-11-27", text);
        }
        date
    }

    /// An operator and its values, of which there is one at least.
    fn operator(&mut self, name: &str, operators: &[&str]) -> Option<(String, Vec<String>)> {
        let text = self.one(name)?;
        let parts = text
            .split_once(':')
            .filter(|(operator, _)| operators.contains(operator));
        let Some((operator, values)) = parts else {
            let must = format!("must begin with one of {}, and a colon", operators.join(", "));
            self.refuse(name, &must, &text);
            return None;
        };
        let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
        let values: Vec<String> = values.map(str::to_owned).collect();
        if values.is_empty() {
            self.refuse(name, "must have a value behind its operator", &text);
            return None;
        }
        Some((operator.to_owned(), values))
    }

    /// How many items a page holds: 1 to 1000, or 50 where nothing sensible is asked.
    pub(super) fn limit(&mut self) -> u16 {
        let asked = self.one("limit").and_then(|text| text.parse::<u64>().ok());
        let asked = asked.filter(|limit| *limit > 0);
        asked.map_or(50, |limit| u16::try_from(limit.min(1000)).unwrap_or(1000))
    }

    /// How many items come before a page: none where nothing sensible is asked.
    pub(super) fn offset(&mut self) -> u32 {
        let asked = self.one("offset").and_then(|text| text.parse::<u64>().ok());
        asked.map_or(0, |offset| u32::try_from(offset).unwrap_or(u32::MAX))
    }
}
