//! Permissions: what one may be allowed to do, by the names that Unleash gives them.

/// Where a permission counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// In the whole instance. Only root roles hold it.
    Instance,
    /// In a project.
    Project,
    /// In an environment of a project, or in all of them at once.
    Environment,
}

impl Scope {
    /// The name under which it is sent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instance => "root",
            Self::Project => "project",
            Self::Environment => "environment",
        }
    }
}

macro_rules! permissions {
    ($($scope:ident { $($(#[$doc:meta])* $variant:ident = $name:literal, $title:literal;)+ })+) => {
        /// What somebody may be allowed to do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Permission {
            $($(#[doc = $title] $(#[$doc])* $variant,)+)+
        }

        impl Permission {
            /// Every permission.
            pub const ALL: &'static [Self] = &[$($(Self::$variant),+),+];

            /// The name under which it is stored and sent.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Self::$variant => $name,)+)+
                }
            }

            /// What it allows, for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $($(Self::$variant => $title,)+)+
                }
            }

            /// Where it counts.
            #[must_use]
            pub const fn scope(self) -> Scope {
                match self {
                    $($(Self::$variant => Scope::$scope,)+)+
                }
            }
        }
    };
}

permissions! {
    Instance {
        Admin = "ADMIN", "Do everything.";
        CreateProject = "CREATE_PROJECT", "Create projects.";
        CreateSegment = "CREATE_SEGMENT", "Create segments for all projects.";
        UpdateSegment = "UPDATE_SEGMENT", "Change segments for all projects.";
        DeleteSegment = "DELETE_SEGMENT", "Remove segments for all projects.";
        CreateStrategy = "CREATE_STRATEGY", "Create strategy types.";
        UpdateStrategy = "UPDATE_STRATEGY", "Change strategy types.";
        DeleteStrategy = "DELETE_STRATEGY", "Remove strategy types.";
        CreateContextField = "CREATE_CONTEXT_FIELD", "Create context fields.";
        UpdateContextField = "UPDATE_CONTEXT_FIELD", "Change context fields.";
        DeleteContextField = "DELETE_CONTEXT_FIELD", "Remove context fields.";
        CreateTagType = "CREATE_TAG_TYPE", "Create tag types.";
        UpdateTagType = "UPDATE_TAG_TYPE", "Change tag types.";
        DeleteTagType = "DELETE_TAG_TYPE", "Remove tag types.";
        UpdateFeatureType = "UPDATE_FEATURE_TYPE", "Change how long flags of a type are expected to live.";
        UpdateApplication = "UPDATE_APPLICATION", "Change and forget applications.";
        CreateAddon = "CREATE_ADDON", "Create integrations.";
        UpdateAddon = "UPDATE_ADDON", "Change integrations.";
        DeleteAddon = "DELETE_ADDON", "Remove integrations.";
        ReadClientApiToken = "READ_CLIENT_API_TOKEN", "See the tokens of SDKs on servers.";
        CreateClientApiToken = "CREATE_CLIENT_API_TOKEN", "Create tokens for SDKs on servers.";
        UpdateClientApiToken = "UPDATE_CLIENT_API_TOKEN", "Change tokens of SDKs on servers.";
        DeleteClientApiToken = "DELETE_CLIENT_API_TOKEN", "Remove tokens of SDKs on servers.";
        ReadFrontendApiToken = "READ_FRONTEND_API_TOKEN", "See the tokens of SDKs in browsers and apps.";
        CreateFrontendApiToken = "CREATE_FRONTEND_API_TOKEN", "Create tokens for SDKs in browsers and apps.";
        UpdateFrontendApiToken = "UPDATE_FRONTEND_API_TOKEN", "Change tokens of SDKs in browsers and apps.";
        DeleteFrontendApiToken = "DELETE_FRONTEND_API_TOKEN", "Remove tokens of SDKs in browsers and apps.";
        ReadRole = "READ_ROLE", "See roles with their permissions.";
        ReadLogs = "READ_LOGS", "Read the audit log of the instance.";
        UpdateAuthConfiguration = "UPDATE_AUTH_CONFIGURATION", "Change how people sign in.";
        UpdateCors = "UPDATE_CORS", "Change which sites may ask the frontend API.";
        UpdateMaintenanceMode = "UPDATE_MAINTENANCE_MODE", "Turn maintenance on and off.";
        UpdateInstanceBanners = "UPDATE_INSTANCE_BANNERS", "Change the banners of the instance.";
        CreateReleasePlanTemplate = "RELEASE_PLAN_TEMPLATE_CREATE", "Create templates of release plans.";
        UpdateReleasePlanTemplate = "RELEASE_PLAN_TEMPLATE_UPDATE", "Change templates of release plans.";
        DeleteReleasePlanTemplate = "RELEASE_PLAN_TEMPLATE_DELETE", "Remove templates of release plans.";
    }
    Project {
        UpdateProject = "UPDATE_PROJECT", "Change the project and its settings.";
        DeleteProject = "DELETE_PROJECT", "Remove the project.";
        ReadProjectUserAccess = "PROJECT_USER_ACCESS_READ", "See who has access to the project.";
        WriteProjectUserAccess = "PROJECT_USER_ACCESS_WRITE", "Give access to the project and take it away.";
        ReadProjectDefaultStrategy = "PROJECT_DEFAULT_STRATEGY_READ", "See the default strategies of the project.";
        WriteProjectDefaultStrategy = "PROJECT_DEFAULT_STRATEGY_WRITE", "Change the default strategies of the project.";
        ReadProjectChangeRequest = "PROJECT_CHANGE_REQUEST_READ", "See where changes go through change requests.";
        WriteProjectChangeRequest = "PROJECT_CHANGE_REQUEST_WRITE", "Decide where changes go through change requests.";
        ReadProjectSettings = "PROJECT_SETTINGS_READ", "See the settings of the project.";
        WriteProjectSettings = "PROJECT_SETTINGS_WRITE", "Change the settings of the project.";
        ReadProjectApiToken = "READ_PROJECT_API_TOKEN", "See the tokens of the project.";
        CreateProjectApiToken = "CREATE_PROJECT_API_TOKEN", "Create tokens for the project.";
        DeleteProjectApiToken = "DELETE_PROJECT_API_TOKEN", "Remove tokens of the project.";
        UpdateProjectSegment = "UPDATE_PROJECT_SEGMENT", "Create, change and remove segments of the project.";
        CreateFeature = "CREATE_FEATURE", "Create flags.";
        UpdateFeature = "UPDATE_FEATURE", "Change flags, in all environments at once.";
        DeleteFeature = "DELETE_FEATURE", "Archive, revive and remove flags.";
        MoveFeature = "MOVE_FEATURE_TOGGLE", "Move flags to another project.";
        UpdateFeatureDependency = "UPDATE_FEATURE_DEPENDENCY", "Change which flags a flag depends on.";
    }
    Environment {
        CreateFeatureStrategy = "CREATE_FEATURE_STRATEGY", "Add strategies.";
        UpdateFeatureStrategy = "UPDATE_FEATURE_STRATEGY", "Change strategies.";
        DeleteFeatureStrategy = "DELETE_FEATURE_STRATEGY", "Remove strategies.";
        UpdateFeatureEnvironment = "UPDATE_FEATURE_ENVIRONMENT", "Turn flags on and off.";
        UpdateFeatureEnvironmentVariants = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "Change variants.";
        ApproveChangeRequest = "APPROVE_CHANGE_REQUEST", "Approve and reject change requests.";
        ApplyChangeRequest = "APPLY_CHANGE_REQUEST", "Apply and schedule change requests.";
        SkipChangeRequest = "SKIP_CHANGE_REQUEST", "Edit where changes go through change requests.";
    }
}

impl Permission {
    /// The permission of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|permission| permission.name() == name)
    }

    /// Why it cannot be given for one environment alone, if it cannot.
    #[must_use]
    pub fn not_in_one_environment(self) -> Option<String> {
        (self.scope() != Scope::Environment).then(|| {
            format!(
                "The permission {} counts in all environments at once: leave the environment out.",
                self.name()
            )
        })
    }
}
