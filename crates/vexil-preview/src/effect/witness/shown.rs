//! A context that shows what changes.

use time::OffsetDateTime;
use vexil_domain::{ActivationStrategy, Context, Parameters};
use vexil_engine::Ambient;

/// One context, with all that an answer depends on besides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Witness {
    /// The fields that are set, by name.
    pub context: Vec<(String, String)>,
    /// The present, where it matters.
    pub now: Option<OffsetDateTime>,
    /// What chance is drawn from, where it matters.
    pub seed: Option<u64>,
    /// The name of the host, where it matters.
    pub host_name: Option<String>,
    /// What custom strategies say; all others say no.
    pub strategies: Vec<CustomAnswer>,
}

/// What a custom strategy says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomAnswer {
    /// The strategy type.
    pub name: String,
    /// Its parameters.
    pub parameters: Parameters,
    /// Whether it lets the user in.
    pub says: bool,
}

impl CustomAnswer {
    pub(super) fn is_of(&self, strategy: &ActivationStrategy) -> bool {
        self.name == strategy.name && self.parameters == strategy.parameters
    }
}

impl Witness {
    /// The context.
    #[must_use]
    pub fn to_context(&self) -> Context {
        let mut context = Context::default();
        for (field, value) in &self.context {
            context.set(field, value.as_str());
        }
        context
    }

    /// What surrounds the evaluation; `otherwise` where it does not matter.
    #[must_use]
    pub fn ambient<'a>(&'a self, otherwise: &Ambient<'a>) -> Ambient<'a> {
        Ambient {
            now: self.now.unwrap_or(otherwise.now),
            seed: self.seed.unwrap_or(otherwise.seed),
            host_name: self.host_name.as_deref().or(otherwise.host_name),
            custom_results: otherwise.custom_results,
        }
    }
}
