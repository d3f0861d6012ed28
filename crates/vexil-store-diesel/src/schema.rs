//! The tables, in the types that both databases speak.
//!
//! Instants are microseconds since 1970; lists and maps are JSON text.

mod requests;
mod tags;
mod usage;

pub(crate) use requests::*;
pub(crate) use tags::*;
pub(crate) use usage::*;

diesel::table! {
    store_state (id) {
        id -> BigInt,
        sequence -> BigInt,
        configuration -> BigInt,
        next_segment -> BigInt,
        next_change_request -> BigInt,
        next_change -> BigInt,
        next_comment -> BigInt,
        next_token -> BigInt,
        next_user -> BigInt,
        next_personal_token -> BigInt,
        next_role -> BigInt,
        next_group -> BigInt,
        next_sign_up_link -> BigInt,
        mark -> BigInt,
    }
}

diesel::table! {
    change_log (sequence, kind, key) {
        sequence -> BigInt,
        kind -> Text,
        key -> Text,
    }
}

diesel::table! {
    environment_revisions (environment) {
        environment -> Text,
        revision -> BigInt,
        mark -> BigInt,
    }
}

diesel::table! {
    projects (id) {
        id -> Text,
        name -> Text,
        description -> Nullable<Text>,
        created_at -> BigInt,
        default_stickiness -> Text,
    }
}

diesel::table! {
    project_environments (project, environment) {
        project -> Text,
        environment -> Text,
        required_approvals -> Nullable<BigInt>,
        default_strategy -> Nullable<Text>,
        in_use -> Bool,
        changed_effect -> Nullable<Text>,
    }
}

diesel::table! {
    environments (name) {
        name -> Text,
        kind -> Text,
        sort_order -> BigInt,
        enabled -> Bool,
        protected -> Bool,
        required_approvals -> Nullable<BigInt>,
    }
}

diesel::table! {
    flags (name) {
        name -> Text,
        project -> Text,
        kind -> Text,
        description -> Nullable<Text>,
        stale -> Bool,
        impression_data -> Bool,
        created_by_id -> Nullable<BigInt>,
        created_by_name -> Nullable<Text>,
        created_at -> BigInt,
        archived_at -> Nullable<BigInt>,
        tags -> Text,
        links -> Text,
        completed -> Nullable<Text>,
        potentially_stale -> Bool,
    }
}

diesel::table! {
    flag_dependencies (flag, position) {
        flag -> Text,
        position -> BigInt,
        parent -> Text,
        enabled -> Bool,
        variants -> Text,
    }
}

diesel::table! {
    flag_environments (flag, environment) {
        flag -> Text,
        environment -> Text,
        enabled -> Bool,
        variants -> Text,
    }
}

diesel::table! {
    strategies (flag, environment, position) {
        flag -> Text,
        environment -> Text,
        position -> BigInt,
        id -> Text,
        name -> Text,
        title -> Nullable<Text>,
        disabled -> Bool,
        sort_order -> BigInt,
        parameters -> Text,
        constraints -> Text,
        segments -> Text,
        variants -> Text,
    }
}

diesel::table! {
    segments (id) {
        id -> BigInt,
        name -> Text,
        description -> Nullable<Text>,
        project -> Nullable<Text>,
        constraints -> Text,
        created_by -> Nullable<Text>,
        created_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    strategy_types (name) {
        name -> Text,
        display_name -> Nullable<Text>,
        description -> Text,
        built_in -> Bool,
        deprecated -> Bool,
        parameters -> Text,
        title -> Nullable<Text>,
    }
}

diesel::table! {
    api_tokens (id) {
        id -> BigInt,
        name -> Text,
        secret_hash -> Binary,
        sealed_secret -> Nullable<Binary>,
        kind -> Text,
        environment -> Nullable<Text>,
        projects -> Text,
        created_at -> BigInt,
        expires_at -> Nullable<BigInt>,
        seen_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    users (id) {
        id -> BigInt,
        username -> Nullable<Text>,
        email -> Nullable<Text>,
        name -> Nullable<Text>,
        role -> BigInt,
        password_hash -> Nullable<Text>,
        created_at -> BigInt,
        seen_at -> Nullable<BigInt>,
        project_roles -> Text,
        external_issuer -> Nullable<Text>,
        external_subject -> Nullable<Text>,
        closed_notices -> Text,
        feedback -> Text,
        favorites -> Text,
    }
}

diesel::table! {
    personal_tokens (id) {
        id -> BigInt,
        owner -> BigInt,
        description -> Text,
        secret_hash -> Binary,
        created_at -> BigInt,
        expires_at -> BigInt,
        seen_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    user_grants (owner, position) {
        owner -> BigInt,
        position -> BigInt,
        project -> Text,
        environment -> Nullable<Text>,
        permission -> Text,
    }
}

diesel::table! {
    roles (id) {
        id -> BigInt,
        kind -> Text,
        name -> Text,
        description -> Text,
        permissions -> Text,
    }
}

diesel::table! {
    user_groups (id) {
        id -> BigInt,
        name -> Text,
        description -> Text,
        root_role -> Nullable<BigInt>,
        external_names -> Text,
        members -> Text,
        project_roles -> Text,
    }
}

diesel::table! {
    project_settings (project) {
        project -> Text,
        mode -> Text,
        feature_limit -> Nullable<BigInt>,
        naming -> Nullable<Text>,
        link_templates -> Text,
    }
}

diesel::table! {
    sign_up_links (id) {
        id -> BigInt,
        secret_hash -> Binary,
        sealed_secret -> Nullable<Binary>,
        name -> Text,
        enabled -> Bool,
        role -> BigInt,
        created_by -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        users -> Text,
    }
}

diesel::table! {
    instance_settings (name) {
        name -> Text,
        value -> Text,
    }
}

diesel::table! {
    sessions (secret_hash) {
        secret_hash -> Binary,
        holder -> Text,
        owner -> Nullable<BigInt>,
        token -> Nullable<BigInt>,
        created_at -> BigInt,
        seen_at -> BigInt,
        expires_at -> BigInt,
        address -> Nullable<Text>,
        user_agent -> Nullable<Text>,
    }
}

diesel::table! {
    links (secret_hash) {
        secret_hash -> Binary,
        owner -> BigInt,
        purpose -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
    }
}

diesel::table! {
    events (id) {
        id -> BigInt,
        kind -> Text,
        created_at -> BigInt,
        created_by_id -> BigInt,
        created_by_name -> Text,
        project -> Nullable<Text>,
        environment -> Nullable<Text>,
        flag -> Nullable<Text>,
        data -> Nullable<Text>,
        pre_data -> Nullable<Text>,
        change_request -> Nullable<BigInt>,
    }
}

diesel::table! {
    instances (application, environment, instance) {
        application -> Text,
        environment -> Text,
        instance -> Text,
        sdk_version -> Nullable<Text>,
        strategies -> Text,
        started -> Nullable<BigInt>,
        report_interval -> Nullable<BigInt>,
        seen_at -> BigInt,
        first_seen -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    flags,
    usage_reporters,
    change_requests,
    change_request_changes,
    change_request_reviewers,
    change_request_segments,
);
