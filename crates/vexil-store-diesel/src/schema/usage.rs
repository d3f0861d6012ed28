//! The tables of usage.

diesel::table! {
    usage_inbox (id) {
        id -> BigInt,
        writer -> BigInt,
        number -> BigInt,
        counts -> Binary,
    }
}

diesel::table! {
    usage_writers (writer) {
        writer -> BigInt,
        appended -> BigInt,
        folded -> BigInt,
        seen_at -> BigInt,
    }
}

diesel::table! {
    usage_folding (id) {
        id -> BigInt,
        bounds -> Nullable<Text>,
        flag -> Nullable<Text>,
        edition -> BigInt,
    }
}

diesel::table! {
    usage_blocks (flag, width, starts_at, environment, application) {
        flag -> Text,
        width -> BigInt,
        starts_at -> BigInt,
        environment -> Text,
        application -> Text,
        counts -> Binary,
    }
}

diesel::table! {
    usage_reporters (flag, environment, application) {
        flag -> Text,
        environment -> Text,
        application -> Text,
        last_reported -> BigInt,
    }
}

diesel::table! {
    usage_report_keys (hash) {
        hash -> Binary,
        stored_at -> BigInt,
    }
}
