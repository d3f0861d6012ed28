//! Every route: method, path, handler, who may call it, what it does. Service, `docs/endpoints.md` and OpenAPI come of it.

use actix_web::http::Method;
use vexil_service::permission::Access;

use super::admin::{
    account, archive, auth_settings, batch, context, dashboard, dependencies, environments, events,
    favorites, feature_types, flag_upkeep, flags, groups, instance, invitations, people, personal_tokens,
    project_access, projects, roles, search, segments, sessions, strategies, strategy_types, switches, tags,
    tokens, users, variants,
};
use super::list_words::{access, route, routes};
use super::{
    account_pages, application_use, applications, change_requests, client, client_stream, cors, documents,
    edge, frontend, health, insights, live, ofrep, password_links, playground, playground_changes,
    playground_diff, playground_proof, prometheus,
    route::{Admission, Route},
    sign_in, sign_on, sign_up, ui, usage, usage_stream, usage_summary,
};

routes! {
    "Signing in", "A browser signs in once and shows a cookie from then on. The cookie counts for reading; for anything else only when a page of the same server sent the request. A request with an `Authorization` header is judged by that alone." {
        POST "/auth/simple/login" => sign_in::sign_in, Open, "Signs in: `{username, password}` (the username or the email address), or `{token}` (a personal access token, an admin token, or the secret of a link)";
        GET "/auth/link/{secret}" => sign_in::sign_in_by_link, Open, "Signs in with a link that works once, and goes on to the page `to`";
        POST "/logout" => sign_in::sign_out, Open, "Signs out";
        GET "/auth/oidc/login" => sign_on::begin, Open, "Sends a browser to the provider of single sign-on, to go on to the page `to` afterwards";
        GET "/auth/oidc/callback" => sign_on::finish, Open, "Where the provider sends it back to";
        GET "/auth/reset/validate" => password_links::validate, Open, "For whom the link `?token=` is, if it sets a password; else 401";
        POST "/auth/reset/validate-password" => password_links::validate_password, Open, "Whether a password is good enough";
        POST "/auth/reset/password" => password_links::set_password, Open, "Sets the password of whoever has the link, once: `{token, password}`";
        POST "/auth/reset/password-email" => password_links::request_email, Open, "Sends a link to an address, where e-mail is set up: `{email}`; the same answer whether somebody has it or not";
        GET "/invite/{token}/validate" => sign_up::validate, Open, "Whether people can sign up with a link; else 400";
        POST "/invite/{token}/signup" => sign_up::sign_up, Open, "Makes an account with a link: `{email or username, name?, password}`; 201";
        GET "/new-user" => account_pages::show, Open, "The page of a link: to set the first password, or to sign up";
        POST "/new-user" => account_pages::send, Open, "What the form of that page sends";
        GET "/reset-password" => account_pages::show, Open, "The page of a link to set another password";
        POST "/reset-password" => account_pages::send, Open, "What the form of that page sends";
    }
    "Users" {
        GET "/api/admin/user/sessions" => sessions::list, SignedIn, "The browsers in which the caller is signed in";
        DELETE "/api/admin/user/sessions" => sessions::end_others, SignedIn, "Signs the caller out everywhere else";
        DELETE "/api/admin/user/sessions/{id}" => sessions::end, SignedIn, "Signs the caller out in one browser";
        GET "/api/admin/user-admin" => users::list, [Admin], "All users, and the root roles";
        POST "/api/admin/user-admin" => users::create, [Admin], "Creates a user: `{username or email, name?, rootRole, password?, sendEmail?}`; 201 with `inviteLink`, which sets the first password once within a day";
        GET "/api/admin/user-admin/search" => users::search, SignedIn, "Users whose name, username or email address holds `q`", asks ["q"];
        POST "/api/admin/user-admin/validate-password" => users::validate_password, SignedIn, "Whether a password is good enough";
        GET "/api/admin/user-admin/access" => people::access, SignedIn, "Everybody who may be given something: users and groups";
        GET "/api/admin/user-admin/admin-count" => people::admin_count, [Admin], "How many admins there are, with a password and without";
        GET "/api/admin/user-admin/inactive" => people::inactive, [Admin], "Users who were not seen for 180 days";
        POST "/api/admin/user-admin/inactive/delete" => people::remove_all, [Admin], "Removes users, all or none: `{ids}`";
        POST "/api/admin/user-admin/reset-password" => people::reset_password, [Admin], "Makes a link that sets another password, once within a day: `{id}`";
        DELETE "/api/admin/user-admin/scim-users" => people::remove_provisioned, [Admin], "Removes the users that SCIM has made, of whom there are none";
        GET "/api/admin/user-admin/{id}/permissions" => people::permissions, [Admin], "What a user may do; in a place with `?project=` and `?environment=`", asks ["project", "environment"];
        GET "/api/admin/user-admin/{id}" => users::read, [Admin], "One user";
        PUT "/api/admin/user-admin/{id}" => users::edit, [Admin], "Changes email address, name or root role";
        DELETE "/api/admin/user-admin/{id}" => users::remove, [Admin], "Removes a user with all personal access tokens and grants";
        POST "/api/admin/user-admin/{id}/change-password" => users::change_password, [Admin], "Sets the password";
        GET "/api/admin/invite-link/tokens" => invitations::list, [Admin], "The links with which people sign up";
        POST "/api/admin/invite-link/tokens" => invitations::create, [Admin], "Makes one: `{name, expiresAt, rootRole?}`; it works for 30 days at most; 201 with the secret, which is told here only";
        GET "/api/admin/invite-link/tokens/{token}" => invitations::read, [Admin], "One of them, by its secret or its id";
        PUT "/api/admin/invite-link/tokens/{token}" => invitations::edit, [Admin], "Switches it on or off, or sets its end: `{enabled?, expiresAt?}`";
        GET "/api/admin/user/tokens" => personal_tokens::list, SignedIn, "One's own personal access tokens, without secrets";
        POST "/api/admin/user/tokens" => personal_tokens::create, SignedIn, "Creates one: `{description, expiresAt}`; 201; the secret is told here only";
        DELETE "/api/admin/user/tokens/{id}" => personal_tokens::remove, SignedIn, "Removes one of one's own";
        POST "/api/admin/user-admin/{id}/tokens" => personal_tokens::create_for, [Admin], "Creates a personal access token for a user";
        GET "/api/admin/user" => instance::user, SignedIn, "Who asks, with their permissions";
        GET "/api/admin/user/profile" => account::profile, SignedIn, "The caller's projects, groups and root role";
        GET "/api/admin/user/roles" => account::own_roles, SignedIn, "The caller's roles, with those in a project with `?projectId=`", asks ["projectId"];
        POST "/api/admin/user/change-password" => account::change_password, SignedIn, "Sets one's own password: `{oldPassword, password, confirmPassword}`; ends one's sessions everywhere else";
        POST "/api/admin/splash/{notice}" => account::close_notice, SignedIn, "Keeps that the caller has closed a notice of the pages";
        POST "/api/admin/feedback" => account::give_feedback, SignedIn, "Keeps what the caller answered to a question of the pages: `{feedbackId, neverShow?}`";
        PUT "/api/admin/feedback/{notice}" => account::change_feedback, SignedIn, "The same, where the path names the question";
        POST "/api/admin/record-ui-error" => account::record_error, SignedIn, "Writes into the log what went wrong in the pages: `{errorMessage}`; 204";
    }
    "Roles and access", "What somebody may do is what their root role, their groups, their roles in a project and single permissions allow together. `ACCESS.md` says more." {
        GET "/api/admin/auth/oidc/settings" => auth_settings::read_oidc, [UpdateAuthConfiguration], "How people sign in at a provider, without its secret";
        POST "/api/admin/auth/oidc/settings" => auth_settings::set_oidc, [UpdateAuthConfiguration], "Sets that, in Unleash's shape: `{enabled?, discoverUrl?, clientId?, secret?, autoCreate?, defaultRootRoleId?, emailDomains?, enableGroupSyncing?, groupJsonPath?, addGroupsScope?, enableSingleSignOut?}`";
        PUT "/api/admin/auth/oidc/settings" => auth_settings::set_oidc, [UpdateAuthConfiguration], "The same";
        GET "/api/admin/auth/simple/settings" => auth_settings::read_passwords, SignedIn, "Whether signing in with a password is switched off";
        POST "/api/admin/auth/simple/settings" => auth_settings::set_passwords, [UpdateAuthConfiguration], "Switches it off while there is another way, or on: `{disabled}`";
        GET "/api/admin/roles" => roles::list, SignedIn, "All roles";
        POST "/api/admin/roles" => roles::create, [Admin], "Makes a role: `{name, description?, type: root-custom or custom, permissions: [{name, environment?}]}`; 201";
        POST "/api/admin/roles/validate" => roles::validate, [Admin], "Whether a role could be made under `{name}`: 200, 400 or 409";
        GET "/api/admin/roles/{role}" => roles::read, [ReadRole, WriteProjectUserAccess], "One role, with its permissions";
        PUT "/api/admin/roles/{role}" => roles::replace, [Admin], "Replaces a custom role";
        DELETE "/api/admin/roles/{role}" => roles::remove, [Admin], "Removes a custom role that nobody has";
        GET "/api/admin/permissions" => roles::permissions, SignedIn, "What roles can be made of";
        GET "/api/admin/groups" => groups::list, SignedIn, "All groups, with their members";
        POST "/api/admin/groups" => groups::create, [Admin], "Makes a group: `{name, description?, rootRole?, mappingsSSO?, users?: [{user: {id}}]}`; 201";
        GET "/api/admin/groups/{group}" => groups::read, SignedIn, "One group";
        PUT "/api/admin/groups/{group}" => groups::replace, [Admin], "Replaces a group; its roles in projects stay";
        DELETE "/api/admin/groups/{group}" => groups::remove, [Admin], "Removes a group, and what it gave to its members";
        GET "/api/admin/projects/{project}/access" => project_access::read, [ReadProjectUserAccess], "Who has which roles and permissions in a project";
        PUT "/api/admin/projects/{project}/access" => project_access::replace, [WriteProjectUserAccess], "Gives exactly these roles, and nobody any other: `{roles: [{id, users: [{id}], groups: [{id}]}]}`";
        POST "/api/admin/projects/{project}/access" => project_access::add, [WriteProjectUserAccess], "Gives these roles besides: `{roles, users, groups}`, all ids";
        PUT "/api/admin/projects/{project}/access/users/{id}" => project_access::grant, [WriteProjectUserAccess], "Grants a user exactly these: `{permissions: [{permission, environment?}]}`; without an environment in all";
        PUT "/api/admin/projects/{project}/users/{id}/roles" => project_access::set_of_user, [WriteProjectUserAccess], "Gives a user exactly these roles: `{roles}`";
        DELETE "/api/admin/projects/{project}/users/{id}/roles" => project_access::clear_of_user, [WriteProjectUserAccess], "Takes a user's roles away";
        PUT "/api/admin/projects/{project}/groups/{group}/roles" => project_access::set_of_group, [WriteProjectUserAccess], "Gives a group exactly these roles: `{roles}`";
        DELETE "/api/admin/projects/{project}/groups/{group}/roles" => project_access::clear_of_group, [WriteProjectUserAccess], "Takes a group's roles away";
    }
    "Projects" {
        GET "/api/admin/projects" => projects::list, SignedIn, "All projects, with how many live flags they have", asks ["archived"];
        POST "/api/admin/projects" => projects::create, [CreateProject], "Creates a project: `{id?, name, description?, environments?, changeRequestEnvironments?}` and what `settings` sets; 201";
        GET "/api/admin/projects/{project}" => projects::overview, SignedIn, "The project with its environments";
        PUT "/api/admin/projects/{project}" => projects::replace, [UpdateProject], "Replaces name and description; sets what `settings` does where it is said";
        DELETE "/api/admin/projects/{project}" => projects::remove, [DeleteProject], "Removes a project that has no live flags; the default project stays";
        PUT "/api/admin/projects/{project}/settings" => projects::set, [UpdateProject], "Sets `{mode?, featureLimit?, featureNaming?, linkTemplates?, defaultStickiness?}`; what is not said stays";
        GET "/api/admin/projects/{project}/overview" => projects::overview, SignedIn, "The same as the project itself";
        GET "/api/admin/projects/{project}/health-report" => projects::health_report, SignedIn, "The project with its flags, and how many of them are stale";
        POST "/api/admin/projects/{project}/favorites" => favorites::add_project, SignedIn, "Marks a project as a favourite of the caller";
        DELETE "/api/admin/projects/{project}/favorites" => favorites::remove_project, SignedIn, "Takes the mark away";
        GET "/api/admin/projects/{project}/dora" => projects::lead_times, SignedIn, "How many days its live flags took from their creation to production: `{features: [{name, timeToProduction}], projectAverage}`";
        GET "/api/admin/projects/{project}/sdks/outdated" => application_use::outdated_of_project, SignedIn, "SDKs that report its flags and are outdated: none is said to be";
        GET "/api/admin/projects/{project}/status" => dashboard::status, SignedIn, "How the project is: members, tokens, segments, how far its flags have come, and what happened on each day of a year, by the newest 1,000 events";
        GET "/api/admin/projects/{project}/flag-creators" => dashboard::flag_creators, SignedIn, "Who created its flags";
        GET "/api/admin/projects/{project}/applications" => application_use::of_project, SignedIn, "The applications that have reported its flags; `query`, `offset`, `limit`", asks ["query", "offset", "limit", "sortBy", "sortOrder"];
        GET "/api/admin/personal-dashboard" => dashboard::personal, SignedIn, "The projects and flags of the caller, and the admins";
        GET "/api/admin/personal-dashboard/{project}" => dashboard::personal_project, SignedIn, "One of these projects: what happened last, its owners, the caller's roles";
        GET "/api/admin/projects/{project}/insights" => insights::get, SignedIn, "Figures of the project as Unleash tells them; and what never changes anything, proven, for each environment: constant flags with their usage of seven days, strategies, conditions, parents and segments that decide nothing; each with its reason";
        POST "/api/admin/projects/{project}/environments" => projects::add_environment, [UpdateProject], "Lets the project use an environment: `{environment, changeRequestsEnabled?}`";
        DELETE "/api/admin/projects/{project}/environments/{environment}" => projects::remove_environment, [UpdateProject], "Stops using it; flags there are off, and keep their strategies";
        POST "/api/admin/projects/{project}/environments/{environment}/default-strategy" => projects::set_default_strategy, [UpdateProject], "Sets the strategy that flags get when they are turned on without one";
    }
    "Environments" {
        GET "/api/admin/environments" => environments::list, SignedIn, "All environments, with how much they are used";
        POST "/api/admin/environments/validate" => environments::validate, SignedIn, "Whether an environment could be created under `{name}`: 200, 400 or 409";
        POST "/api/admin/environments" => environments::create, [Admin], "Creates an environment: `{name, type, sortOrder?, enabled?, requiredApprovals?}`; 201";
        PUT "/api/admin/environments/sort-order" => environments::reorder, [Admin], "Puts environments in order: `{name: place, …}`";
        PUT "/api/admin/environments/update/{name}" => environments::replace, [Admin], "Replaces what the body says of an environment";
        GET "/api/admin/environments/project/{project}" => environments::of_project, SignedIn, "All environments, as the project sees them";
        GET "/api/admin/environments/{name}" => environments::read, SignedIn, "One environment";
        DELETE "/api/admin/environments/{name}" => environments::remove, [Admin], "Removes it, with the settings of all flags in it and with its tokens";
        POST "/api/admin/environments/{name}/on" => environments::on, [Admin], "Takes it into use; 204";
        POST "/api/admin/environments/{name}/off" => environments::off, [Admin], "Takes it out of use; 204";
    }
    "Flags" {
        GET "/api/admin/projects/{project}/features" => flags::list, SignedIn, "The live flags of a project; those with one of the tags `tag=simple:…`, and whose names begin with `namePrefix`", asks ["tag", "namePrefix"];
        POST "/api/admin/projects/{project}/features" => flags::create, [CreateFeature], "Creates a flag, off everywhere: `{name, type?, description?, impressionData?, stale?, archived?, tags?}`; 201";
        GET "/api/admin/projects/{project}/features/{feature}" => flags::read, SignedIn, "A live flag with its environments, strategies, parents, children and recent usage; own variants with `?variantEnvironments=true`", asks ["variantEnvironments"];
        PUT "/api/admin/projects/{project}/features/{feature}" => flags::replace, [UpdateFeature], "Replaces what the flag says of itself; archives or revives it where `archived` says so";
        PATCH "/api/admin/projects/{project}/features/{feature}" => flags::patch, [UpdateFeature], "The same by JSON Patch (RFC 6902)";
        DELETE "/api/admin/projects/{project}/features/{feature}" => flags::archive, [DeleteFeature], "Archives the flag; 202";
        POST "/api/admin/projects/{project}/features/{feature}/clone" => flags::clone, [CreateFeature], "Creates a flag like this one: `{name, replaceGroupId?}`; 201";
        GET "/api/admin/projects/{project}/features/{feature}/lifecycle" => flags::lifecycle, SignedIn, "How far the flag has come, in a list of one";
        POST "/api/admin/projects/{project}/features/{feature}/changeProject" => flags::change_project, [MoveFeature], "Moves the flag to another project, in which the caller may move flags too: `{newProjectId}`; 403 where something would come apart, 409 while a change request is open";
        POST "/api/admin/projects/{project}/features/{feature}/link" => flag_upkeep::add_link, [UpdateFeature], "Adds a link to a page on the web: `{url, title?}`, of `http` or `https`; a flag has at most 50; 204";
        PUT "/api/admin/projects/{project}/features/{feature}/link/{link}" => flag_upkeep::change_link, [UpdateFeature], "Changes a link: `{url, title?}`; 204";
        DELETE "/api/admin/projects/{project}/features/{feature}/link/{link}" => flag_upkeep::remove_link, [UpdateFeature], "Removes a link; 204";
        POST "/api/admin/projects/{project}/features/{feature}/lifecycle/complete" => flag_upkeep::complete, [UpdateFeature], "Says that a live flag is done: `{status: kept or discarded, statusValue?}`";
        POST "/api/admin/projects/{project}/features/{feature}/lifecycle/uncomplete" => flag_upkeep::uncomplete, [UpdateFeature], "Says that it is not";
        POST "/api/admin/projects/{project}/features/{feature}/favorites" => favorites::add_flag, SignedIn, "Marks a flag as a favourite of the caller, who has at most 2,000 favourites";
        DELETE "/api/admin/projects/{project}/features/{feature}/favorites" => favorites::remove_flag, SignedIn, "Takes the mark away";
        POST "/api/admin/projects/{project}/stale" => flags::mark_stale, [UpdateFeature], "Marks flags stale or not: `{features, stale}`; names that no flag has are passed over; 202";
        POST "/api/admin/features/validate" => flags::validate, SignedIn, "Whether a flag could be created under `{name, projectId?}`: 200, 400, 404 or 409";
        GET "/api/admin/lifecycle/count" => dashboard::stages, SignedIn, "How many flags have come how far";
        GET "/api/admin/search/features" => search::find, SignedIn, "Flags by `query`, `project`, `type`, `state`, `lifecycle`, `createdBy` (`IS:…`, `IS_NOT:…`, `IS_ANY_OF:…,…`, `IS_NONE_OF:…,…`), `segment`, `tag` (`INCLUDE:…` and the like), `createdAt`, `lastSeenAt` (`IS_BEFORE:…`, `IS_ON_OR_AFTER:…`), `status[]`, `archived`, `favorite`, `sortBy`, `sortOrder`, `offset`, `limit`", asks ["query", "project", "state", "lifecycle", "type", "createdBy", "tag", "segment", "status", "offset", "limit", "sortBy", "sortOrder", "favoritesFirst", "archived", "favorite", "createdAt", "lastSeenAt"];
    }
    "Import and export" {
        POST "/api/admin/features-batch/export" => batch::export, SignedIn, "Flags as they are in an environment, with strategies, variants, tags, dependencies, and the context fields, segments and tag types that they need: `{environment, features or tag or project, downloadFile?}`; at most 5,000 flags";
        POST "/api/admin/features-batch/validate" => batch::validate, SignedIn, "What an import would meet: `errors`, `warnings` and `permissions` that the caller lacks";
        POST "/api/admin/features-batch/import" => batch::import, SignedIn, "Imports such a document, all or nothing, with the permissions that its parts take: `{project, environment, data}`; where changes go through change requests, what would change in the environment is added to the caller's draft";
    }
    "Archive" {
        GET "/api/admin/archive/features" => archive::list, SignedIn, "All archived flags";
        GET "/api/admin/archive/features/{project}" => archive::list_of_project, SignedIn, "Those of a project";
        POST "/api/admin/archive/revive/{feature}" => archive::revive, [UpdateFeature], "Revives a flag, off everywhere";
        DELETE "/api/admin/archive/{feature}" => archive::delete, [DeleteFeature], "Deletes an archived flag for good";
        POST "/api/admin/projects/{project}/archive" => archive::archive_all, [DeleteFeature], "Archives flags, all or none: `{features}`; names that no flag has are passed over; 202";
        POST "/api/admin/projects/{project}/archive/validate" => archive::validate, [DeleteFeature], "Which of `{features}` have children that would stay, and whether dependencies would go";
        POST "/api/admin/projects/{project}/revive" => archive::revive_all, [UpdateFeature], "Revives flags: `{features}`; names that no flag has are passed over";
        POST "/api/admin/projects/{project}/delete" => archive::delete_all, [DeleteFeature], "Deletes archived flags for good, all or none: `{features}`; names that no flag has are passed over";
    }
    "Flags in an environment" {
        GET "/api/admin/projects/{project}/features/{feature}/environments/{environment}" => switches::read, SignedIn, "The switch and the strategies";
        POST "/api/admin/projects/{project}/features/{feature}/environments/{environment}/on" => switches::on, [UpdateFeatureEnvironment], "Turns the flag on; without an enabled strategy it gets the default one, or its disabled ones are enabled with `?shouldActivateDisabledStrategies=true`", asks ["shouldActivateDisabledStrategies"];
        POST "/api/admin/projects/{project}/features/{feature}/environments/{environment}/off" => switches::off, [UpdateFeatureEnvironment], "Turns the flag off";
        GET "/api/admin/projects/{project}/features/{feature}/environments/{environment}/variants" => variants::list, SignedIn, "The flag's own variants";
        PUT "/api/admin/projects/{project}/features/{feature}/environments/{environment}/variants" => variants::replace, [UpdateFeatureEnvironmentVariants], "Replaces them: `[{name, weight, weightType?, stickiness?, payload?, overrides?}]`; 403 for a flag that has none in any environment";
        PATCH "/api/admin/projects/{project}/features/{feature}/environments/{environment}/variants" => variants::patch, [UpdateFeatureEnvironmentVariants], "The same by JSON Patch (RFC 6902) of the list";
        PUT "/api/admin/projects/{project}/features/{feature}/variants-batch" => variants::replace_all, SignedIn, "Replaces them in several environments, all or none, in each of which the caller may change variants: `{environments, variants}`";
        POST "/api/admin/projects/{project}/bulk_features/environments/{environment}/on" => switches::all_on, [UpdateFeatureEnvironment], "Turns flags on, all or none: `{features}`", asks ["shouldActivateDisabledStrategies"];
        POST "/api/admin/projects/{project}/bulk_features/environments/{environment}/off" => switches::all_off, [UpdateFeatureEnvironment], "Turns flags off, all or none: `{features}`";
    }
    "Activation strategies" {
        GET "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies" => strategies::list, SignedIn, "The strategies in order";
        POST "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies" => strategies::add, [CreateFeatureStrategy], "Adds a strategy behind the others";
        POST "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/set-sort-order" => strategies::reorder, [UpdateFeatureStrategy], "Gives strategies new places: `[{id, sortOrder}, …]`";
        GET "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/{strategy}" => strategies::read, SignedIn, "One strategy";
        PUT "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/{strategy}" => strategies::replace, [UpdateFeatureStrategy], "Replaces a strategy; name, title, disabled and segments stay where they are not said";
        PATCH "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/{strategy}" => strategies::patch, [UpdateFeatureStrategy], "The same by JSON Patch (RFC 6902)";
        DELETE "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/{strategy}" => strategies::remove, [DeleteFeatureStrategy], "Removes a strategy; a flag that loses its last enabled one is turned off";
    }
    "Dependencies" {
        POST "/api/admin/projects/{project}/features/{feature}/dependencies" => dependencies::add, [UpdateFeatureDependency], "Makes the flag depend on a parent, in place of an earlier one: `{feature, enabled?, variants?}`";
        DELETE "/api/admin/projects/{project}/features/{feature}/dependencies" => dependencies::remove_all, [UpdateFeatureDependency], "Takes away what the flag depends on";
        DELETE "/api/admin/projects/{project}/features/{feature}/dependencies/{parent}" => dependencies::remove, [UpdateFeatureDependency], "Takes away one parent";
        GET "/api/admin/projects/{project}/features/{feature}/parents" => dependencies::candidates, SignedIn, "The flags that could be parents";
        GET "/api/admin/projects/{project}/features/{feature}/parent-variants" => dependencies::variants, SignedIn, "The names of the variants that the flag can have";
        GET "/api/admin/projects/{project}/dependencies" => dependencies::exist, SignedIn, "Whether any live flag of the project depends on another";
    }
    "Segments" {
        GET "/api/admin/segments" => segments::list, SignedIn, "All segments, with how much they are used";
        POST "/api/admin/segments" => segments::create, [CreateSegment, UpdateProjectSegment], "Creates a segment: `{name, constraints, description?, project?}`; 201";
        POST "/api/admin/segments/validate" => segments::validate, SignedIn, "Whether a segment could be created under `{name}`: 204, 400 or 409";
        POST "/api/admin/segments/strategies" => segments::assign, [UpdateFeatureStrategy], "Gives a strategy exactly these segments: `{projectId, environmentId, strategyId, segmentIds}`; 201";
        GET "/api/admin/segments/strategies/{strategy}" => segments::of_strategy, SignedIn, "The segments of a strategy";
        GET "/api/admin/segments/{segment}" => segments::read, SignedIn, "One segment";
        PUT "/api/admin/segments/{segment}" => segments::replace, [UpdateSegment, UpdateProjectSegment], "Replaces a segment; 204";
        DELETE "/api/admin/segments/{segment}" => segments::remove, [DeleteSegment, UpdateProjectSegment], "Removes a segment that neither a live flag nor an open change request uses; 204, else 409";
        GET "/api/admin/segments/{segment}/strategies" => segments::uses, SignedIn, "The strategies that use it, and those that open change requests would let use it";
    }
    "Strategy types" {
        GET "/api/admin/strategies" => strategy_types::list, SignedIn, "All strategy types, built-in ones first";
        POST "/api/admin/strategies" => strategy_types::create, [CreateStrategy], "Creates a type: `{name, description?, parameters}`; 201";
        GET "/api/admin/strategies/{name}" => strategy_types::read, SignedIn, "One type";
        PUT "/api/admin/strategies/{name}" => strategy_types::replace, [UpdateStrategy], "Replaces a type that is not built in";
        DELETE "/api/admin/strategies/{name}" => strategy_types::remove, [DeleteStrategy], "Removes a type that is not built in";
        POST "/api/admin/strategies/{name}/deprecate" => strategy_types::deprecate, [UpdateStrategy], "Says that people should stop using it";
        POST "/api/admin/strategies/{name}/reactivate" => strategy_types::reactivate, [UpdateStrategy], "Takes that back";
    }
    "Tags" {
        GET "/api/admin/tags" => tags::list, SignedIn, "All tags, on flags or not";
        POST "/api/admin/tags" => tags::create, [UpdateFeature], "Makes a tag that no flag has yet: `{type, value}`; 201";
        GET "/api/admin/tags/{type}" => tags::of_type, SignedIn, "The tags of a type";
        GET "/api/admin/tags/{type}/{value}" => tags::read, SignedIn, "One tag";
        DELETE "/api/admin/tags/{type}/{value}" => tags::remove, [UpdateFeature], "Removes a tag, from all flags too, which the caller must be allowed to change";
        GET "/api/admin/tag-types" => tags::list_types, SignedIn, "All tag types";
        POST "/api/admin/tag-types" => tags::create_type, [CreateTagType], "Makes a tag type: `{name, description?, icon?, color?}`; 201";
        POST "/api/admin/tag-types/validate" => tags::validate_type, [CreateTagType], "Whether a type could be made under `{name}`: 200, 400 or 409";
        GET "/api/admin/tag-types/{name}" => tags::read_type, SignedIn, "One tag type";
        PUT "/api/admin/tag-types/{name}" => tags::edit_type, [UpdateTagType], "Changes what a type says: `{description?, icon?, color?}`";
        DELETE "/api/admin/tag-types/{name}" => tags::remove_type, [DeleteTagType], "Removes a type with its tags, from all flags too, which the caller must be allowed to change";
        GET "/api/admin/features/{feature}/tags" => tags::of_flag, SignedIn, "The tags of a flag";
        POST "/api/admin/features/{feature}/tags" => tags::put_on, [UpdateFeature], "Puts a tag on a flag: `{type, value}`; 201";
        PUT "/api/admin/features/{feature}/tags" => tags::change, [UpdateFeature], "Puts tags on a flag and takes others off: `{addedTags, removedTags}`";
        DELETE "/api/admin/features/{feature}/tags/{type}/{value}" => tags::take_off, [UpdateFeature], "Takes a tag off a flag";
        PUT "/api/admin/projects/{project}/tags" => tags::change_all, [UpdateFeature], "The same for several flags of a project, all or none: `{features, tags: {addedTags, removedTags}}`";
    }
    "Context fields, flag types, constraints" {
        GET "/api/admin/context" => context::list, SignedIn, "The context fields for all projects, with how much they are used; with `?include=project` those of projects as well", asks ["include"];
        GET "/api/admin/projects/{project}/context" => context::of_project, SignedIn, "Those of a project; with `?include=root` those for all projects as well", asks ["include"];
        POST "/api/admin/context" => context::create, [CreateContextField], "Adds a field: `{name, description?, stickiness?, sortOrder?, legalValues?: [{value, description?}], project?}`; 201";
        POST "/api/admin/context/validate" => context::validate, SignedIn, "Whether a field could be added under `{name}`: 200, 400 or 409";
        GET "/api/admin/context/{field}" => context::read, SignedIn, "One field";
        PUT "/api/admin/context/{field}" => context::replace, [UpdateContextField], "Replaces what a field says; its description stays where none is said";
        DELETE "/api/admin/context/{field}" => context::remove, [DeleteContextField], "Removes a field that is not built in and that no live flag has a constraint on; else 403 or 409";
        POST "/api/admin/context/{field}/legal-values" => context::put_value, [UpdateContextField], "Adds a value that constraints may compare the field with: `{value, description?}`";
        DELETE "/api/admin/context/{field}/legal-values/{value}" => context::take_value, [UpdateContextField], "Takes one away";
        GET "/api/admin/context/{field}/strategies" => context::uses, SignedIn, "The strategies with a constraint on a field, which can be any property";
        POST "/api/admin/projects/{project}/context" => context::create_in_project, [UpdateProject], "Adds a field to a project, whose constraints alone its values bind; 201";
        POST "/api/admin/projects/{project}/context/validate" => context::validate_in_project, SignedIn, "Whether a field could be added under `{name}`: 200, 400 or 409";
        GET "/api/admin/projects/{project}/context/{field}" => context::read_in_project, SignedIn, "One that a project can use";
        PUT "/api/admin/projects/{project}/context/{field}" => context::replace_in_project, [UpdateProject], "Replaces what a field of the project says";
        DELETE "/api/admin/projects/{project}/context/{field}" => context::remove_in_project, [UpdateProject], "Removes a field of the project";
        POST "/api/admin/projects/{project}/context/{field}/legal-values" => context::put_value_in_project, [UpdateProject], "Adds a value that its constraints may compare the field with";
        DELETE "/api/admin/projects/{project}/context/{field}/legal-values/{value}" => context::take_value_in_project, [UpdateProject], "Takes one away";
        GET "/api/admin/projects/{project}/context/{field}/strategies" => context::uses_in_project, SignedIn, "The strategies of a project with a constraint on a field";
        GET "/api/admin/feature-types" => feature_types::list, SignedIn, "What flags can be for, and how many days such flags are expected to live: `lifetimeDays`, `null` for ever";
        PUT "/api/admin/feature-types/{kind}/lifetime" => feature_types::set_lifetime, [Admin], "Sets that: `{lifetimeDays}`, where `null` and 0 mean for ever; flags that are older are potentially stale within ten seconds";
        POST "/api/admin/constraints/validate" => context::validate_constraint, SignedIn, "Whether a constraint can be decided: 204 or 400";
    }
    "API tokens" {
        GET "/api/admin/api-tokens" => tokens::list, [ReadClientApiToken, ReadFrontendApiToken], "The tokens that the caller may see, without their secrets; with them where the server keeps them (`API_TOKEN_SECRETS=listed`)";
        POST "/api/admin/api-tokens" => tokens::create, [CreateClientApiToken, CreateFrontendApiToken], "Creates a token: `{tokenName, type, environment?, projects?, expiresAt?}`; 201 with the secret, which is told here only";
        GET "/api/admin/api-tokens/{token}" => tokens::named, [ReadClientApiToken, ReadFrontendApiToken], "The tokens of this name";
        PUT "/api/admin/api-tokens/{token}" => tokens::expire, [UpdateClientApiToken, UpdateFrontendApiToken], "Sets the end of a token, named by its secret or id: `{expiresAt}`";
        DELETE "/api/admin/api-tokens/{token}" => tokens::remove, [DeleteClientApiToken, DeleteFrontendApiToken], "Removes a token, named by its secret or id";
        GET "/api/admin/projects/{project}/api-tokens" => tokens::of_project, [ReadProjectApiToken], "The tokens that are for a project, alone or among others";
        POST "/api/admin/projects/{project}/api-tokens" => tokens::create_of_project, [CreateProjectApiToken], "Creates a token for the project alone: `{tokenName, type, environment?, expiresAt?}`; 201 with the secret";
        DELETE "/api/admin/projects/{project}/api-tokens/{token}" => tokens::remove_of_project, [DeleteProjectApiToken], "Removes a token that is for the project alone, named by its secret or id";
    }
    "Audit log" {
        GET "/api/admin/events" => events::list, [Admin], "The newest 100 events; of a project with `?project=`", asks ["project"];
        GET "/api/admin/events/{feature}" => events::of_flag, SignedIn, "The newest 100 events of a flag";
        GET "/api/admin/event-creators" => dashboard::event_creators, SignedIn, "Whom the audit log can name: users, admin tokens, the server itself";
        GET "/api/admin/search/events" => events::search, [Admin], "Events by `type`, `project`, `environment`, `feature`, `createdBy`, `id`, `groupId` (`IS:…`, `IS_ANY_OF:…,…`), `from`, `to`, `query` (a text in what was or is), `offset`, `limit`", asks ["feature", "project", "type", "createdBy", "id", "groupId", "from", "to", "query", "offset", "limit", "environment"];
    }
    "Instance" {
        GET "/api/admin/live" => live::live, Listening, "That something changed or was used, as it happens: server-sent events `change` and `usage`";
        GET "/api/admin/ui-config" => instance::configuration, SignedIn, "Name, version and limits of the instance";
        POST "/api/admin/ui-config/cors" => instance::set_origins, [Admin], "Sets from which pages front ends may ask, in place of `UNLEASH_FRONTEND_API_ORIGINS`: `{frontendApiOrigins}`; 204";
        GET "/api/admin/maintenance" => instance::maintenance, SignedIn, "Whether nothing can be changed for now";
        POST "/api/admin/maintenance" => instance::set_maintenance, [Admin], "Switches maintenance on or off: `{enabled}`; while it is on, all that changes something below `/api/admin` is 503; 204";
        GET "/api/admin/telemetry/settings" => instance::telemetry, SignedIn, "That nothing about the instance is sent to anybody";
        GET "/api/admin/instance-admin/statistics" => instance::statistics, [Admin], "How much there is of what";
        GET "/api/admin/instance-admin/statistics/csv" => instance::statistics_csv, [Admin], "The same as CSV";
    }
    "Change requests", "`{id}` and `{change}` are numbers; what is no number is not there. A change is `{feature, action, payload}`; the actions are those of Unleash, and those of release plans and safeguards are kept and shown, but not applied." {
        GET "/api/admin/projects/{project}/change-requests/config" => change_requests::configuration::get, SignedIn, "Where the project's changes go through change requests, one row per environment";
        PUT "/api/admin/projects/{project}/environments/{environment}/change-requests/config" => change_requests::configuration::put, [UpdateProject], "Sets that: `{changeRequestsEnabled, requiredApprovals?, changedEffect?}`, approvals brought into 1 to 10; `changedEffect` is `refuse` or `warn`; 204";
        GET "/api/admin/projects/{project}/change-requests" => change_requests::reading::list, SignedIn, "The newest 300, without conflicts";
        GET "/api/admin/projects/{project}/change-requests/count" => change_requests::reading::count, SignedIn, "How many there are, by state";
        GET "/api/admin/projects/{project}/change-requests/pending" => change_requests::reading::pending, SignedIn, "The caller's own that are Draft, In review or Approved";
        GET "/api/admin/projects/{project}/change-requests/pending/{feature}" => change_requests::reading::pending_for, SignedIn, "Everybody's pending ones that change the flag";
        GET "/api/admin/projects/{project}/change-requests/actionable" => change_requests::reading::actionable, SignedIn, "How many the caller could approve or apply: `{total}`";
        GET "/api/admin/projects/{project}/change-requests/scheduled" => change_requests::reading::scheduled, SignedIn, "Scheduled ones that touch any `feature`, `strategyId` or `variantForFlag` of the query", asks ["feature", "strategyId", "variantForFlag"];
        GET "/api/admin/projects/{project}/change-requests/{id}" => change_requests::reading::one, SignedIn, "One, with what stands against its changes, default changes, when it entered each state, its effect while it is open, and the proposed ones that change a flag for the same contexts (`effectConflicts`)";
        GET "/api/admin/search/change-requests" => change_requests::reading::search, SignedIn, "Those of all projects, in short: `createdBy=IS:id`, `requestedApproverId=IS:id`, `state=IS:open` or `IS:closed`, `offset`, `limit`", asks ["createdBy", "requestedApproverId", "state", "offset", "limit", "sortBy", "sortOrder"];
        PUT "/api/admin/projects/{project}/change-requests/{id}/title" => change_requests::people::rename, SignedIn, "Gives it a title, or takes it away: `{title}`; 204";
        GET "/api/admin/projects/{project}/change-requests/{id}/approvers" => change_requests::people::reviewers, SignedIn, "Who was asked to review it";
        PUT "/api/admin/projects/{project}/change-requests/{id}/approvers" => change_requests::people::request_reviewers, SignedIn, "Asks these people and nobody else, at most 10: `{reviewers}`; 204";
        GET "/api/admin/projects/{project}/change-requests/available-reviewers/{environment}" => change_requests::people::available, SignedIn, "Who may be asked";
        POST "/api/admin/projects/{project}/change-requests/{id}/comments" => change_requests::people::comment, SignedIn, "Adds a comment of 1 to 1000 characters: `{text}`; 204";
        POST "/api/admin/projects/{project}/environments/{environment}/change-requests" => change_requests::writing::add, SignedIn, "Adds a change, or an array of them, to the caller's pending change request there, which is opened if there is none";
        DELETE "/api/admin/projects/{project}/change-requests/{id}" => change_requests::writing::discard, SignedIn, "Throws a draft away";
        PUT "/api/admin/projects/{project}/change-requests/{id}/state" => change_requests::writing::change_state, SignedIn, "Moves it: `{state, comment?, scheduledAt?, effect?, changes?}`; with `effect`, the digest of the effect that was read, and `changes`, the ids of the changes that were read, 409 where they have become others. Applied makes all of its changes or none: 400 with one detail for each change that cannot be made";
        PUT "/api/admin/projects/{project}/change-requests/{id}/changes/{change}" => change_requests::writing::edit, SignedIn, "Replaces a change, which gets a new id";
        DELETE "/api/admin/projects/{project}/change-requests/{id}/changes/{change}" => change_requests::writing::discard_change, SignedIn, "Takes a change out";
    }
    "Playground" {
        POST "/api/admin/playground/change-request/{id}" => playground::change_request, SignedIn, "What the flags of the change request's project come out as, as if it were applied, for every combination of `{context}`", asks ["strategyResult", "*"];
        POST "/api/admin/playground/advanced" => playground::advanced, SignedIn, "What flags come out as now, in several environments, for every combination of `{environments, projects?, context}`", asks ["strategyResult"];
        POST "/api/admin/playground" => playground::simple, SignedIn, "The same in one environment, without splitting at commas: `{environment, projects?, context}`", asks ["strategyResult"];
        POST "/api/admin/playground/change-request/{id}/diff" => playground_diff::diff, SignedIn, "What the change request changes: counts, and the combinations that change, put together; `{context, suggest?, population?, seed?, now?}`; see PREVIEW.md", asks ["contexts"];
        POST "/api/admin/playground/change-request/{id}/diff/explain" => playground_diff::explain, SignedIn, "One of these combinations explained, before and after: the same with `{flag, combination?}`";
        POST "/api/admin/playground/change-request/{id}/proof" => playground_proof::change_request, SignedIn, "What the change request changes for every context there is, exactly, and whether guards hold: `{never?, only?, atMost?}`; see PROOF.md";
        POST "/api/admin/playground/proof" => playground_proof::two_sides, SignedIn, "How two environments or states differ, for every context there is: `{before, after, project?, never?, only?, atMost?}`, where a side is `{environment}`, or `{state, environment?}` with an export or client features";
        POST "/api/admin/playground/changes/diff" => playground_changes::diff, SignedIn, "The same for changes that nobody has proposed: `{project, environment, changes: [{feature, action, payload}], context, …}`";
        POST "/api/admin/playground/changes/proof" => playground_changes::proof, SignedIn, "What changes that nobody has proposed would change for every context there is, exactly: `{project, environment, changes, never?, only?, atMost?}`";
        POST "/api/admin/playground/changes/diff/explain" => playground_changes::explain, SignedIn, "One of these combinations explained: the same with `{flag, combination?}`";
    }
    "Client API" {
        GET "/api/client/features" => client::features, Client, "The flags of the token's environment and projects, for SDKs on servers; `project`, `namePrefix`, `tag`; 304 for a known `If-None-Match`; segments are listed from `unleash-client-spec: 4.2.0` on, inlined before";
        GET "/api/client/features/{name}" => client::feature, Client, "One of them";
        GET "/api/client/delta" => client::delta, Client, "What has changed since the state that `If-None-Match` names, as events: everything as `hydration` where that is not known; `project`, `namePrefix`, `tag`; 304 where nothing has";
        GET "/api/client/streaming" => client_stream::streaming, Client, "The same as it happens, as server-sent events: `unleash-connected` tells everything, `unleash-updated` what has changed; goes on from `Last-Event-ID`; a comment every 20 seconds";
        POST "/api/client/register" => client::register, Client, "An instance of an application has started: `{appName, interval, started, strategies, instanceId?, sdkVersion?}`; 202";
        POST "/api/client/metrics" => client::metrics, Client, "An SDK reports what it evaluated: `{appName, bucket: {start, stop, toggles}}`; 202 once it is stored";
        POST "/api/client/metrics/bulk" => client::bulk_metrics, Client, "A proxy reports what SDKs reported to it: `{applications, metrics}`, all or none; 202 once it is stored";
        POST "/edge/validate" => edge::validate, Open, "Which of `{tokens}` are known, and what they are for";
        POST "/edge/issue-token" => edge::issue, Open, "Makes tokens of SDKs for a proxy that has signed for them, or tells those it has: `{tokens: [{environment, projects}]}`";
    }
    "Frontend API", "Pages may use it, of any origin or of those in `UNLEASH_FRONTEND_API_ORIGINS`." {
        GET "/api/frontend" => frontend::get_flags, Frontend, "The flags that are on for the context in the query: `userId=…&properties[name]=…`; 304 for a known `If-None-Match`";
        POST "/api/frontend" => frontend::post_flags, Frontend, "The same for `{context}`";
        OPTIONS "/api/frontend" => cors::preflight, Open, "What a browser may send";
        GET "/api/frontend/all" => frontend::get_all_flags, Frontend, "All flags, on or off, for the context in the query";
        POST "/api/frontend/all" => frontend::post_all_flags, Frontend, "The same for `{context}`";
        OPTIONS "/api/frontend/all" => cors::preflight, Open, "What a browser may send";
        GET "/api/frontend/features/{name}" => frontend::get_flag, Frontend, "One flag, on or off, for the context in the query";
        POST "/api/frontend/features/{name}" => frontend::post_flag, Frontend, "The same for `{context}`";
        OPTIONS "/api/frontend/features/{name}" => cors::preflight, Open, "What a browser may send";
        POST "/api/frontend/client/metrics" => frontend::metrics, Frontend, "An SDK reports what it evaluated; 200 `OK` once it is stored";
        OPTIONS "/api/frontend/client/metrics" => cors::preflight, Open, "What a browser may send";
        POST "/api/frontend/client/register" => frontend::register, Frontend, "Checks a registration, of which nothing is kept; 200 `OK`";
        OPTIONS "/api/frontend/client/register" => cors::preflight, Open, "What a browser may send";
        GET "/api/proxy" => frontend::get_flags, Frontend, "The same under its older name";
        POST "/api/proxy" => frontend::post_flags, Frontend, "The same under its older name";
        OPTIONS "/api/proxy" => cors::preflight, Open, "What a browser may send";
        GET "/api/proxy/all" => frontend::get_all_flags, Frontend, "The same under its older name";
        POST "/api/proxy/all" => frontend::post_all_flags, Frontend, "The same under its older name";
        OPTIONS "/api/proxy/all" => cors::preflight, Open, "What a browser may send";
        GET "/api/proxy/features/{name}" => frontend::get_flag, Frontend, "The same under its older name";
        POST "/api/proxy/features/{name}" => frontend::post_flag, Frontend, "The same under its older name";
        OPTIONS "/api/proxy/features/{name}" => cors::preflight, Open, "What a browser may send";
        POST "/api/proxy/client/metrics" => frontend::metrics, Frontend, "The same under its older name";
        OPTIONS "/api/proxy/client/metrics" => cors::preflight, Open, "What a browser may send";
        POST "/api/proxy/client/register" => frontend::register, Frontend, "The same under its older name";
        OPTIONS "/api/proxy/client/register" => cors::preflight, Open, "What a browser may send";
    }
    "OpenFeature", "OFREP 0.3, for OpenFeature providers on servers and in browsers. The token is sent as `Authorization` or `X-API-Key`." {
        POST "/ofrep/v1/evaluate/flags" => ofrep::flags, AnySdk, "All flags for `{context}`, whose `targetingKey` is the `userId`; 304 for a known `If-None-Match`; `eventStreams` tells where to listen";
        OPTIONS "/ofrep/v1/evaluate/flags" => cors::preflight, Open, "What a browser may send";
        POST "/ofrep/v1/evaluate/flags/{name}" => ofrep::flag, AnySdk, "One flag for `{context}`";
        OPTIONS "/ofrep/v1/evaluate/flags/{name}" => cors::preflight, Open, "What a browser may send";
        GET "/ofrep/v1/events/{channel}" => ofrep::events, Open, "That flags have changed, as it happens: server-sent events `refetchEvaluation`";
        OPTIONS "/ofrep/v1/events/{channel}" => cors::preflight, Open, "What a browser may send";
    }
    "Usage" {
        GET "/api/admin/client-metrics/features/{name}" => usage::feature_usage, SignedIn, "The usage of a flag in the last 60 minutes by environment, and the applications that use it; 404 when no flag has the name and nobody reported it", asks ["*"];
        GET "/api/admin/client-metrics/features/{name}/raw" => usage::raw_usage, SignedIn, "Its usage by hour, environment and application; the last `hoursBack` hours, 1 to 48, else 24", asks ["hoursBack"];
        GET "/api/admin/client-metrics/features/{name}/minutes" => usage::flag_minutes, SignedIn, "Its usage by minute, environment and application, the last `last` minutes, 1 to 120, else 60; `null` where nobody reported", asks ["last"];
        GET "/api/admin/client-metrics/features/{name}/minutes/stream" => usage_stream::flag_minutes, Listening, "The same as it is reported, as server-sent events `usage`, for two minutes", asks ["last"];
        POST "/api/admin/client-metrics/minutes" => usage::flags_minutes, SignedIn, "The usage by minute and environment of the flags in `{features: [name]}`; `?last=`", asks ["last"];
        GET "/api/admin/projects/{project}/client-metrics/minutes" => usage::project_minutes, SignedIn, "The same of all live flags of a project", asks ["last"];
        GET "/api/admin/projects/{project}/client-metrics/summary" => usage_summary::project_summary, SignedIn, "Which of its live flags came out always on, always off, both, or were not asked for, by environment, in the last `hours` hours, 1 to 48, else 24", asks ["hours"];
        GET "/api/admin/metrics/unknown-flags" => usage::unknown_flags, SignedIn, "Names that were reported and that no flag has, and who reported them", asks ["query", "offset", "limit"];
        GET "/api/admin/metrics/applications" => applications::applications, SignedIn, "Applications that registered or reported; `query`, `offset`, `limit`", asks ["query", "offset", "limit", "sortBy", "sortOrder"];
        GET "/api/admin/metrics/applications/{application}" => applications::application, SignedIn, "One of them, with its instances and flags";
        POST "/api/admin/metrics/applications/{application}" => applications::say, [UpdateApplication], "Says something of one, heard of or not: `{description?, url?, color?, icon?, strategies?}`; what is not said stays, and `null` takes it away; 202";
        DELETE "/api/admin/metrics/applications/{application}" => applications::forget, [UpdateApplication], "Forgets what was said of one and heard of it until now; it is there again once it is heard of again; counts of flags stay";
        GET "/api/admin/metrics/applications/{application}/overview" => application_use::overview, SignedIn, "Where it runs, and what it asks for that is not there";
        GET "/api/admin/metrics/sdks/outdated" => application_use::outdated, SignedIn, "SDKs that report and are outdated: none is said to be";
        GET "/api/admin/metrics/instances/{application}/environment/{environment}" => application_use::instances, SignedIn, "Its instances in an environment";
    }
    "Operation" {
        GET "/docs/openapi.json" => documents::serve_openapi, Open, "This list as an OpenAPI document";
        GET "/health" => health::health, Open, "Whether the process answers: `{\"health\":\"GOOD\"}`";
        GET "/ready" => health::ready, Open, "Whether the database answers too, and takes something small where it had no room before; 503 while it does not";
        GET "/internal-backstage/prometheus" => prometheus::numbers, Open, "Numbers about the server in the text format of Prometheus";
    }
    "Web pages", "`--ui false` (`UI=false`) leaves them out. `UI.md` says how they are made." {
        GET "/" => ui::front, Open, "Leads to the pages";
        GET "/signed-out" => ui::front, Open, "Leads there too: where a browser goes that was signed out";
        GET "/ui" => ui::page, Open, "The pages";
        GET "/ui/files/{digest}/{file}" => ui::file, Open, "A script or style sheet of this version; kept by browsers for ever";
        GET "/ui/{page:.*}" => ui::page, Open, "One of them: the same shell for every page, which names its files and says who is signed in";
    }
}
