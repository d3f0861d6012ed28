-- What each commit touched: one row of kind `commit` with the id of the commit, and one for each key. So servers
-- that share a database follow each other by reading what changed. A missing `commit` row means that somebody
-- committed who did not know this table: then everything is read anew.
create table change_log (
    sequence integer not null,
    kind text not null,
    key text not null,
    primary key (sequence, kind, key)
) strict, without rowid;
create index change_log_credentials on change_log (sequence) where kind in ('token', 'user');

-- The sequence of the last commit that changed what SDKs are told in an environment.
create table environment_revisions (
    environment text not null primary key,
    revision integer not null
) strict, without rowid;
insert into environment_revisions select name, configuration from environments, store_state;
