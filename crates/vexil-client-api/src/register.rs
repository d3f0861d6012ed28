//! `POST /api/client/register`: what an instance of an application says of itself.

use serde_json::Value;
use time::OffsetDateTime;

use crate::json::{Node, Problem, Problems};
use crate::usage::fields::{NameRule, Unfit, instant};

/// What instances are called that do not say what they are called.
const UNNAMED: &str = "default";

/// What an instance says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// The application.
    pub application: String,
    /// What the instance calls itself; `default` where it does not.
    pub instance: String,
    /// The SDK and its version.
    pub sdk_version: Option<String>,
    /// The strategy types it can evaluate.
    pub strategies: Vec<String>,
    /// When it started.
    pub started: Option<OffsetDateTime>,
    /// How often it reports usage, as it said.
    pub interval: Option<u32>,
}

impl Registered {
    /// Reads a registration from a parsed request body. Names may have up to `longest_name` bytes.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the document.
    pub fn read(body: &Value, longest_name: usize) -> Result<Self, Vec<Problem>> {
        let names = NameRule {
            longest: longest_name,
            unfit: Unfit::Refused,
        };
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object(&mut problems).is_none() {
            return problems.finish(None);
        }
        let interval = interval_or_null(&node.get("interval"), &mut problems);
        let started = instant(&node.get("started"), &mut problems);
        let strategies = node.get("strategies").array(&mut problems).unwrap_or_default();
        let strategies = strategies
            .iter()
            .filter_map(|item| item.loose_text(&mut problems))
            .collect();
        let named = Named::read(&node, names, &mut problems);
        problems.finish(named.map(|named| named.with(strategies, started, interval)))
    }

    /// Reads one application of a bulk report, which may leave out everything but the name.
    pub(crate) fn read_bulk(node: &Node<'_>, names: NameRule, problems: &mut Problems) -> Option<Self> {
        node.object(problems)?;
        let place = node.get("interval");
        let interval = if place.is_absent() {
            None
        } else {
            interval_or_null(&place, problems)
        };
        let place = node.get("started").nullable();
        let started = if place.is_absent() {
            None
        } else {
            instant(&place, problems)
        };
        let strategies = node.get("strategies").nullable().list(problems, Node::loose_text);
        Named::read(node, names, problems).map(|named| named.with(strategies, started, interval))
    }
}

/// Who the instance is, and what runs in it.
struct Named {
    application: String,
    instance: Option<String>,
    sdk_version: Option<String>,
}

impl Named {
    fn read(node: &Node<'_>, names: NameRule, problems: &mut Problems) -> Option<Self> {
        let application = names.application(&node.get("appName"), problems);
        let mut optional = |key: &str| {
            let place = node.get(key);
            let text = place
                .nullable()
                .optional_text(problems)
                .filter(|text| !text.is_empty())?;
            names.kept(&text, place.path(), problems)
        };
        let instance = optional("instanceId");
        let sdk_version = optional("sdkVersion");
        Some(Self {
            application: application?,
            instance,
            sdk_version,
        })
    }

    fn with(
        self,
        strategies: Vec<String>,
        started: Option<OffsetDateTime>,
        interval: Option<u32>,
    ) -> Registered {
        Registered {
            application: self.application,
            instance: self.instance.unwrap_or_else(|| UNNAMED.to_owned()),
            sdk_version: self.sdk_version,
            strategies,
            started,
            interval,
        }
    }
}

/// The interval that must stand here; `null` says that there is none, as some SDKs do.
fn interval_or_null(node: &Node<'_>, problems: &mut Problems) -> Option<u32> {
    match node.value() {
        Some(Value::Null) => None,
        _ => interval(node, problems),
    }
}

/// The interval that must stand here: a number of at least 0, of which the whole part is kept.
fn interval(node: &Node<'_>, problems: &mut Problems) -> Option<u32> {
    let number = match node.value() {
        Some(Value::Bool(is_one)) => f64::from(u8::from(*is_one)),
        _ => node.number(problems)?,
    };
    if number < 0.0 {
        problems.refuse(node.path(), "must be >= 0", node.value().unwrap_or(&Value::Null));
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cut to the bounds just before"
    )]
    let whole = number.min(f64::from(u32::MAX)) as u32;
    Some(whole)
}

#[cfg(test)]
mod tests;
