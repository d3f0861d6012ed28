//! The tables of change requests.

diesel::table! {
    change_requests (id) {
        id -> BigInt,
        title -> Nullable<Text>,
        project -> Text,
        environment -> Text,
        min_approvals -> BigInt,
        state -> Text,
        created_by_id -> BigInt,
        created_by_name -> Text,
        created_at -> BigInt,
        state_timestamps -> Text,
        scheduled_at -> Nullable<BigInt>,
        scheduled_by_id -> Nullable<BigInt>,
        scheduled_by_name -> Nullable<Text>,
        schedule_status -> Nullable<Text>,
        schedule_reason -> Nullable<Text>,
        setback -> Nullable<Text>,
    }
}

diesel::table! {
    change_request_changes (change_request, position) {
        change_request -> BigInt,
        position -> BigInt,
        id -> BigInt,
        flag -> Nullable<Text>,
        change -> Text,
        found -> Nullable<Text>,
        created_by_id -> BigInt,
        created_by_name -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    change_request_segments (change_request, segment) {
        change_request -> BigInt,
        segment -> BigInt,
    }
}

diesel::table! {
    change_request_reviews (change_request, position) {
        change_request -> BigInt,
        position -> BigInt,
        approved -> Bool,
        created_by_id -> BigInt,
        created_by_name -> Text,
        created_at -> BigInt,
        effect -> Nullable<Text>,
        effect_words -> Nullable<Text>,
        effect_revision -> Nullable<BigInt>,
    }
}

diesel::table! {
    change_request_comments (change_request, position) {
        change_request -> BigInt,
        position -> BigInt,
        id -> BigInt,
        text -> Text,
        created_by_id -> BigInt,
        created_by_name -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    change_request_titles (change_request, position) {
        change_request -> BigInt,
        position -> BigInt,
        title -> Nullable<Text>,
        until -> BigInt,
        by_id -> BigInt,
        by_name -> Text,
    }
}

diesel::table! {
    change_request_reviewers (change_request, position) {
        change_request -> BigInt,
        position -> BigInt,
        actor -> BigInt,
    }
}
