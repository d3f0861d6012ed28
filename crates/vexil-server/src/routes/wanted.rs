//! Which flags an SDK asks for: what its query says, within what its token may see.

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use vexil_client_api::client_features::Segments;
use vexil_client_api::query::pairs;
use vexil_domain::{ProjectId, Tag};
use vexil_service::features_cache::Scope;
use vexil_service::operations::Error;
use vexil_service::{ServingState, Tagged};
use vexil_store::ApiToken;

/// What a query can narrow by.
const FILTERS: [&str; 3] = ["project", "namePrefix", "tag"];

/// What a query asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    projects: Vec<ProjectId>,
    name_prefix: Option<String>,
    tags: BTreeSet<Tag>,
}

impl Wanted {
    /// What the query of a request asks for.
    ///
    /// # Errors
    ///
    /// When it is ambiguous, or asks for a tag that is none.
    pub(super) fn of(request: &HttpRequest) -> Result<Self, Error> {
        let mut wanted = Self::default();
        for (name, value) in pairs(request.query_string()) {
            match name.as_str() {
                "project" => wanted.projects.push(ProjectId::from(value)),
                "namePrefix" if value.is_empty() || wanted.name_prefix.is_some() => {
                    return Err(Error::invalid(
                        "The query parameter `namePrefix` must be one text that is not empty.",
                    ));
                }
                "namePrefix" => wanted.name_prefix = Some(value),
                "tag" => drop(wanted.tags.insert(tag(&value)?)),
                other => match listed(other) {
                    Some("project") => wanted.projects.push(ProjectId::from(value)),
                    Some("tag") => drop(wanted.tags.insert(tag(&value)?)),
                    // whoever narrows in a way that is not understood must not get everything
                    _ if FILTERS.contains(&other.split('[').next().unwrap_or(other)) => {
                        return Err(not_understood(other));
                    }
                    _ => {}
                },
            }
        }
        Ok(wanted)
    }

    /// What it comes to. The projects of a token win over those of the query. Projects that do not exist have no
    /// flags; each other one counts once.
    pub(super) fn scope(&self, token: &ApiToken, serving: &ServingState, segments: Segments) -> Scope {
        let is_narrowed = token.projects.is_empty() && !self.projects.is_empty();
        let asked = if is_narrowed {
            &self.projects
        } else {
            &token.projects
        };
        let mut projects = asked.clone();
        projects.retain(|project| serving.snapshot.projects.contains_key(project));
        projects.sort_unstable();
        projects.dedup();
        let projects = (!asked.is_empty()).then_some(projects);
        Scope {
            is_narrowed: is_narrowed || self.name_prefix.is_some() || !self.tags.is_empty(),
            tagged: (!self.tags.is_empty()).then(|| self.tagged(projects.as_deref(), serving)),
            projects,
            name_prefix: self.name_prefix.clone(),
            segments,
        }
    }

    /// The flags of some projects that have one of the tags.
    fn tagged(&self, projects: Option<&[ProjectId]>, serving: &ServingState) -> Tagged {
        let prefix = self.name_prefix.as_deref().unwrap_or_default();
        Tagged::of(&self.tags, serving.flags_by_tag(), |flag| {
            flag.name.as_str().starts_with(prefix)
                && projects.is_none_or(|projects| projects.binary_search(&flag.project).is_ok())
        })
    }
}

/// What a list is of in which a value stands: `tag[]=type:value`, or with its place in it.
fn listed(name: &str) -> Option<&str> {
    let (list, place) = name.split_once('[')?;
    let place = place.strip_suffix(']')?;
    place.bytes().all(|byte| byte.is_ascii_digit()).then_some(list)
}

fn not_understood(name: &str) -> Error {
    let filters = FILTERS.join("`, `");
    Error::invalid(format!(
        "The query parameter `{name}` is not understood; there are `{filters}`, of which `project` and `tag` may be lists."
    ))
}

/// A tag as it is asked for: `type:value`.
fn tag(text: &str) -> Result<Tag, Error> {
    match text.split_once(':') {
        Some((kind, value)) if !kind.is_empty() && !value.is_empty() => Ok(Tag::new(kind, value)),
        _ => Err(Error::invalid(format!(
            "The query parameter `tag` is `{text}`; it must be a tag such as simple:checkout."
        ))),
    }
}
