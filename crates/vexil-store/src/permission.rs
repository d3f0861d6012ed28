//! Permissions: what one may be allowed to do, by the names that Unleash gives them.

macro_rules! permissions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)+) => {
        /// What somebody may be allowed to do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Permission {
            $($(#[$doc])* $variant,)+
        }

        impl Permission {
            /// Every permission.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name under which it is stored and sent.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

permissions! {
    /// Everything; to run the instance: users, tokens, environments, the audit log.
    Admin = "ADMIN";
    /// Create projects.
    CreateProject = "CREATE_PROJECT";
    /// Change projects and their settings.
    UpdateProject = "UPDATE_PROJECT";
    /// Remove projects.
    DeleteProject = "DELETE_PROJECT";
    /// Create flags.
    CreateFeature = "CREATE_FEATURE";
    /// Change flags, in all environments at once.
    UpdateFeature = "UPDATE_FEATURE";
    /// Archive, revive and remove flags.
    DeleteFeature = "DELETE_FEATURE";
    /// Change which flags a flag depends on.
    UpdateFeatureDependency = "UPDATE_FEATURE_DEPENDENCY";
    /// Turn flags on and off in an environment.
    UpdateFeatureEnvironment = "UPDATE_FEATURE_ENVIRONMENT";
    /// Add strategies.
    CreateFeatureStrategy = "CREATE_FEATURE_STRATEGY";
    /// Change strategies.
    UpdateFeatureStrategy = "UPDATE_FEATURE_STRATEGY";
    /// Remove strategies.
    DeleteFeatureStrategy = "DELETE_FEATURE_STRATEGY";
    /// Create segments.
    CreateSegment = "CREATE_SEGMENT";
    /// Change segments.
    UpdateSegment = "UPDATE_SEGMENT";
    /// Remove segments.
    DeleteSegment = "DELETE_SEGMENT";
    /// Create, change and remove the segments of a project.
    UpdateProjectSegment = "UPDATE_PROJECT_SEGMENT";
    /// Create strategy types.
    CreateStrategy = "CREATE_STRATEGY";
    /// Change strategy types.
    UpdateStrategy = "UPDATE_STRATEGY";
    /// Remove strategy types.
    DeleteStrategy = "DELETE_STRATEGY";
    /// Approve and reject change requests.
    ApproveChangeRequest = "APPROVE_CHANGE_REQUEST";
    /// Apply and schedule change requests.
    ApplyChangeRequest = "APPLY_CHANGE_REQUEST";
    /// Edit where changes go through change requests.
    SkipChangeRequest = "SKIP_CHANGE_REQUEST";
}

impl Permission {
    /// Those that a user can be granted in a project, whatever the root role.
    pub const GRANTABLE: [Self; 3] = [
        Self::ApproveChangeRequest,
        Self::ApplyChangeRequest,
        Self::SkipChangeRequest,
    ];

    /// The permission of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|permission| permission.name() == name)
    }
}
