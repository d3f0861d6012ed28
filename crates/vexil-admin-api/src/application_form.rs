//! What people say of an application: read from `POST /api/admin/metrics/applications/{application}`.

use serde_json::Value;
use time::OffsetDateTime;
use vexil_client_api::json::{Node, Problem, Problems};

use crate::flag_upkeep::is_web_address;

/// How many characters a text about an application has at most.
const LONGEST: usize = 2_000;
/// How many strategies an application is said to know at most.
const MOST_STRATEGIES: usize = 500;

/// The members that are understood, or stand in the documents that an application is shown in.
const APPLICATION: &[&str] = &[
    "appName",
    "description",
    "url",
    "color",
    "icon",
    "strategies",
    "createdAt",
    "updatedAt",
    "createdBy",
    "project",
    "environment",
    "usage",
    "instances",
    "seenToggles",
    "links",
];

/// What people have said of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// What it is.
    pub description: Option<String>,
    /// Where more is said of it, on the web.
    pub url: Option<String>,
    /// The colour that it is shown in.
    pub color: Option<String>,
    /// The icon that it is shown with.
    pub icon: Option<String>,
    /// The strategies that it can evaluate, beside those that its instances tell of.
    pub strategies: Vec<String>,
    /// When something was said first.
    pub created_at: OffsetDateTime,
    /// When something was said last.
    pub updated_at: OffsetDateTime,
}

impl Said {
    /// Nothing yet.
    #[must_use]
    pub fn new(now: OffsetDateTime) -> Self {
        Self {
            description: None,
            url: None,
            color: None,
            icon: None,
            strategies: Vec::new(),
            created_at: now,
            updated_at: now,
        }
    }
}

/// A text that is set, taken away (`Some(None)`), or left as it is.
type Text = Option<Option<String>>;

/// What is said of an application. What is not sent stays as it is, and `null` takes it away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApplicationForm {
    /// Its name, where that was sent.
    pub name: Option<String>,
    /// What it is.
    pub description: Text,
    /// Where more is said of it, on the web.
    pub url: Text,
    /// The colour that it is shown in.
    pub color: Text,
    /// The icon that it is shown with.
    pub icon: Text,
    /// The strategies that it can evaluate, beside those that its instances tell of.
    pub strategies: Option<Vec<String>>,
}

impl ApplicationForm {
    /// Reads what is said.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        let sent = node.object_of(&mut problems, APPLICATION);
        let form = sent.map(|_| Self {
            name: node.get("appName").optional_text(&mut problems),
            description: text(&node.get("description"), &mut problems),
            url: address(&node.get("url"), &mut problems),
            color: text(&node.get("color"), &mut problems),
            icon: text(&node.get("icon"), &mut problems),
            strategies: strategies(&node.get("strategies"), &mut problems),
        });
        problems.finish(form)
    }
}

fn text(node: &Node<'_>, problems: &mut Problems) -> Text {
    if node.is_absent() {
        return None;
    }
    let text = node.nullable().optional_text(problems);
    if text.as_ref().is_some_and(|text| text.chars().count() > LONGEST) {
        let path = node.path();
        problems.add(
            path,
            format!("The `{path}` property must have at most {LONGEST} characters."),
        );
    }
    Some(text)
}

fn address(node: &Node<'_>, problems: &mut Problems) -> Text {
    let address = text(node, problems)?;
    let is_none = |address: &String| address.is_empty();
    if address
        .as_ref()
        .is_some_and(|it| !is_none(it) && !is_web_address(it))
    {
        let path = node.path();
        problems.add(
            path,
            format!("The `{path}` property must be an address that begins with http:// or https://."),
        );
    }
    Some(address)
}

/// Names of strategies, or the documents that they are shown in.
fn strategies(node: &Node<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    if node.is_absent() {
        return None;
    }
    let items = node.array(problems)?;
    if items.len() > MOST_STRATEGIES {
        let path = node.path();
        problems.add(
            path,
            format!("The `{path}` property must have at most {MOST_STRATEGIES} items."),
        );
        return None;
    }
    let name = |item: &Node<'_>, problems: &mut Problems| match item.value() {
        Some(Value::Object(_)) => item.get("name").non_empty_text(problems),
        _ => item.non_empty_text(problems),
    };
    Some(items.iter().filter_map(|item| name(item, problems)).collect())
}
