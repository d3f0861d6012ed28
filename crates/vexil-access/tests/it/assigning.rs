//! Who may give what to whom.

use vexil_access::{Assignment, Directory, Permission, Role, RoleId, RoleKind, RolePermission};

use crate::roles::{bank, production, shop};

fn may_give(giver: RoleId, to_themselves: bool, role: &Role) -> bool {
    let mut rights = Directory::default().nobody();
    rights.add_project_role(&shop(), giver);
    let assignment = Assignment {
        giver: &rights,
        project: &shop(),
        to_themselves,
    };
    assignment.check_role(role).is_ok()
}

fn role(permissions: &[Permission]) -> Role {
    let held = permissions.iter().map(|permission| RolePermission {
        permission: *permission,
        environment: None,
    });
    Role::new(RoleId(101), RoleKind::CustomProject, "x", "", held)
}

#[test]
fn nobody_gives_more_than_they_have_but_for_the_right_to_review() {
    let directory = Directory::default();
    let built_in = |id| directory.role(id).unwrap().clone();
    let reviewer = role(&[Permission::ApproveChangeRequest, Permission::ApplyChangeRequest]);
    let around = role(&[Permission::SkipChangeRequest]);
    let rules = role(&[Permission::WriteProjectChangeRequest]);
    let table = [
        (RoleId::OWNER, &*built_in(RoleId::OWNER), true, true),
        (RoleId::OWNER, &*built_in(RoleId::MEMBER), true, true),
        (RoleId::OWNER, &reviewer, true, false),
        (RoleId::OWNER, &around, false, false),
        (RoleId::OWNER, &rules, false, false),
        (RoleId::MEMBER, &*built_in(RoleId::OWNER), false, false),
        (RoleId::MEMBER, &*built_in(RoleId::MEMBER), true, true),
    ];
    for (giver, role, to_others, to_themselves) in table {
        assert_eq!(may_give(giver, false, role), to_others, "{giver:?} {role:?}");
        assert_eq!(may_give(giver, true, role), to_themselves, "{giver:?} {role:?}");
    }
}

#[test]
fn what_one_has_in_one_project_is_not_given_in_another() {
    let mut rights = Directory::default().nobody();
    rights.add_project_role(&shop(), RoleId::OWNER);
    let assignment = Assignment {
        giver: &rights,
        project: &bank(),
        to_themselves: false,
    };
    let refused = assignment.check(Permission::CreateFeature, None).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "only who has CREATE_FEATURE in the project bank may give it"
    );
}

#[test]
fn what_one_has_in_one_environment_is_not_given_for_all() {
    let mut rights = Directory::default().nobody();
    rights.add_grant(vexil_access::Grant {
        project: shop(),
        environment: Some(production()),
        permission: Permission::SkipChangeRequest,
    });
    let assignment = Assignment {
        giver: &rights,
        project: &shop(),
        to_themselves: true,
    };
    assert!(
        assignment
            .check(Permission::SkipChangeRequest, Some(&production()))
            .is_ok()
    );
    assert!(assignment.check(Permission::SkipChangeRequest, None).is_err());
}
