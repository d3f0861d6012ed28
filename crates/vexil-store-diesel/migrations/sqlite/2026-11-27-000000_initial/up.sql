-- Instants are microseconds since 1970-01-01 00:00 UTC. Lists and maps are JSON text. Names are compared by
-- their bytes. Which values may stand together (a flag and its project, a strategy and its segments) is for the
-- server to check, so foreign keys only tie the parts of one value together.

-- The one row of the whole store: its revision and the next ids.
create table store_state (
    id integer primary key check (id = 1),
    sequence integer not null,
    configuration integer not null,
    next_segment integer not null,
    next_change_request integer not null,
    next_change integer not null,
    next_comment integer not null,
    next_token integer not null
) strict;

create table projects (
    id text not null primary key,
    name text not null,
    description text,
    created_at integer not null,
    default_stickiness text not null
) strict, without rowid;

-- `required_approvals` is null where changes need no change request.
create table project_environments (
    project text not null references projects (id) on delete cascade,
    environment text not null,
    required_approvals integer,
    default_strategy text,
    primary key (project, environment)
) strict, without rowid;

create table environments (
    name text not null primary key,
    kind text not null,
    sort_order integer not null,
    enabled integer not null check (enabled in (0, 1)),
    protected integer not null check (protected in (0, 1)),
    required_approvals integer
) strict, without rowid;

create table flags (
    name text not null primary key,
    project text not null,
    kind text not null,
    description text,
    stale integer not null check (stale in (0, 1)),
    impression_data integer not null check (impression_data in (0, 1)),
    created_by_id integer,
    created_by_name text,
    created_at integer not null,
    archived_at integer
) strict, without rowid;

create table flag_dependencies (
    flag text not null references flags (name) on delete cascade,
    position integer not null,
    parent text not null,
    enabled integer not null check (enabled in (0, 1)),
    variants text not null,
    primary key (flag, position)
) strict, without rowid;

create table flag_environments (
    flag text not null references flags (name) on delete cascade,
    environment text not null,
    enabled integer not null check (enabled in (0, 1)),
    variants text not null,
    primary key (flag, environment)
) strict, without rowid;

create table strategies (
    flag text not null,
    environment text not null,
    position integer not null,
    id text not null,
    name text not null,
    title text,
    disabled integer not null check (disabled in (0, 1)),
    sort_order integer not null,
    parameters text not null,
    constraints text not null,
    segments text not null,
    variants text not null,
    primary key (flag, environment, position),
    foreign key (flag, environment) references flag_environments (flag, environment) on delete cascade
) strict, without rowid;

create table segments (
    id integer primary key,
    name text not null,
    description text,
    project text,
    constraints text not null,
    created_by text,
    created_at integer
) strict;

create table strategy_types (
    name text not null primary key,
    display_name text,
    description text not null,
    built_in integer not null check (built_in in (0, 1)),
    deprecated integer not null check (deprecated in (0, 1)),
    parameters text not null
) strict, without rowid;

create table change_requests (
    id integer primary key,
    title text,
    project text not null,
    environment text not null,
    min_approvals integer not null,
    state text not null,
    created_by_id integer not null,
    created_by_name text not null,
    created_at integer not null,
    state_timestamps text not null,
    scheduled_at integer,
    scheduled_by_id integer,
    scheduled_by_name text,
    schedule_status text,
    schedule_reason text
) strict;

create table change_request_changes (
    change_request integer not null references change_requests (id) on delete cascade,
    position integer not null,
    id integer not null,
    flag text,
    change text not null,
    found text,
    created_by_id integer not null,
    created_by_name text not null,
    created_at integer not null,
    primary key (change_request, position)
) strict, without rowid;

-- The segments that the changes change or give to strategies.
create table change_request_segments (
    change_request integer not null references change_requests (id) on delete cascade,
    segment integer not null,
    primary key (change_request, segment)
) strict, without rowid;

create table change_request_reviews (
    change_request integer not null references change_requests (id) on delete cascade,
    position integer not null,
    approved integer not null check (approved in (0, 1)),
    created_by_id integer not null,
    created_by_name text not null,
    created_at integer not null,
    primary key (change_request, position)
) strict, without rowid;

create table change_request_comments (
    change_request integer not null references change_requests (id) on delete cascade,
    position integer not null,
    id integer not null,
    text text not null,
    created_by_id integer not null,
    created_by_name text not null,
    created_at integer not null,
    primary key (change_request, position)
) strict, without rowid;

-- The people asked for a review.
create table change_request_reviewers (
    change_request integer not null references change_requests (id) on delete cascade,
    position integer not null,
    actor integer not null,
    primary key (change_request, position)
) strict, without rowid;

create table api_tokens (
    id integer primary key,
    name text not null,
    secret_hash blob not null unique,
    kind text not null,
    environment text,
    projects text not null,
    created_at integer not null,
    expires_at integer,
    seen_at integer
) strict;

create table events (
    id integer primary key autoincrement,
    kind text not null,
    created_at integer not null,
    created_by_id integer not null,
    created_by_name text not null,
    project text,
    environment text,
    flag text,
    data text,
    pre_data text,
    change_request integer
) strict;

-- Who reported what. Usage rows refer to it without a foreign key, since they come in by the
-- ten thousand; they are only ever written together with their series.
create table usage_series (
    id integer primary key autoincrement,
    flag text not null,
    application text not null,
    environment text not null,
    last_reported integer not null,
    unique (flag, application, environment)
) strict;

-- `width` is 60 or 3600 seconds.
create table usage (
    series integer not null,
    width integer not null,
    starts_at integer not null,
    yes_count integer not null,
    no_count integer not null,
    primary key (series, width, starts_at)
) strict, without rowid;

create table usage_variants (
    series integer not null,
    width integer not null,
    starts_at integer not null,
    variant text not null,
    times integer not null,
    primary key (series, width, starts_at, variant)
) strict, without rowid;

create table instances (
    application text not null,
    environment text not null,
    instance text not null,
    sdk_version text,
    strategies text not null,
    started integer,
    report_interval integer,
    seen_at integer not null,
    first_seen integer not null,
    primary key (application, environment, instance)
) strict, without rowid;

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
