-- What was reported and is not folded yet: each row is what arrived together, packed. A writer is a process; it
-- counts its own rows, so that one whose outcome is not known can be appended again and counts once.
create table usage_inbox (
    id integer not null primary key,
    writer integer not null,
    number integer not null,
    counts blob not null,
    unique (writer, number)
) strict;

-- How far each writer has come, and how much of that is folded.
create table usage_writers (
    writer integer not null primary key,
    appended integer not null,
    folded integer not null,
    seen_at integer not null
) strict;

-- The one row about folding. While it is done in several steps, `bounds` says up to which number of each writer,
-- and `flag` the last one that is folded. `edition` tells that rows of the inbox were rewritten.
create table usage_folding (
    id integer not null primary key check (id = 1),
    bounds text,
    flag text,
    edition integer not null
) strict;
insert into usage_folding values (1, null, null, 0);

-- Minutes of an hour, hours of a day, days: a stretch of time in each row. `width` is 60, 3600 or 86400 seconds.
create table usage_blocks (
    flag text not null,
    width integer not null,
    starts_at integer not null,
    environment text not null,
    application text not null,
    counts blob not null,
    primary key (flag, width, starts_at, environment, application)
) strict, without rowid;
create index usage_blocks_by_age on usage_blocks (width, starts_at);

-- Who reported what, and when last.
create table usage_reporters (
    flag text not null,
    environment text not null,
    application text not null,
    last_reported integer not null,
    primary key (flag, environment, application)
) strict, without rowid;
create index usage_reporters_by_application on usage_reporters (application);

-- What senders called their reports, as hashes, so that a report that is sent again is not counted twice.
create table usage_report_keys (
    hash blob not null primary key,
    stored_at integer not null
) strict, without rowid;
create index usage_report_keys_by_age on usage_report_keys (stored_at);
