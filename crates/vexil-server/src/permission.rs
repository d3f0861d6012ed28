//! What a handler demands of who asks, as types that its signature names.
//!
//! A root role holds everything that a lesser one holds. The permissions are what a refusal names.

use std::collections::BTreeSet;

use vexil_store::RootRole;

/// What a handler demands.
pub trait RequiredPermission: 'static {
    /// The least root role that meets it.
    const ROLE: RootRole;
    /// The permissions that a refusal names, any one of which would do.
    const PERMISSIONS: &'static [&'static str];
}

macro_rules! demands {
    ($($(#[$meta:meta])* $name:ident: $role:ident $(, $permission:literal)*;)*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy)]
            pub struct $name;

            impl RequiredPermission for $name {
                const ROLE: RootRole = RootRole::$role;
                const PERMISSIONS: &'static [&'static str] = &[$($permission),*];
            }
        )*

        /// What is demanded anywhere, with the least root role that meets it.
        const ALL: &[(RootRole, &[&str])] = &[$(($name::ROLE, $name::PERMISSIONS)),*];
    };
}

/// The permissions that a root role holds in all projects.
pub(crate) fn role_permissions(role: RootRole) -> BTreeSet<&'static str> {
    if role == RootRole::Admin {
        return BTreeSet::from(["ADMIN"]);
    }
    let held = ALL.iter().filter(|(least, _)| role <= *least);
    held.flat_map(|(_, permissions)| permissions.iter().copied())
        .collect()
}

demands! {
    /// To be somebody who may use the administration API: to read, to preview, to take part in
    /// change requests, whose own rules say more.
    Read: Viewer;
    /// To run the instance: users, tokens, environments, the audit log.
    RunInstance: Admin, "ADMIN";
    /// To create projects.
    CreateProject: Editor, "CREATE_PROJECT";
    /// To change projects and their settings.
    UpdateProject: Editor, "UPDATE_PROJECT";
    /// To remove projects.
    DeleteProject: Editor, "DELETE_PROJECT";
    /// To create flags.
    CreateFeature: Editor, "CREATE_FEATURE";
    /// To change flags, in all environments at once.
    UpdateFeature: Editor, "UPDATE_FEATURE";
    /// To archive, revive and remove flags.
    DeleteFeature: Editor, "DELETE_FEATURE";
    /// To change which flags a flag depends on.
    UpdateFeatureDependency: Editor, "UPDATE_FEATURE_DEPENDENCY";
    /// To turn flags on and off in an environment.
    UpdateFeatureEnvironment: Editor, "UPDATE_FEATURE_ENVIRONMENT";
    /// To add strategies.
    CreateFeatureStrategy: Editor, "CREATE_FEATURE_STRATEGY";
    /// To change strategies.
    UpdateFeatureStrategy: Editor, "UPDATE_FEATURE_STRATEGY";
    /// To remove strategies.
    DeleteFeatureStrategy: Editor, "DELETE_FEATURE_STRATEGY";
    /// To create segments.
    CreateSegment: Editor, "CREATE_SEGMENT", "UPDATE_PROJECT_SEGMENT";
    /// To change segments.
    UpdateSegment: Editor, "UPDATE_SEGMENT", "UPDATE_PROJECT_SEGMENT";
    /// To remove segments.
    DeleteSegment: Editor, "DELETE_SEGMENT", "UPDATE_PROJECT_SEGMENT";
    /// To create strategy types.
    CreateStrategy: Editor, "CREATE_STRATEGY";
    /// To change strategy types.
    UpdateStrategy: Editor, "UPDATE_STRATEGY";
    /// To remove strategy types.
    DeleteStrategy: Editor, "DELETE_STRATEGY";
}
