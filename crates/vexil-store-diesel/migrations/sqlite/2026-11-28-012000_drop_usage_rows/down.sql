-- Empty: what was counted is not taken back into these tables.
create table usage_series (
    id integer primary key autoincrement,
    flag text not null,
    application text not null,
    environment text not null,
    last_reported integer not null,
    unique (flag, application, environment)
) strict;
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
create index usage_minutes_by_age on usage (starts_at) where width = 60;
create index usage_hours_by_age on usage (starts_at) where width = 3600;
create index usage_variants_minutes_by_age on usage_variants (starts_at) where width = 60;
create index usage_variants_hours_by_age on usage_variants (starts_at) where width = 3600;
create index usage_series_by_age on usage_series (last_reported);
