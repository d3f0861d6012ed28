//! What roles, groups and grants give.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_access::{
    Directory, Grant, Group, GroupId, Holder, Permission, Place, Rights, Role, RoleId, RoleKind,
    RolePermission, UserId,
};
use vexil_domain::{EnvironmentName, ProjectId};

pub(crate) fn shop() -> ProjectId {
    "shop".into()
}

pub(crate) fn bank() -> ProjectId {
    "bank".into()
}

pub(crate) fn production() -> EnvironmentName {
    "production".into()
}

pub(crate) fn development() -> EnvironmentName {
    "development".into()
}

/// Somebody with a root role and nothing else.
pub(crate) fn with_root_role(directory: &Directory, role: RoleId) -> Rights {
    let mut rights = directory.nobody();
    rights.add_root_role(role);
    rights
}

fn held(permission: Permission, environment: Option<EnvironmentName>) -> RolePermission {
    RolePermission {
        permission,
        environment,
    }
}

#[test]
fn an_admin_may_do_everything_everywhere() {
    let rights = Directory::default().admin();
    for permission in Permission::ALL {
        for place in [
            Place::Instance,
            Place::Project(&shop()),
            Place::Environment(&shop(), &production()),
        ] {
            assert!(rights.may(*permission, place), "{permission:?} {place}");
        }
    }
    assert!(rights.is_admin() && rights.sees_every_project());
}

#[test]
fn root_roles_give_what_the_documents_say() {
    let directory = Directory::default();
    let may = |role, permission| with_root_role(&directory, role).may(permission, Place::Project(&shop()));
    let table = [
        (Permission::CreateProject, true, false),
        (Permission::CreateFeature, true, false),
        (Permission::UpdateProject, true, false),
        (Permission::ReadClientApiToken, true, false),
        (Permission::CreateProjectApiToken, true, false),
        (Permission::ReadProjectSettings, true, true),
        (Permission::WriteProjectUserAccess, false, false),
        (Permission::WriteProjectChangeRequest, false, false),
        (Permission::ApproveChangeRequest, false, false),
        (Permission::SkipChangeRequest, false, false),
        (Permission::UpdateAuthConfiguration, false, false),
        (Permission::ReadLogs, false, false),
        (Permission::Admin, false, false),
    ];
    for (permission, editor, viewer) in table {
        assert_eq!(may(RoleId::EDITOR, permission), editor, "Editor {permission:?}");
        assert_eq!(may(RoleId::VIEWER, permission), viewer, "Viewer {permission:?}");
    }
}

#[test]
fn project_roles_count_in_their_project_alone() {
    let directory = Directory::default();
    let table = [
        (RoleId::OWNER, Permission::UpdateProject, true),
        (RoleId::OWNER, Permission::WriteProjectUserAccess, true),
        (RoleId::OWNER, Permission::CreateFeature, true),
        (RoleId::OWNER, Permission::WriteProjectChangeRequest, false),
        (RoleId::OWNER, Permission::ApproveChangeRequest, false),
        (RoleId::OWNER, Permission::ApplyChangeRequest, false),
        (RoleId::OWNER, Permission::SkipChangeRequest, false),
        (RoleId::OWNER, Permission::CreateProject, false),
        (RoleId::MEMBER, Permission::CreateFeature, true),
        (RoleId::MEMBER, Permission::UpdateFeatureEnvironment, true),
        (RoleId::MEMBER, Permission::UpdateProject, false),
        (RoleId::MEMBER, Permission::WriteProjectUserAccess, false),
        (RoleId::MEMBER, Permission::CreateProjectApiToken, false),
    ];
    for (role, permission, expected) in table {
        let mut rights = directory.nobody();
        rights.add_project_role(&shop(), role);
        assert_eq!(
            rights.may(permission, Place::Project(&shop())),
            expected,
            "{role:?} {permission:?}"
        );
        assert!(
            !rights.may(permission, Place::Project(&bank())),
            "{role:?} {permission:?}"
        );
        assert!(
            !rights.may(permission, Place::Instance),
            "{role:?} {permission:?}"
        );
    }
}

#[test]
fn a_role_of_one_environment_counts_there_and_not_for_all_at_once() {
    let role = Role::new(
        RoleId(101),
        RoleKind::CustomProject,
        "Operator",
        "",
        [held(Permission::UpdateFeatureEnvironment, Some(production()))],
    );
    let directory = Directory::new([Arc::new(role)], [], []);
    let mut rights = directory.nobody();
    rights.add_project_role(&shop(), RoleId(101));
    let may = |place: Place<'_>| rights.may(Permission::UpdateFeatureEnvironment, place);
    assert!(may(Place::Environment(&shop(), &production())));
    assert!(!may(Place::Environment(&shop(), &development())));
    assert!(!may(Place::Project(&shop())));
    assert!(!may(Place::Environment(&bank(), &production())));
    assert_eq!(rights.environments_of(&shop()), BTreeSet::from([&production()]));
}

#[test]
fn a_role_for_all_environments_counts_in_each() {
    let mut rights = Directory::default().nobody();
    rights.add_project_role(&shop(), RoleId::MEMBER);
    let may = |place: Place<'_>| rights.may(Permission::UpdateFeatureEnvironment, place);
    assert!(may(Place::Project(&shop())) && may(Place::Environment(&shop(), &production())));
}

#[test]
fn what_a_role_cannot_hold_is_left_out() {
    let of_project = Role::new(
        RoleId(101),
        RoleKind::CustomProject,
        "x",
        "",
        [
            held(Permission::Admin, None),
            held(Permission::CreateProject, None),
            // this one does not count by environment
            held(Permission::CreateFeature, Some(production())),
        ],
    );
    let expected = [held(Permission::CreateFeature, None)];
    assert_eq!(of_project.permissions(), BTreeSet::from(expected));
    let of_instance = Role::new(
        RoleId(102),
        RoleKind::CustomRoot,
        "y",
        "",
        [held(Permission::CreateFeature, None)],
    );
    assert!(of_instance.permissions().is_empty());
}

#[test]
fn a_role_given_in_the_wrong_place_or_that_is_not_there_gives_nothing() {
    let directory = Directory::default();
    let mut rights = directory.nobody();
    rights.add_root_role(RoleId::OWNER);
    rights.add_root_role(RoleId(999));
    rights.add_project_role(&shop(), RoleId::ADMIN);
    rights.add_project_role(&shop(), RoleId(999));
    assert!(!rights.is_admin() && !rights.is_member(&shop()));
    assert!(rights.all_in(Place::Project(&shop())).is_empty());
}

#[test]
fn a_built_in_role_cannot_be_replaced() {
    let usurper = Role::new(
        RoleId::VIEWER,
        RoleKind::CustomRoot,
        "Viewer",
        "",
        [held(Permission::Admin, None)],
    );
    let directory = Directory::new([Arc::new(usurper)], [], []);
    assert!(!with_root_role(&directory, RoleId::VIEWER).may(Permission::Admin, Place::Instance));
}

#[test]
fn groups_give_their_members_roles_everywhere_and_in_projects() {
    let group = |id, root_role, members: &[i64]| {
        Arc::new(Group {
            id: GroupId(id),
            name: format!("group {id}"),
            description: String::new(),
            root_role,
            external_names: BTreeSet::new(),
            members: members.iter().map(|id| UserId(*id)).collect(),
            project_roles: [(shop(), RoleId::OWNER)].into(),
        })
    };
    let groups = [group(1, Some(RoleId::EDITOR), &[1, 2]), group(2, None, &[2])];
    let directory = Directory::new([], groups, []);
    let rights = |user| {
        directory.rights(Holder {
            user: UserId(user),
            root_role: RoleId::VIEWER,
            project_roles: &BTreeSet::new(),
            grants: &BTreeSet::new(),
        })
    };
    assert!(rights(1).may(Permission::CreateProject, Place::Instance));
    assert_eq!(
        rights(1)
            .decide(Permission::CreateProject, Place::Instance)
            .to_string(),
        "allowed by the root role Editor of the group group 1"
    );
    assert!(rights(2).may(Permission::UpdateProject, Place::Project(&shop())));
    assert!(!rights(3).may(Permission::CreateProject, Place::Instance));
    assert!(!rights(3).is_member(&shop()));
    let names: Vec<_> = rights(2)
        .roles_in(&shop())
        .iter()
        .map(|role| role.name.clone())
        .collect();
    assert_eq!(names, ["Owner"]);
    assert_eq!(directory.groups_of(UserId(2)).count(), 2);
}

#[test]
fn a_grant_counts_where_it_was_given() {
    let mut rights = with_root_role(&Directory::default(), RoleId::VIEWER);
    rights.add_grant(Grant {
        project: shop(),
        environment: Some(production()),
        permission: Permission::ApproveChangeRequest,
    });
    let here = |environment: &EnvironmentName| {
        rights.may(
            Permission::ApproveChangeRequest,
            Place::Environment(&shop(), environment),
        )
    };
    assert!(here(&production()) && !here(&development()));
    assert!(!rights.may(Permission::ApproveChangeRequest, Place::Project(&shop())));
    let (shop, production) = (shop(), production());
    let decision = rights.decide(
        Permission::ApproveChangeRequest,
        Place::Environment(&shop, &production),
    );
    assert_eq!(
        decision.to_string(),
        "allowed by the permission APPROVE_CHANGE_REQUEST in the environment production of the project shop"
    );
}

#[test]
fn a_role_is_within_another_that_holds_all_of_it() {
    let role = |permissions: &[RolePermission]| {
        Role::new(
            RoleId(101),
            RoleKind::CustomProject,
            "x",
            "",
            permissions.iter().cloned(),
        )
    };
    let in_one = role(&[held(Permission::SkipChangeRequest, Some(production()))]);
    let in_all = role(&[held(Permission::SkipChangeRequest, None)]);
    assert!(in_one.is_within(&in_all) && !in_all.is_within(&in_one));
    assert!(in_one.without_environment(&production()).permissions().is_empty());
}
