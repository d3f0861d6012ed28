//! Names lead back to what they name.

use std::collections::BTreeSet;

use vexil_access::{Permission, PermissionSet, ProjectMode, RoleKind, Scope};

#[test]
fn every_name_leads_back_to_one_permission() {
    let names: BTreeSet<&str> = Permission::ALL.iter().map(|one| one.name()).collect();
    assert_eq!(names.len(), Permission::ALL.len());
    for permission in Permission::ALL {
        assert_eq!(Permission::from_name(permission.name()), Some(*permission));
        assert!(permission.title().ends_with('.'), "{permission:?}");
    }
    assert_eq!(Permission::from_name("create_feature"), None);
    for mode in ProjectMode::ALL {
        assert_eq!(ProjectMode::from_name(mode.name()), Some(mode));
    }
    for kind in RoleKind::ALL {
        assert_eq!(RoleKind::from_name(kind.name()), Some(kind));
    }
}

#[test]
fn a_set_holds_what_was_put_in_and_nothing_else() {
    let some = [
        Permission::CreateFeature,
        Permission::SkipChangeRequest,
        Permission::Admin,
    ];
    let set: PermissionSet = some.into_iter().collect();
    assert_eq!(set, PermissionSet::of(&some));
    let held: Vec<Permission> = set.iter().collect();
    assert_eq!(
        held,
        [
            Permission::Admin,
            Permission::CreateFeature,
            Permission::SkipChangeRequest
        ]
    );
    assert_eq!(PermissionSet::all().iter().count(), Permission::ALL.len());
    let rest = PermissionSet::all().without(set);
    assert!(!rest.contains(Permission::Admin) && rest.with(set) == PermissionSet::all());
    assert!(set.is_within(PermissionSet::all()) && !PermissionSet::all().is_within(set));
}

#[test]
fn custom_roles_hold_what_counts_where_they_are_given() {
    for permission in Permission::ALL {
        let counts_in_projects = permission.scope() != Scope::Instance;
        assert_eq!(RoleKind::CustomProject.can_hold(*permission), counts_in_projects);
        assert_eq!(RoleKind::CustomRoot.can_hold(*permission), !counts_in_projects);
    }
}
