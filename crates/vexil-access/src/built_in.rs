//! The roles that every instance has.

use crate::{Permission, PermissionSet, Role, RoleId, RoleKind, RolePermission, Scope};

/// What no role but Admin holds from the start: to decide about changes, to go around that, and to decide where
/// it is needed. Whoever shall have it is given it by name.
const ABOUT_CHANGES: PermissionSet = PermissionSet::of(&[
    Permission::ApproveChangeRequest,
    Permission::ApplyChangeRequest,
    Permission::SkipChangeRequest,
    Permission::WriteProjectChangeRequest,
]);

/// What an Editor holds in the instance.
const EDITOR_OF_THE_INSTANCE: PermissionSet = PermissionSet::of(&[
    Permission::CreateProject,
    Permission::CreateSegment,
    Permission::UpdateSegment,
    Permission::DeleteSegment,
    Permission::CreateStrategy,
    Permission::UpdateStrategy,
    Permission::DeleteStrategy,
    Permission::CreateContextField,
    Permission::UpdateContextField,
    Permission::DeleteContextField,
    Permission::CreateTagType,
    Permission::UpdateTagType,
    Permission::DeleteTagType,
    Permission::UpdateFeatureType,
    Permission::UpdateApplication,
    Permission::CreateAddon,
    Permission::UpdateAddon,
    Permission::DeleteAddon,
    Permission::ReadClientApiToken,
    Permission::CreateClientApiToken,
    Permission::UpdateClientApiToken,
    Permission::DeleteClientApiToken,
    Permission::ReadFrontendApiToken,
    Permission::CreateFrontendApiToken,
    Permission::UpdateFrontendApiToken,
    Permission::DeleteFrontendApiToken,
    Permission::CreateReleasePlanTemplate,
    Permission::UpdateReleasePlanTemplate,
    Permission::DeleteReleasePlanTemplate,
]);

/// What a Viewer may look at besides: what belongs to projects.
const LOOKING: PermissionSet = PermissionSet::of(&[
    Permission::ReadProjectUserAccess,
    Permission::ReadProjectDefaultStrategy,
    Permission::ReadProjectChangeRequest,
    Permission::ReadProjectSettings,
]);

/// What runs a project and is not for those who edit its flags.
const RUNNING: PermissionSet = PermissionSet::of(&[
    Permission::UpdateProject,
    Permission::DeleteProject,
    Permission::WriteProjectUserAccess,
    Permission::WriteProjectDefaultStrategy,
    Permission::WriteProjectSettings,
    Permission::CreateProjectApiToken,
    Permission::DeleteProjectApiToken,
]);

/// What root roles give to people in projects that are open to all.
fn in_projects() -> PermissionSet {
    let all = Permission::ALL.iter().copied();
    let in_projects: PermissionSet = all.filter(|it| it.scope() != Scope::Instance).collect();
    in_projects.without(ABOUT_CHANGES)
}

/// The roles that every instance has, by id.
pub(crate) fn roles() -> [Role; 5] {
    let role = |id, kind, name: &str, description: &str, held: PermissionSet| {
        let permissions = held.iter().map(|permission| RolePermission {
            permission,
            environment: None,
        });
        Role::new(id, kind, name, description, permissions)
    };
    let access = PermissionSet::of(&[Permission::WriteProjectUserAccess]);
    [
        role(
            RoleId::ADMIN,
            RoleKind::Root,
            "Admin",
            "May do everything.",
            PermissionSet::all(),
        ),
        role(
            RoleId::EDITOR,
            RoleKind::Root,
            "Editor",
            "May edit projects, flags, segments and strategies, but not the instance, its users and who has access.",
            EDITOR_OF_THE_INSTANCE.with(in_projects().without(access)),
        ),
        role(
            RoleId::VIEWER,
            RoleKind::Root,
            "Viewer",
            "May read, and propose changes.",
            LOOKING,
        ),
        role(
            RoleId::OWNER,
            RoleKind::Project,
            "Owner",
            "May do everything in the project, but approving, applying and skipping change requests is given by name.",
            in_projects(),
        ),
        role(
            RoleId::MEMBER,
            RoleKind::Project,
            "Member",
            "May edit the project's flags and segments, but not the project itself and who has access.",
            in_projects().without(RUNNING),
        ),
    ]
}
