//! What people note about a flag: links, and that it is done. What is sent, and how it is shown.

use serde::Serialize;
use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_domain::{Completion, FeatureFlag, FlagLink};

/// How many characters an address has at most.
pub const LONGEST_URL: usize = 2_000;
/// How many characters a title, and what stays of a flag, has at most.
pub const LONGEST_WORDS: usize = 200;

/// A link as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagLinkForm {
    /// The address: of a page on the web.
    pub url: String,
    /// What is there; `None` where nothing is said of it, and `None` inside where it shall have no title.
    pub title: Option<Option<String>>,
}

impl FlagLinkForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let read = Self::read_at(&Node::body(body), &["url", "title"], &mut problems);
        problems.finish(read)
    }

    /// Reads a link with these members, of which the others than address and title are passed over.
    pub(crate) fn read_at(node: &Node<'_>, members: &[&str], problems: &mut Problems) -> Option<Self> {
        node.object_of(problems, members)?;
        let url = read_bounded(&node.get("url"), problems, LONGEST_URL);
        if let Some(url) = url.as_deref().filter(|url| !is_web_address(url)) {
            let rule = "must be an address that begins with http:// or https://";
            problems.refuse(node.get("url").path(), rule, &Value::from(url));
        }
        let title = node.get("title");
        let title = (!title.is_absent()).then(|| {
            let title = title.nullable();
            (!title.is_absent())
                .then(|| read_bounded(&title, problems, LONGEST_WORDS))
                .flatten()
        });
        url.map(|url| Self { url, title })
    }
}

fn read_bounded(node: &Node<'_>, problems: &mut Problems, longest: usize) -> Option<String> {
    let text = node.non_empty_text(problems)?;
    if text.chars().count() > longest {
        problems.add(node.path(), format!("must have at most {longest} characters"));
        return None;
    }
    Some(text)
}

/// Whether a text is an address that a browser asks the web for, and nothing that it runs.
#[must_use]
pub fn is_web_address(text: &str) -> bool {
    let rest = ["http://", "https://"].iter().find_map(|scheme| {
        let (begin, rest) = text.split_at_checked(scheme.len())?;
        begin.eq_ignore_ascii_case(scheme).then_some(rest)
    });
    let has_host = rest.is_some_and(|rest| rest.starts_with(|first: char| !"/?#@:".contains(first)));
    has_host && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

/// What is left of a flag that is done, as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionForm {
    /// Whether what it switches stays.
    pub kept: bool,
    /// What stays, such as the name of a variant.
    pub value: Option<String>,
}

impl CompletionForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["status", "statusValue"])
            .is_none()
        {
            return problems.finish(None);
        }
        let status = node.get("status").word(&mut problems, &[KEPT, DISCARDED]);
        let value = node.get("statusValue");
        let value = (!value.is_absent())
            .then(|| read_bounded(&value, &mut problems, LONGEST_WORDS))
            .flatten();
        let kept = status.map(|status| status == KEPT);
        problems.finish(kept.map(|kept| Self { kept, value }))
    }
}

const KEPT: &str = "kept";
const DISCARDED: &str = "discarded";

/// The word for what is left of a flag that is done.
#[must_use]
pub const fn status_of(completion: &Completion) -> &'static str {
    if completion.kept { KEPT } else { DISCARDED }
}

/// A link of a flag.
#[derive(Debug, Serialize)]
pub struct FlagLinkDocument<'a> {
    id: &'a str,
    url: &'a str,
    title: Option<&'a str>,
    feature: &'a str,
}

impl<'a> FlagLinkDocument<'a> {
    /// Shows the links of `flag`.
    #[must_use]
    pub fn all(flag: &'a FeatureFlag) -> Vec<Self> {
        let shown = |link: &'a FlagLink| Self {
            id: &link.id,
            url: &link.url,
            title: link.title.as_deref(),
            feature: flag.name.as_str(),
        };
        flag.links.iter().map(shown).collect()
    }
}
