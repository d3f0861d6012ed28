//! Tests of who may edit directly where changes go through change requests.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_domain::{
    ChangeRequestRule, EnvironmentName, Project, ProjectEnvironment, ProjectId, Snapshot, Stickiness,
};

use super::{EditScope, SKIP, WriteAccess};
use crate::operations::Error;

const MAY_NOT_SKIP: WriteAccess = WriteAccess {
    skips_change_requests: false,
    user: None,
};
const MAY_SKIP: WriteAccess = WriteAccess {
    skips_change_requests: true,
    user: None,
};

/// A project `shop` whose changes go through change requests in `production` only.
fn snapshot() -> Snapshot {
    let rule = ChangeRequestRule::requiring(1);
    let production = ProjectEnvironment {
        change_requests: Some(rule),
        default_strategy: None,
    };
    let shop = Project {
        id: "shop".into(),
        name: "Shop".to_owned(),
        description: None,
        created_at: OffsetDateTime::UNIX_EPOCH,
        default_stickiness: Stickiness::Default,
        environments: [
            ("development".into(), ProjectEnvironment::default()),
            ("production".into(), production),
        ]
        .into(),
        left_environments: [].into(),
    };
    let mut snapshot = Snapshot::default();
    snapshot.projects.insert(shop.id.clone(), Arc::new(shop));
    snapshot
}

fn refused(editor: WriteAccess, place: &EditScope) -> bool {
    match editor.check(&snapshot(), place) {
        Ok(()) => false,
        Err(Error::Forbidden { permissions, .. }) => permissions == [SKIP],
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn an_edit_is_refused_exactly_where_changes_go_through_change_requests() {
    let (shop, other) = (ProjectId::from("shop"), ProjectId::from("other"));
    let (production, development) = (
        EnvironmentName::from("production"),
        EnvironmentName::from("development"),
    );
    assert!(refused(
        MAY_NOT_SKIP,
        &EditScope::in_environment(&shop, &production)
    ));
    assert!(!refused(
        MAY_NOT_SKIP,
        &EditScope::in_environment(&shop, &development)
    ));
    assert!(!refused(
        MAY_NOT_SKIP,
        &EditScope::in_environment(&other, &production)
    ));
}

#[test]
fn an_edit_of_all_environments_is_refused_when_one_of_them_is_protected() {
    assert!(refused(MAY_NOT_SKIP, &EditScope::everywhere(&"shop".into())));
    assert!(!refused(MAY_NOT_SKIP, &EditScope::everywhere(&"other".into())));
}

#[test]
fn whoever_may_skip_change_requests_edits_anywhere() {
    assert!(!refused(
        MAY_SKIP,
        &EditScope::in_environment(&"shop".into(), &"production".into())
    ));
    assert!(!refused(MAY_SKIP, &EditScope::everywhere(&"shop".into())));
}
