//! What holds of any roles, groups and grants.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use vexil_access::{
    Assignment, Decision, Directory, Grant, Group, GroupId, Holder, Permission, Place, ProjectMode, Reason,
    Rights, Role, RoleId, RoleKind, RolePermission, Scope, UserId,
};
use vexil_domain::{EnvironmentName, ProjectId};

const PROJECTS: [&str; 3] = ["a", "b", "c"];
const ENVIRONMENTS: [&str; 2] = ["development", "production"];

fn project() -> impl Strategy<Value = ProjectId> {
    prop::sample::select(&PROJECTS[..]).prop_map(Into::into)
}

fn environment() -> impl Strategy<Value = Option<EnvironmentName>> {
    prop::option::of(prop::sample::select(&ENVIRONMENTS[..]).prop_map(Into::into))
}

fn permission() -> impl Strategy<Value = Permission> {
    prop::sample::select(Permission::ALL)
}

fn role_id() -> impl Strategy<Value = RoleId> {
    (1_i64..=5).prop_union(101..=104).prop_map(RoleId)
}

fn grant() -> impl Strategy<Value = Grant> {
    (project(), environment(), permission()).prop_map(|(project, environment, permission)| Grant {
        project,
        environment,
        permission,
    })
}

fn role(id: i64) -> impl Strategy<Value = Arc<Role>> {
    let kind = prop::sample::select(&[RoleKind::CustomRoot, RoleKind::CustomProject][..]);
    let held = (permission(), environment()).prop_map(|(permission, environment)| RolePermission {
        permission,
        environment,
    });
    (kind, prop::collection::vec(held, 0..8))
        .prop_map(move |(kind, held)| Arc::new(Role::new(RoleId(id), kind, &format!("role {id}"), "", held)))
}

fn group(id: i64) -> impl Strategy<Value = Arc<Group>> {
    let members = prop::collection::btree_set((1_i64..4).prop_map(UserId), 0..3);
    let roles = prop::collection::btree_set((project(), role_id()), 0..3);
    (prop::option::of(role_id()), members, roles).prop_map(move |(root_role, members, project_roles)| {
        Arc::new(Group {
            id: GroupId(id),
            name: format!("group {id}"),
            description: String::new(),
            root_role,
            external_names: BTreeSet::new(),
            members,
            project_roles,
        })
    })
}

fn directory() -> impl Strategy<Value = Directory> {
    let roles = (role(101), role(102), role(103)).prop_map(|(a, b, c)| [a, b, c]);
    let groups = (group(1), group(2)).prop_map(|(a, b)| [a, b]);
    let mode = prop::sample::select(&ProjectMode::ALL[..]);
    let modes = prop::collection::btree_map(project(), mode, 0..3);
    (roles, groups, modes).prop_map(|(roles, groups, modes)| Directory::new(roles, groups, modes))
}

/// What is given to somebody directly.
#[derive(Debug, Clone)]
struct Given {
    user: UserId,
    root_role: RoleId,
    project_roles: BTreeSet<(ProjectId, RoleId)>,
    grants: BTreeSet<Grant>,
}

impl Given {
    fn rights(&self, directory: &Directory) -> Rights {
        directory.rights(Holder {
            user: self.user,
            root_role: self.root_role,
            project_roles: &self.project_roles,
            grants: &self.grants,
        })
    }
}

fn given() -> impl Strategy<Value = Given> {
    let roles = prop::collection::btree_set((project(), role_id()), 0..3);
    let grants = prop::collection::btree_set(grant(), 0..3);
    ((1_i64..4), role_id(), roles, grants).prop_map(|(user, root_role, project_roles, grants)| Given {
        user: UserId(user),
        root_role,
        project_roles,
        grants,
    })
}

type Spot = (Option<ProjectId>, Option<EnvironmentName>);

fn spot() -> impl Strategy<Value = Spot> {
    (prop::option::of(project()), environment())
}

fn place(spot: &Spot) -> Place<'_> {
    Place::of(spot.0.as_ref(), spot.1.as_ref())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Whatever is given adds rights and takes none away.
    #[test]
    fn more_is_never_less(
        directory in directory(), given in given(), more in grant(), role in (project(), role_id()),
        permission in permission(), spot in spot(),
    ) {
        let before = given.rights(&directory);
        let mut after = given.clone();
        after.grants.insert(more);
        after.project_roles.insert(role);
        let after = after.rights(&directory);
        if before.may(permission, place(&spot)) {
            prop_assert!(after.may(permission, place(&spot)));
        }
        for project in PROJECTS {
            prop_assert!(!before.sees(&project.into()) || after.sees(&project.into()));
        }
    }

    /// What somebody may do is what at least one of the things given to them allows by itself.
    #[test]
    fn rights_are_the_union_of_what_gives_them(
        directory in directory(), given in given(), permission in permission(), spot in spot(),
    ) {
        let mut alone = vec![{
            let mut rights = directory.nobody();
            rights.add_root_role(given.root_role);
            rights
        }];
        for (project, role) in &given.project_roles {
            let mut rights = directory.nobody();
            rights.add_project_role(project, *role);
            alone.push(rights);
        }
        for grant in &given.grants {
            let mut rights = directory.nobody();
            rights.add_grant(grant.clone());
            alone.push(rights);
        }
        for group in directory.groups_of(given.user) {
            let mut rights = directory.nobody();
            rights.add_group(group);
            alone.push(rights);
        }
        let by_one = alone.iter().any(|rights| rights.may(permission, place(&spot)));
        prop_assert_eq!(given.rights(&directory).may(permission, place(&spot)), by_one);
    }

    /// Whoever may do something in all environments at once may do it in each; what is asked of a project or
    /// an environment is never allowed by what was given in another.
    #[test]
    fn places_are_kept_apart(
        directory in directory(), given in given(), permission in permission(), project in project(),
        environment in environment().prop_filter_map("one", |it| it),
    ) {
        let rights = given.rights(&directory);
        if rights.may(permission, Place::Project(&project)) {
            prop_assert!(rights.may(permission, Place::Environment(&project, &environment)));
        }
        let decision = rights.decide(permission, Place::Environment(&project, &environment));
        match decision {
            Decision::Allowed(Reason::Grant(grant)) => {
                prop_assert_eq!(&grant.project, &project);
                prop_assert!(grant.environment.is_none() || grant.environment.as_ref() == Some(&environment));
                prop_assert_eq!(grant.permission, permission);
            }
            Decision::Allowed(Reason::Role { role, given_in, .. }) => {
                prop_assert!(role.held_in(Some(&environment)).contains(permission));
                prop_assert!(given_in == Place::Instance || given_in == Place::Project(&project));
            }
            Decision::Refused(missing) => prop_assert_eq!(missing.permission, permission),
        }
    }

    /// Nobody who is no admin and was given nothing in a private project sees it or does anything there.
    #[test]
    fn a_private_project_is_not_there_for_strangers(
        directory in directory(), given in given(), permission in permission(), project in project(),
        environment in environment(),
    ) {
        let rights = given.rights(&directory);
        let is_stranger = !rights.is_admin() && !rights.is_member(&project);
        if directory.mode(&project) == ProjectMode::Private && is_stranger {
            prop_assert!(!rights.sees(&project));
            if permission.scope() != Scope::Instance {
                prop_assert!(!rights.may(permission, Place::of(Some(&project), environment.as_ref())));
            }
        }
    }

    /// Giving access never gives to whoever gives it what they did not have.
    #[test]
    fn nobody_raises_their_own_rights(
        directory in directory(), given in given(), project in project(), role in role_id(),
        permission in permission(), spot in spot(),
    ) {
        let before = given.rights(&directory);
        let assignment = Assignment { giver: &before, project: &project, to_themselves: true };
        let Some(wanted) = directory.role(role) else { return Ok(()); };
        if wanted.kind.is_root() || assignment.check_role(wanted).is_err() {
            return Ok(());
        }
        let mut after = given.clone();
        after.project_roles.insert((project.clone(), role));
        let after = after.rights(&directory);
        if after.may(permission, place(&spot)) {
            prop_assert!(before.may(permission, place(&spot)), "{:?} in {:?}", permission, spot);
        }
    }

    /// A role is the permissions it was made of, but for those that its kind cannot hold.
    #[test]
    fn a_role_is_read_back_whole(role in role(101)) {
        let again = Role::new(role.id, role.kind, &role.name, &role.description, role.permissions());
        prop_assert_eq!(&again, &*role);
        prop_assert!(role.is_within(&again));
    }
}
