//! What is set about a project beside its flags: what is sent.

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_domain::Stickiness;

/// What the names of new flags must be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamingForm {
    /// The regular expression that they must match, whole; empty for any.
    pub pattern: String,
    /// A name that does.
    pub example: Option<String>,
    /// What it means.
    pub description: Option<String>,
}

/// A link that new flags get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkForm {
    /// Its title.
    pub title: Option<String>,
    /// Where it leads.
    pub url: String,
}

/// What shall be set about a project. What is not said stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettingsForm {
    /// What it is to people who have no role in it.
    pub mode: Option<String>,
    /// How many flags it may have; `None` inside for any number.
    pub feature_limit: Option<Option<u32>>,
    /// What the names of new flags must be like; `None` inside for anything.
    pub naming: Option<Option<NamingForm>>,
    /// What links of new flags lead to.
    pub link_templates: Option<Vec<LinkForm>>,
    /// The stickiness of strategies that do not say one.
    pub default_stickiness: Option<Stickiness>,
}

const MEMBERS: &[&str] = &[
    "mode",
    "featureLimit",
    "featureNaming",
    "linkTemplates",
    "defaultStickiness",
];

impl SettingsForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, MEMBERS).is_none() {
            return problems.finish(None);
        }
        let form = Self::of(&node, &mut problems);
        problems.finish(Some(form))
    }

    /// Reads what a document says of settings, whatever else it says.
    pub(super) fn of(node: &Node<'_>, problems: &mut Problems) -> Self {
        let mode = node.get("mode");
        let mode = (!mode.is_absent()).then(|| mode.word(problems, &["open", "protected", "private"]));
        let limit = node.get("featureLimit");
        let feature_limit = (!limit.is_absent()).then(|| {
            let limit = limit.nullable();
            let number = (!limit.is_absent()).then(|| limit.integer(problems, 0, i64::from(u32::MAX)));
            number.flatten().and_then(|number| u32::try_from(number).ok())
        });
        let naming = node.get("featureNaming");
        let naming = (!naming.is_absent()).then(|| {
            let naming = naming.nullable();
            (!naming.is_absent())
                .then(|| read_naming(&naming, problems))
                .flatten()
        });
        let links = node.get("linkTemplates");
        let link_templates = (!links.is_absent()).then(|| links.list(problems, read_link));
        let stickiness = node.get("defaultStickiness");
        let stickiness = (!stickiness.is_absent()).then(|| stickiness.non_empty_text(problems));
        Self {
            mode: mode.flatten(),
            feature_limit,
            naming,
            link_templates,
            default_stickiness: stickiness.flatten().map(|name| Stickiness::from_name(&name)),
        }
    }
}

fn read_naming(node: &Node<'_>, problems: &mut Problems) -> Option<NamingForm> {
    node.object_of(problems, &["pattern", "example", "description"])?;
    Some(NamingForm {
        pattern: node
            .get("pattern")
            .nullable()
            .optional_text(problems)
            .unwrap_or_default(),
        example: node.get("example").nullable().optional_text(problems),
        description: node.get("description").nullable().optional_text(problems),
    })
}

fn read_link(node: &Node<'_>, problems: &mut Problems) -> Option<LinkForm> {
    node.object_of(problems, &["title", "urlTemplate"])?;
    let title = node.get("title").nullable().optional_text(problems);
    let url = node.get("urlTemplate").non_empty_text(problems)?;
    Some(LinkForm { title, url })
}
