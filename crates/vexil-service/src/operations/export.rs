//! Exports: flags as they are in one environment, with everything that an import of them needs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use vexil_admin_api::context_field::ContextField;
use vexil_admin_api::export::{ExportDocument, ExportQuestion, Exported};
use vexil_admin_api::flag_names::MOST_FLAGS_AT_ONCE;
use vexil_domain::{ActivationStrategy, FeatureFlag, Snapshot, Variant};

use crate::operations::Error;
use crate::principal::Principal;
use crate::transaction::Transaction;

/// So many flags are named in the audit log where an export is told of.
const NAMED_IN_THE_LOG: usize = 100;

/// The flags that are asked for, of the projects that are there for whoever asks, by name.
///
/// # Errors
///
/// When the environment is not there, or the flags are more than an import takes.
pub fn flags<'a>(
    snapshot: &'a Snapshot,
    who: &Principal,
    question: &ExportQuestion,
) -> Result<Vec<&'a FeatureFlag>, Error> {
    if !snapshot.environments.contains_key(&question.environment) {
        let message = format!("There is no environment \"{}\".", question.environment);
        return Err(Error::NotFound(message));
    }
    let live = |wanted: &dyn Fn(&FeatureFlag) -> bool| {
        let all = snapshot.flags.values().map(AsRef::as_ref);
        all.filter(|flag: &&FeatureFlag| !flag.is_archived() && wanted(flag))
            .collect()
    };
    let mut found: Vec<&FeatureFlag> = match &question.flags {
        Exported::All => live(&|_| true),
        Exported::Tagged(value) => live(&|flag| flag.tags.iter().any(|tag| tag.value == *value)),
        Exported::OfProject(project) => live(&|flag| flag.project == *project),
        Exported::Named(names) => {
            let names: BTreeSet<_> = names.iter().collect();
            let named = names.into_iter().filter_map(|name| snapshot.flags.get(name));
            named.map(AsRef::as_ref).collect()
        }
    };
    found.retain(|flag| who.sees(&flag.project));
    if found.len() > MOST_FLAGS_AT_ONCE {
        return Err(Error::invalid(format!(
            "These are {} flags. At most {MOST_FLAGS_AT_ONCE} are exported at once, as many as an import takes: choose them by name, tag or project.",
            found.len()
        )));
    }
    Ok(found)
}

/// What is told of flags. `fields` are all context fields there are.
#[must_use]
pub fn document<'a>(
    snapshot: &'a Snapshot,
    fields: &'a BTreeMap<String, ContextField>,
    question: &'a ExportQuestion,
    flags: &[&'a FeatureFlag],
) -> ExportDocument<'a> {
    let mut document = ExportDocument::default();
    let (mut segments, mut types, mut used) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for flag in flags {
        document.add_flag(flag, &question.environment);
        types.extend(flag.tags.iter().map(|tag| &tag.kind));
        let Some(settings) = flag.environments.get(&question.environment) else {
            continue;
        };
        for strategy in &settings.strategies {
            segments.extend(&strategy.segments);
            used.extend(fields_of(strategy));
        }
        used.extend(settings.variants.iter().flat_map(fields_of_variant));
    }
    let mut used: Vec<&ContextField> = used.into_iter().filter_map(|name| fields.get(name)).collect();
    used.sort_by_key(|field| (field.sort_order, &field.name));
    used.into_iter().for_each(|field| document.add_field(field));
    let segments = segments.into_iter().filter_map(|id| snapshot.segments.get(id));
    segments.for_each(|segment| document.add_segment(segment));
    let types = types.into_iter().filter_map(|name| snapshot.tag_types.get(name));
    types.for_each(|kind| document.add_tag_type(kind));
    document
}

/// The names of the context fields that a strategy looks at by itself.
fn fields_of(strategy: &ActivationStrategy) -> impl Iterator<Item = &str> {
    let constraints = strategy.constraints.iter().map(|it| it.context_name.as_str());
    let stickiness = strategy.parameters.get("stickiness").map(String::as_str);
    let variants = strategy.variants.iter().flat_map(fields_of_variant);
    constraints.chain(stickiness).chain(variants)
}

fn fields_of_variant(variant: &Variant) -> impl Iterator<Item = &str> {
    let stickiness = variant.stickiness.as_ref().map(|it| it.name());
    let overrides = variant.overrides.iter().map(|it| it.context_name.as_str());
    stickiness.into_iter().chain(overrides)
}

/// Notes in the audit log that flags were exported.
pub fn note(tx: &mut Transaction<'_>, question: &ExportQuestion, flags: &[String]) {
    let named = flags.get(..NAMED_IN_THE_LOG).unwrap_or(flags);
    let mut event = tx.new_event("features-exported");
    event.environment = Some(question.environment.clone());
    if let Exported::OfProject(project) = &question.flags {
        event.project = Some(project.clone());
    }
    event.data = Some(json!({ "features": named, "count": flags.len() }).to_string());
    tx.event(event);
}
