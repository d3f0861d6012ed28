//! Rows of tables that began to be there later, and of those that are there from the start.

use super::rows::Row;

/// See [`super::rows::ROWS`].
pub(super) const LATER_ROWS: &[Row] = &[
    (
        "user_groups",
        &[
            ("id", "1"),
            ("name", "'g'"),
            ("description", "'d'"),
            ("root_role", "2"),
            ("external_names", r#"'["x"]'"#),
            ("members", "'[2]'"),
            ("project_roles", "'[]'"),
        ],
    ),
    (
        "project_settings",
        &[
            ("project", "'p'"),
            ("mode", "'open'"),
            ("feature_limit", "100"),
            ("naming", "null"),
            ("link_templates", "'[]'"),
        ],
    ),
    (
        "sign_up_links",
        &[
            ("id", "1"),
            (
                "secret_hash",
                "x'0202020202020202020202020202020202020202020202020202020202020202'",
            ),
            ("sealed_secret", "null"),
            ("name", "'l'"),
            ("enabled", "true"),
            ("role", "3"),
            ("created_by", "'admin-1'"),
            ("created_at", "1796006121319391"),
            ("expires_at", "1796092521000000"),
            ("users", "'[2]'"),
        ],
    ),
    ("instance_settings", &[("name", "'n'"), ("value", "'v'")]),
    (
        "usage_inbox",
        &[("writer", "1"), ("number", "1"), ("counts", "x''")],
    ),
    (
        "usage_writers",
        &[
            ("writer", "1"),
            ("appended", "1"),
            ("folded", "0"),
            ("seen_at", "1796006121418649"),
        ],
    ),
    (
        "usage_blocks",
        &[
            ("flag", "'f'"),
            ("width", "60"),
            ("starts_at", "1796004000000000"),
            ("environment", "'qa'"),
            ("application", "'a'"),
            ("counts", "x'01010176230301010002'"),
        ],
    ),
    (
        "usage_reporters",
        &[
            ("flag", "'f'"),
            ("environment", "'qa'"),
            ("application", "'a'"),
            ("last_reported", "1796006100000000"),
        ],
    ),
    (
        "change_request_titles",
        &[
            ("change_request", "1"),
            ("position", "0"),
            ("title", "'How it was called'"),
            ("until", "1796006100000000"),
            ("by_id", "3"),
            ("by_name", "'maria'"),
        ],
    ),
    (
        "usage_report_keys",
        &[("hash", "x'0303'"), ("stored_at", "1796006100000000")],
    ),
    (
        "environment_revisions",
        &[("environment", "'qa'"), ("revision", "26"), ("mark", "0")],
    ),
    (
        "tag_types",
        &[
            ("name", "'simple'"),
            ("description", "'Used to simplify filtering of features'"),
            ("icon", "'#'"),
            ("color", "'#FFFFFF'"),
            ("tag_values", "'[]'"),
        ],
    ),
];

/// What migrations write by themselves of what earlier versions had: a table, and those that have it from there.
pub(super) const DERIVED: [&str; 4] = [
    "environment_revisions",
    "tag_types",
    "usage_blocks",
    "usage_reporters",
];

/// Tables with one row, which is there from the start, and what it says.
pub(super) const PRESENT: &[Row] = &[
    (
        "store_state",
        &[
            ("id", "1"),
            ("sequence", "27"),
            ("configuration", "26"),
            ("next_segment", "2"),
            ("next_change_request", "2"),
            ("next_change", "5"),
            ("next_comment", "2"),
            ("next_token", "4"),
            ("next_user", "1"),
            ("next_personal_token", "1"),
            ("next_role", "101"),
            ("next_group", "1"),
            ("next_sign_up_link", "1"),
            ("mark", "0"),
        ],
    ),
    (
        "usage_folding",
        &[
            ("id", "1"),
            ("bounds", "null"),
            ("flag", "null"),
            ("edition", "0"),
        ],
    ),
];
