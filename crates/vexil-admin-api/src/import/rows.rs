//! The rows of a document that is imported, put together by the flag that they name.

use std::collections::BTreeMap;

use serde_json::Value;
use vexil_change_request::NewStrategy;
use vexil_client_api::json::{Node, Problems, same_where_given};
use vexil_domain::{FlagName, SegmentId};

use super::flag::{ImportedFlag, ImportedSettings, Placed};
use crate::dependency::read_dependency_at;
use crate::flag::{NewFlag, read_kind};
use crate::flag_names::MOST_FLAGS_AT_ONCE;
use crate::flag_upkeep::FlagLinkForm;
use crate::new_name::read_new_name;
use crate::strategy_fields::{read_new_strategy, read_segment_id};
use crate::tag::read_parts;
use crate::variants::read_variants;

/// The members of a flag. Those that are not read tell of where the document is from; lists that decide something must be
/// empty, since that stands elsewhere in the document.
const FLAG: &[&str] = &[
    "name",
    "description",
    "type",
    "project",
    "stale",
    "impressionData",
    "archived",
    "archivedAt",
    "createdAt",
    "createdBy",
    "lastSeenAt",
    "favorite",
    "lifecycle",
    "collaborators",
    "children",
    "environments",
    "strategies",
    "variants",
    "dependencies",
    "tags",
    "links",
];

/// Those that must be empty, with the list of the document that they belong to.
const OF_FLAG_ELSEWHERE: &[(&str, &str)] = &[
    ("environments", "featureEnvironments"),
    ("strategies", "featureStrategies"),
    ("variants", "featureEnvironments"),
    ("dependencies", "dependencies"),
    ("tags", "featureTags"),
    ("links", "links"),
];

/// The members of a flag in an environment, likewise.
const SETTINGS: &[&str] = &[
    "name",
    "featureName",
    "environment",
    "enabled",
    "variants",
    "type",
    "sortOrder",
    "variantCount",
    "changeRequestIds",
    "lastSeenAt",
    "hasStrategies",
    "hasEnabledStrategies",
    "milestoneName",
    "milestoneOrder",
    "totalMilestones",
    "yes",
    "no",
    "strategies",
    "releasePlans",
    "safeguards",
];

const OF_SETTINGS_ELSEWHERE: &[(&str, &str)] = &[
    ("strategies", "featureStrategies"),
    ("releasePlans", ""),
    ("safeguards", ""),
];

/// The flags of a document, as far as its lists were read.
pub(super) struct Rows {
    pub(super) flags: Vec<ImportedFlag>,
    pub(super) repeated: Vec<FlagName>,
    places: BTreeMap<FlagName, usize>,
}

impl Rows {
    /// Reads the flags alone.
    pub(super) fn read(node: &Node<'_>, problems: &mut Problems) -> Self {
        let mut rows = Self {
            flags: Vec::new(),
            repeated: Vec::new(),
            places: BTreeMap::new(),
        };
        let items = node.array(problems).unwrap_or_default();
        if items.len() > MOST_FLAGS_AT_ONCE {
            let why = format!("must have at most {MOST_FLAGS_AT_ONCE} flags at once");
            problems.refuse(node.path(), &why, &items.len().into());
            return rows;
        }
        for form in items.iter().filter_map(|item| read_flag(item, problems)) {
            let name = form.name.clone();
            if rows.places.contains_key(&name) {
                if !rows.repeated.contains(&name) {
                    rows.repeated.push(name);
                }
                continue;
            }
            rows.places.insert(name, rows.flags.len());
            rows.flags.push(ImportedFlag {
                form,
                has_tags: false,
                strategies: Vec::new(),
                settings: None,
                dependencies: None,
                links: Vec::new(),
            });
        }
        rows
    }

    /// The flag that a row names, which must be among the flags.
    fn flag_of(&mut self, node: &Node<'_>, problems: &mut Problems) -> Option<&mut ImportedFlag> {
        let name = node.non_empty_text(problems)?;
        let Some(place) = self.places.get(name.as_str()) else {
            let message = format!("`{name}` is not among the `features` of the document.");
            problems.add(node.path(), message);
            return None;
        };
        self.flags.get_mut(*place)
    }

    /// Adds strategies, whose segments must be named in the document.
    pub(super) fn add_strategies(
        &mut self,
        node: &Node<'_>,
        segments: &BTreeMap<SegmentId, String>,
        problems: &mut Problems,
    ) {
        for row in node.array(problems).unwrap_or_default() {
            let Some(strategy) = read_new_strategy(&row, problems) else {
                continue;
            };
            for id in strategy.segments.iter().filter(|id| !segments.contains_key(id)) {
                let message = format!("`segments` of the document does not say what segment {id} is called.");
                problems.add(row.get("segments").path(), message);
            }
            if let Some(flag) = self.flag_of(&row.get("featureName"), problems) {
                flag.strategies.push(placed(&row, strategy));
            }
        }
        for flag in &mut self.flags {
            put_in_order(&mut flag.strategies);
        }
    }

    /// Adds switches and variants, of one environment only.
    pub(super) fn add_settings(&mut self, node: &Node<'_>, problems: &mut Problems) {
        let rows = node.list(problems, |row, _| Some(row.clone()));
        for row in rows {
            if row.object_of(problems, SETTINGS).is_none() {
                continue;
            }
            check_elsewhere(&row, OF_SETTINGS_ELSEWHERE, problems);
            let enabled = row.get("enabled").boolean(problems);
            let variants = row.get("variants");
            let variants = (!variants.is_absent()).then(|| read_variants(&variants, problems));
            let name = row.get("featureName");
            // where Unleash shows a flag's environments, `name` is that of the environment
            if row.get("name").value() != row.get("environment").value() {
                same_where_given(problems, &name, &row.get("name"));
            }
            let name = if name.is_absent() { row.get("name") } else { name };
            let (Some(flag), Some(enabled)) = (self.flag_of(&name, problems), enabled) else {
                continue;
            };
            if flag.settings.is_some() {
                let message = "The flag stands there twice; an import is for one environment.";
                problems.add(row.path(), message);
            }
            let variants = variants.flatten();
            flag.settings = Some(placed(&row, ImportedSettings { enabled, variants }));
        }
    }

    /// Adds tags.
    pub(super) fn add_tags(&mut self, node: &Node<'_>, problems: &mut Problems) {
        for flag in &mut self.flags {
            flag.has_tags = !node.is_absent();
        }
        let rows = node.list(problems, |row, problems| {
            row.object_of(
                problems,
                &["featureName", "tagType", "tagValue", "createdByUserId"],
            )?;
            let tag = read_parts(&row.get("tagType"), &row.get("tagValue"), problems)?;
            Some((row.get("featureName"), tag))
        });
        for (name, tag) in rows {
            if let Some(flag) = self.flag_of(&name, problems) {
                flag.form.tags.insert(tag);
            }
        }
    }

    /// Adds dependencies. A flag has one parent at most.
    pub(super) fn add_dependencies(&mut self, node: &Node<'_>, problems: &mut Problems) {
        for flag in &mut self.flags {
            flag.dependencies = (!node.is_absent()).then(Vec::new);
        }
        let rows = node.list(problems, |row, problems| {
            row.object_of(problems, &["feature", "dependencies"])?;
            let items = row.get("dependencies").list(problems, |item, problems| {
                let dependency = read_dependency_at(item, problems)?;
                Some(placed(item, dependency))
            });
            Some((row.get("feature"), items))
        });
        for (name, items) in rows {
            let Some(flag) = self.flag_of(&name, problems) else {
                continue;
            };
            let all = flag.dependencies.get_or_insert_default();
            all.extend(items);
            if let Some(second) = all.get(1) {
                let message = "A flag depends on one other at most.";
                problems.add(second.path.as_str(), message);
            }
        }
    }

    /// Adds links. Their ids are those of where the document is from.
    pub(super) fn add_links(&mut self, node: &Node<'_>, problems: &mut Problems) {
        let rows = node.list(problems, |row, problems| {
            row.object_of(problems, &["feature", "links"])?;
            let links = row.get("links").list(problems, |link, problems| {
                FlagLinkForm::read_at(link, &["id", "url", "title", "feature"], problems)
            });
            Some((row.get("feature"), links))
        });
        for (name, links) in rows {
            if let Some(flag) = self.flag_of(&name, problems) {
                flag.links.extend(links);
            }
        }
    }
}

fn placed<T>(node: &Node<'_>, value: T) -> Placed<T> {
    Placed {
        path: node.path().to_owned(),
        value,
    }
}

fn read_flag(node: &Node<'_>, problems: &mut Problems) -> Option<NewFlag> {
    node.object_of(problems, FLAG)?;
    check_elsewhere(node, OF_FLAG_ELSEWHERE, problems);
    let name = read_new_name(&node.get("name"), problems);
    let mut switch = |name| node.get(name).optional_boolean(problems).unwrap_or(false);
    let (stale, impression_data, archived) = (switch("stale"), switch("impressionData"), switch("archived"));
    let kind = read_kind(&node.get("type"), problems);
    let description = node.get("description").nullable().optional_text(problems);
    Some(NewFlag {
        name: name?.into(),
        kind,
        description,
        impression_data,
        stale,
        archived,
        tags: std::collections::BTreeSet::new(),
    })
}

/// Refuses what would be passed over where it stands.
fn check_elsewhere(node: &Node<'_>, members: &[(&str, &str)], problems: &mut Problems) {
    for (member, list) in members {
        let place = node.get(member).nullable();
        let is_empty = place
            .value()
            .is_none_or(|value| value == &Value::Array(Vec::new()));
        if is_empty {
            continue;
        }
        let way_out = match *list {
            "" => "It is not supported.".to_owned(),
            list => format!("It belongs into `{list}` of the document."),
        };
        let path = place.path();
        problems.add(path, format!("`{path}` would be passed over. {way_out}"));
    }
}

pub(super) fn read_segment(node: &Node<'_>, problems: &mut Problems) -> Option<(SegmentId, String)> {
    node.object_of(problems, &["id", "name"])?;
    let id = read_segment_id(&node.get("id"), problems);
    let name = node.get("name").non_empty_text(problems);
    id.zip(name)
}

/// Puts strategies in order, those without a place behind the others, and gives each a place of its own.
fn put_in_order(strategies: &mut [Placed<NewStrategy>]) {
    strategies.sort_by_key(|one| one.value.sort_order.unwrap_or(i32::MAX));
    let mut next = 0;
    for one in strategies {
        let place = one.value.sort_order.unwrap_or(next).max(next);
        one.value.sort_order = Some(place);
        next = place.saturating_add(1);
    }
}
