//! A row of each table that there was in some version.

/// A table, with columns and what stands there.
pub(super) type Row = (&'static str, &'static [(&'static str, &'static str)]);

/// Rows as they may be of any version, parents first. What later versions have added has the value that it gets for
/// what was there before.
pub(super) const ROWS: &[Row] = &[
    (
        "projects",
        &[
            ("id", "'p'"),
            ("name", "'P'"),
            ("description", "'d'"),
            ("created_at", "1796006120385233"),
            ("default_stickiness", "'userId'"),
        ],
    ),
    (
        "environments",
        &[
            ("name", "'qa'"),
            ("kind", "'test'"),
            ("sort_order", "2"),
            ("enabled", "true"),
            ("protected", "false"),
            ("required_approvals", "3"),
        ],
    ),
    (
        "project_environments",
        &[
            ("project", "'p'"),
            ("environment", "'qa'"),
            ("required_approvals", "2"),
            (
                "default_strategy",
                r#"'{"id":"default","name":"flexibleRollout","title":null,"disabled":false,"sortOrder":0,"parameters":{"groupId":"g","rollout":"10","stickiness":"default"},"constraints":[],"segments":[],"variants":[]}'"#,
            ),
            ("in_use", "true"),
            ("changed_effect", "null"),
        ],
    ),
    (
        "flags",
        &[
            ("name", "'f'"),
            ("project", "'p'"),
            ("kind", "'release'"),
            ("description", "'Ω'"),
            ("stale", "true"),
            ("impression_data", "true"),
            ("created_by_id", "-1001"),
            ("created_by_name", "'admin-1'"),
            ("created_at", "1796006120868740"),
            ("archived_at", "1796006120868741"),
            ("tags", "'[]'"),
            ("links", "'[]'"),
            ("completed", "null"),
            ("potentially_stale", "false"),
        ],
    ),
    (
        "flag_dependencies",
        &[
            ("flag", "'f'"),
            ("position", "0"),
            ("parent", "'g'"),
            ("enabled", "true"),
            ("variants", r#"'["v"]'"#),
        ],
    ),
    (
        "flag_environments",
        &[
            ("flag", "'f'"),
            ("environment", "'qa'"),
            ("enabled", "true"),
            ("variants", "'[]'"),
        ],
    ),
    (
        "strategies",
        &[
            ("flag", "'f'"),
            ("environment", "'qa'"),
            ("position", "0"),
            ("id", "'s1'"),
            ("name", "'flexibleRollout'"),
            ("title", "'t'"),
            ("disabled", "true"),
            ("sort_order", "7"),
            (
                "parameters",
                r#"'{"groupId":"f","rollout":"50","stickiness":"default"}'"#,
            ),
            (
                "constraints",
                r#"'[{"contextName":"c","operator":"IN","values":["NO"]}]'"#,
            ),
            ("segments", "'[1]'"),
            (
                "variants",
                r#"'[{"name":"v","weight":1000,"weightType":"variable","stickiness":"default","payload":{"type":"string","value":"x"}}]'"#,
            ),
        ],
    ),
    (
        "segments",
        &[
            ("id", "1"),
            ("name", "'seg'"),
            ("description", "'d'"),
            ("project", "'p'"),
            (
                "constraints",
                r#"'[{"contextName":"userId","operator":"IN","values":["1"]}]'"#,
            ),
            ("created_by", "'ada'"),
            ("created_at", "1796006120834292"),
        ],
    ),
    (
        "strategy_types",
        &[
            ("name", "'own'"),
            ("display_name", "'Own'"),
            ("description", "'d'"),
            ("built_in", "false"),
            ("deprecated", "true"),
            (
                "parameters",
                r#"'[{"name":"n","type":"list","description":"d","required":true}]'"#,
            ),
        ],
    ),
    (
        "change_requests",
        &[
            ("id", "1"),
            ("title", "'title'"),
            ("project", "'p'"),
            ("environment", "'qa'"),
            ("min_approvals", "1"),
            ("state", "'Scheduled'"),
            ("created_by_id", "2"),
            ("created_by_name", "'ed'"),
            ("created_at", "1796006120930584"),
            (
                "state_timestamps",
                r#"'{"Approved":1796006120938131,"Draft":1796006120930584,"Scheduled":1796006120940062}'"#,
            ),
            ("scheduled_at", "1796092520000000"),
            ("scheduled_by_id", "3"),
            ("scheduled_by_name", "'rev'"),
            ("schedule_status", "'pending'"),
            ("schedule_reason", "null"),
            ("setback", "null"),
        ],
    ),
    (
        "change_request_changes",
        &[
            ("change_request", "1"),
            ("position", "0"),
            ("id", "3"),
            ("flag", "'f'"),
            (
                "change",
                r#"'{"action":"updateEnabled","payload":{"enabled":true}}'"#,
            ),
            ("found", r#"'{"enabled":false}'"#),
            ("created_by_id", "2"),
            ("created_by_name", "'ed'"),
            ("created_at", "1796006120930584"),
        ],
    ),
    (
        "change_request_segments",
        &[("change_request", "1"), ("segment", "1")],
    ),
    (
        "change_request_reviews",
        &[
            ("change_request", "1"),
            ("position", "0"),
            ("approved", "true"),
            ("created_by_id", "3"),
            ("created_by_name", "'rev'"),
            ("created_at", "1796006120938131"),
            ("effect", "null"),
            ("effect_words", "null"),
            ("effect_revision", "null"),
        ],
    ),
    (
        "change_request_comments",
        &[
            ("change_request", "1"),
            ("position", "0"),
            ("id", "1"),
            ("text", "'hi'"),
            ("created_by_id", "3"),
            ("created_by_name", "'rev'"),
            ("created_at", "1796006120934817"),
        ],
    ),
    (
        "change_request_reviewers",
        &[("change_request", "1"), ("position", "0"), ("actor", "3")],
    ),
    (
        "api_tokens",
        &[
            ("id", "1"),
            ("name", "'t'"),
            (
                "secret_hash",
                "x'49642ae144c3555a23cbec091e408a771902edb649642ae144c3555a23cbec09'",
            ),
            ("kind", "'client'"),
            ("environment", "'qa'"),
            ("projects", r#"'["p"]'"#),
            ("created_at", "1796006120385233"),
            ("expires_at", "1896006120385233"),
            ("seen_at", "1796006120385234"),
            ("sealed_secret", "null"),
        ],
    ),
    (
        "events",
        &[
            ("kind", "'feature-created'"),
            ("created_at", "1796006120385233"),
            ("created_by_id", "-1"),
            ("created_by_name", "'system'"),
            ("project", "'p'"),
            ("environment", "'qa'"),
            ("flag", "'f'"),
            ("data", r#"'{"name":"f"}'"#),
            ("pre_data", "'{}'"),
            ("change_request", "1"),
        ],
    ),
    (
        "usage_series",
        &[
            ("flag", "'f'"),
            ("application", "'a'"),
            ("environment", "'qa'"),
            ("last_reported", "1796006100000000"),
        ],
    ),
    (
        "usage",
        &[
            ("series", "1"),
            ("width", "60"),
            ("starts_at", "1796006100000000"),
            ("yes_count", "3"),
            ("no_count", "1"),
        ],
    ),
    (
        "usage_variants",
        &[
            ("series", "1"),
            ("width", "60"),
            ("starts_at", "1796006100000000"),
            ("variant", "'v'"),
            ("times", "2"),
        ],
    ),
    (
        "instances",
        &[
            ("application", "'a'"),
            ("environment", "'qa'"),
            ("instance", "'i'"),
            ("sdk_version", "'x:1'"),
            ("strategies", r#"'["default"]'"#),
            ("started", "1796006121000000"),
            ("report_interval", "1000"),
            ("seen_at", "1796006121432991"),
            ("first_seen", "1796006121432991"),
        ],
    ),
    (
        "users",
        &[
            ("id", "2"),
            ("username", "'ed'"),
            ("email", "'ed@example.com'"),
            ("name", "'Ed'"),
            ("root_role", "'Editor'"),
            (
                "password_hash",
                "'$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAA'",
            ),
            ("created_at", "1796006120922272"),
            ("seen_at", "1796006120922273"),
            ("role", "2"),
            ("project_roles", "'[]'"),
            ("external_issuer", "null"),
            ("external_subject", "null"),
            ("closed_notices", "'[]'"),
            ("feedback", "'[]'"),
            ("favorites", "'[[],[]]'"),
        ],
    ),
    (
        "personal_tokens",
        &[
            ("id", "1"),
            ("owner", "2"),
            ("description", "'t'"),
            (
                "secret_hash",
                "x'ea753148f292a3a62fe9e9962a8600ac0700889eea753148f292a3a62fe9e996'",
            ),
            ("created_at", "1796006120923595"),
            ("expires_at", "4070908800000000"),
            ("seen_at", "1796006120923596"),
        ],
    ),
    (
        "user_grants",
        &[
            ("owner", "2"),
            ("position", "0"),
            ("project", "'p'"),
            ("environment", "'qa'"),
            ("permission", "'APPROVE_CHANGE_REQUEST'"),
        ],
    ),
    (
        "change_log",
        &[
            ("sequence", "27"),
            ("kind", "'commit'"),
            ("key", "'d041a36f118e44a9902ee50e8ac88444'"),
        ],
    ),
    (
        "sessions",
        &[
            (
                "secret_hash",
                "x'a60c97cc41ad0dee2ee199d34527bc79521db373a60c97cc41ad0dee2ee199d3'",
            ),
            ("holder", "'user'"),
            ("owner", "2"),
            ("token", "null"),
            ("created_at", "1796006121237160"),
            ("seen_at", "1796006121237160"),
            ("expires_at", "1796610921237160"),
            ("address", "'127.0.0.1'"),
            ("user_agent", "'u'"),
        ],
    ),
    (
        "links",
        &[
            (
                "secret_hash",
                "x'0101010101010101010101010101010101010101010101010101010101010101'",
            ),
            ("owner", "2"),
            ("purpose", "'reset'"),
            ("created_at", "1796006120925931"),
            ("expires_at", "1796092520925931"),
        ],
    ),
    (
        "roles",
        &[
            ("id", "101"),
            ("kind", "'root-custom'"),
            ("name", "'r'"),
            ("description", "'d'"),
            ("permissions", "'[]'"),
        ],
    ),
];
