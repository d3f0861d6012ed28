-- Instants are microseconds since 1970-01-01 00:00 UTC. Lists and maps are JSON text. Names are compared by
-- their bytes. Which values may stand together (a flag and its project, a strategy and its segments) is for the
-- server to check, so foreign keys only tie the parts of one value together.

-- The one row of the whole store: its revision and the next ids.
create table store_state (
    id bigint primary key check (id = 1),
    sequence bigint not null,
    configuration bigint not null,
    next_segment bigint not null,
    next_change_request bigint not null,
    next_change bigint not null,
    next_comment bigint not null,
    next_token bigint not null
);

create table projects (
    id text collate "C" primary key,
    name text not null,
    description text,
    created_at bigint not null,
    default_stickiness text not null
);

-- `required_approvals` is null where changes need no change request.
create table project_environments (
    project text collate "C" not null references projects (id) on delete cascade,
    environment text collate "C" not null,
    required_approvals bigint,
    default_strategy text,
    primary key (project, environment)
);

create table environments (
    name text collate "C" primary key,
    kind text not null,
    sort_order bigint not null,
    enabled boolean not null,
    protected boolean not null,
    required_approvals bigint
);

create table flags (
    name text collate "C" primary key,
    project text collate "C" not null,
    kind text not null,
    description text,
    stale boolean not null,
    impression_data boolean not null,
    created_by_id bigint,
    created_by_name text,
    created_at bigint not null,
    archived_at bigint
);

create table flag_dependencies (
    flag text collate "C" not null references flags (name) on delete cascade,
    position bigint not null,
    parent text collate "C" not null,
    enabled boolean not null,
    variants text not null,
    primary key (flag, position)
);

create table flag_environments (
    flag text collate "C" not null references flags (name) on delete cascade,
    environment text collate "C" not null,
    enabled boolean not null,
    variants text not null,
    primary key (flag, environment)
);

create table strategies (
    flag text collate "C" not null,
    environment text collate "C" not null,
    position bigint not null,
    id text collate "C" not null,
    name text not null,
    title text,
    disabled boolean not null,
    sort_order bigint not null,
    parameters text not null,
    constraints text not null,
    segments text not null,
    variants text not null,
    primary key (flag, environment, position),
    foreign key (flag, environment) references flag_environments (flag, environment) on delete cascade
);

create table segments (
    id bigint primary key,
    name text not null,
    description text,
    project text collate "C",
    constraints text not null,
    created_by text,
    created_at bigint
);

create table strategy_types (
    name text collate "C" primary key,
    display_name text,
    description text not null,
    built_in boolean not null,
    deprecated boolean not null,
    parameters text not null
);

create table change_requests (
    id bigint primary key,
    title text,
    project text collate "C" not null,
    environment text collate "C" not null,
    min_approvals bigint not null,
    state text not null,
    created_by_id bigint not null,
    created_by_name text not null,
    created_at bigint not null,
    state_timestamps text not null,
    scheduled_at bigint,
    scheduled_by_id bigint,
    scheduled_by_name text,
    schedule_status text,
    schedule_reason text
);

create table change_request_changes (
    change_request bigint not null references change_requests (id) on delete cascade,
    position bigint not null,
    id bigint not null,
    flag text collate "C",
    change text not null,
    found text,
    created_by_id bigint not null,
    created_by_name text not null,
    created_at bigint not null,
    primary key (change_request, position)
);

-- The segments that the changes change or give to strategies.
create table change_request_segments (
    change_request bigint not null references change_requests (id) on delete cascade,
    segment bigint not null,
    primary key (change_request, segment)
);

create table change_request_reviews (
    change_request bigint not null references change_requests (id) on delete cascade,
    position bigint not null,
    approved boolean not null,
    created_by_id bigint not null,
    created_by_name text not null,
    created_at bigint not null,
    primary key (change_request, position)
);

create table change_request_comments (
    change_request bigint not null references change_requests (id) on delete cascade,
    position bigint not null,
    id bigint not null,
    text text not null,
    created_by_id bigint not null,
    created_by_name text not null,
    created_at bigint not null,
    primary key (change_request, position)
);

-- The people asked for a review.
create table change_request_reviewers (
    change_request bigint not null references change_requests (id) on delete cascade,
    position bigint not null,
    actor bigint not null,
    primary key (change_request, position)
);

create table api_tokens (
    id bigint primary key,
    name text not null,
    secret_hash bytea not null unique,
    kind text not null,
    environment text collate "C",
    projects text not null,
    created_at bigint not null,
    expires_at bigint,
    seen_at bigint
);

create table events (
    id bigint generated always as identity primary key,
    kind text collate "C" not null,
    created_at bigint not null,
    created_by_id bigint not null,
    created_by_name text not null,
    project text collate "C",
    environment text collate "C",
    flag text collate "C",
    data text,
    pre_data text,
    change_request bigint
);

-- Who reported what. Usage rows refer to it without a foreign key, since they come in by the
-- ten thousand; they are only ever written together with their series.
create table usage_series (
    id bigint generated always as identity primary key,
    flag text collate "C" not null,
    application text collate "C" not null,
    environment text collate "C" not null,
    last_reported bigint not null,
    unique (flag, application, environment)
);

-- `width` is 60 or 3600 seconds.
create table usage (
    series bigint not null,
    width bigint not null,
    starts_at bigint not null,
    yes_count bigint not null,
    no_count bigint not null,
    primary key (series, width, starts_at)
);

create table usage_variants (
    series bigint not null,
    width bigint not null,
    starts_at bigint not null,
    variant text collate "C" not null,
    times bigint not null,
    primary key (series, width, starts_at, variant)
);

create table instances (
    application text collate "C" not null,
    environment text collate "C" not null,
    instance text collate "C" not null,
    sdk_version text,
    strategies text not null,
    started bigint,
    report_interval bigint,
    seen_at bigint not null,
    first_seen bigint not null,
    primary key (application, environment, instance)
);

insert into store_state values (1, 0, 0, 1, 1, 1, 1, 1);

-- An author has at most one pending change request in a project and environment.
create unique index one_pending_change_request on change_requests (created_by_id, project, environment)
    where state in ('Draft', 'In review', 'Approved');
create index change_requests_by_project on change_requests (project, environment);
create index change_request_changes_by_flag on change_request_changes (flag);
create index change_request_segments_by_segment on change_request_segments (segment);
create index events_by_project on events (project, id);
create index events_by_flag on events (flag, id);
create index events_by_change_request on events (change_request);
create index events_by_time on events (created_at);
-- For deleting old rows alone; being partial, they do not tempt other queries.
create index usage_minutes_by_age on usage (starts_at) where width = 60;
create index usage_hours_by_age on usage (starts_at) where width = 3600;
create index usage_variants_minutes_by_age on usage_variants (starts_at) where width = 60;
create index usage_variants_hours_by_age on usage_variants (starts_at) where width = 3600;
create index usage_series_by_age on usage_series (last_reported);
