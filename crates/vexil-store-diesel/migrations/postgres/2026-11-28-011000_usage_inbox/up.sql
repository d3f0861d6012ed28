-- What was reported and is not folded yet: each row is what arrived together, packed. A writer is a process; it
-- counts its own rows, so that one whose outcome is not known can be appended again and counts once.
create table usage_inbox (
    id bigint generated always as identity primary key,
    writer bigint not null,
    number bigint not null,
    counts bytea not null,
    unique (writer, number)
);

-- How far each writer has come, and how much of that is folded.
create table usage_writers (
    writer bigint not null primary key,
    appended bigint not null,
    folded bigint not null,
    seen_at bigint not null
);

-- The one row about folding. While it is done in several steps, `bounds` says up to which number of each writer,
-- and `flag` the last one that is folded. `edition` tells that rows of the inbox were rewritten.
create table usage_folding (
    id bigint not null primary key check (id = 1),
    bounds text,
    flag text collate "C",
    edition bigint not null
);
insert into usage_folding values (1, null, null, 0);

-- Minutes of an hour, hours of a day, days: a stretch of time in each row. `width` is 60, 3600 or 86400 seconds.
create table usage_blocks (
    flag text collate "C" not null,
    width bigint not null,
    starts_at bigint not null,
    environment text collate "C" not null,
    application text collate "C" not null,
    counts bytea not null,
    primary key (flag, width, starts_at, environment, application)
) with (fillfactor = 70);
create index usage_blocks_by_age on usage_blocks (width, starts_at);

-- Who reported what, and when last.
create table usage_reporters (
    flag text collate "C" not null,
    environment text collate "C" not null,
    application text collate "C" not null,
    last_reported bigint not null,
    primary key (flag, environment, application)
);
create index usage_reporters_by_application on usage_reporters (application);

-- What senders called their reports, as hashes, so that a report that is sent again is not counted twice.
create table usage_report_keys (
    hash bytea not null primary key,
    stored_at bigint not null
);
create index usage_report_keys_by_age on usage_report_keys (stored_at);
