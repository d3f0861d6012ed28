//! Payloads of changes: what each action needs, with every problem listed.

use serde_json::Value;
use vexil_change_request::{Change, SegmentUpdate, StrategyPlace, UpdateEnabled};
use vexil_domain::{Dependency, FlagName, ProjectId, SegmentId};

use crate::constraint::read_constraint;
use crate::dependency::read_dependency_at;
use crate::segment::SEGMENT;
use crate::strategy_fields::{
    read_new_strategy, read_places_at, read_segment_id, read_strategy_id, read_strategy_update,
};
use crate::variants::read_variants;
use vexil_client_api::json::{Node, Problems};

/// Reads the payload that stands at `node` as what `action` needs. `None`, with a problem noted,
/// when it cannot be read, or when there is no such action.
pub(super) fn read_change(action: &str, node: &Node<'_>, problems: &mut Problems) -> Option<Change> {
    match action {
        "updateEnabled" => read_enabled(node, problems).map(Change::UpdateEnabled),
        "addStrategy" => read_new_strategy(node, problems).map(Change::AddStrategy),
        "updateStrategy" => {
            node.object(problems)?;
            let id = read_strategy_id(&node.get("id"), problems);
            let update = read_strategy_update(id.clone().unwrap_or_else(|| "".into()), node, problems)?;
            id.map(|_| Change::UpdateStrategy(update))
        }
        "deleteStrategy" => {
            node.object_of(problems, &["id", "snapshot"])?;
            read_strategy_id(&node.get("id"), problems).map(|id| Change::DeleteStrategy { id })
        }
        "reorderStrategy" => read_places(node, problems).map(Change::ReorderStrategy),
        "patchVariant" => {
            node.object_of(problems, &["variants", "snapshot"])?;
            read_variants(&node.get("variants"), problems).map(|variants| Change::PatchVariant { variants })
        }
        "archiveFeature" => {
            if !node.is_absent_or_null() {
                node.object_of(problems, &["snapshot"])?;
            }
            Some(Change::ArchiveFeature)
        }
        "addDependency" => read_dependency(node, problems).map(Change::AddDependency),
        "deleteDependency" => read_let_go(node, problems),
        "updateSegment" => read_segment(node, problems).map(Change::UpdateSegment),
        "deleteSegment" => read_segment_target(node, problems).map(|id| Change::DeleteSegment { id }),
        other if Change::UNSUPPORTED_ACTIONS.contains(&other) => {
            if !node.is_absent_or_null() {
                node.object(problems)?;
            }
            Some(Change::Unsupported {
                action: other.to_owned(),
                payload: node.nullable().value().map(Value::to_string),
            })
        }
        _ => None,
    }
}

fn read_enabled(node: &Node<'_>, problems: &mut Problems) -> Option<UpdateEnabled> {
    node.object_of(problems, &["enabled", "shouldActivateDisabledStrategies"])?;
    let enabled = node.get("enabled").boolean(problems);
    let activate = node
        .get("shouldActivateDisabledStrategies")
        .optional_boolean(problems);
    Some(UpdateEnabled {
        enabled: enabled?,
        activate_disabled: activate.unwrap_or(false),
    })
}

fn read_places(node: &Node<'_>, problems: &mut Problems) -> Option<Vec<StrategyPlace>> {
    if node.array(problems)?.is_empty() {
        problems.refuse(
            node.path(),
            "must NOT have fewer than 1 items",
            &Value::Array(Vec::new()),
        );
        return None;
    }
    read_places_at(node, problems)
}

fn read_dependency(node: &Node<'_>, problems: &mut Problems) -> Option<Dependency> {
    let mut dependency = read_dependency_at(node, problems)?;
    if !dependency.enabled {
        dependency.variants.clear();
    }
    Some(dependency)
}

/// Without a payload, or with one that names no parent, every parent is let go.
fn read_let_go(node: &Node<'_>, problems: &mut Problems) -> Option<Change> {
    let parent = if node.is_absent_or_null() {
        None
    } else {
        node.object_of(problems, &["feature"])?;
        node.get("feature").optional_text(problems)
    };
    Some(Change::DeleteDependency {
        parent: parent.map(FlagName::from),
    })
}

fn read_segment(node: &Node<'_>, problems: &mut Problems) -> Option<SegmentUpdate> {
    node.object_of(problems, SEGMENT)?;
    let id = read_segment_id(&node.get("id"), problems);
    let name = node.get("name").non_empty_text(problems);
    let description = node.get("description").nullable().optional_text(problems);
    let project = node.get("project").nullable().optional_text(problems);
    let constraints = node.get("constraints").array(problems)?;
    let constraints = constraints
        .iter()
        .filter_map(|item| read_constraint(item, problems))
        .collect();
    Some(SegmentUpdate {
        id: id?,
        name: name?,
        description,
        project: project.filter(|project| !project.is_empty()).map(ProjectId::from),
        constraints,
    })
}

fn read_segment_target(node: &Node<'_>, problems: &mut Problems) -> Option<SegmentId> {
    node.object_of(problems, &["id", "snapshot"])?;
    read_segment_id(&node.get("id"), problems)
}
