-- Empty: what was counted is not taken back into these tables.
create table usage_series (
    id bigint generated always as identity primary key,
    flag text collate "C" not null,
    application text collate "C" not null,
    environment text collate "C" not null,
    last_reported bigint not null,
    unique (flag, application, environment)
);
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
create index usage_minutes_by_age on usage (starts_at) where width = 60;
create index usage_hours_by_age on usage (starts_at) where width = 3600;
create index usage_variants_minutes_by_age on usage_variants (starts_at) where width = 60;
create index usage_variants_hours_by_age on usage_variants (starts_at) where width = 3600;
create index usage_series_by_age on usage_series (last_reported);
