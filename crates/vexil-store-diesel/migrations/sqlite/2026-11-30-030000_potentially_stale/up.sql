-- Whether a flag is older than flags of its type are expected to become.
alter table flags add column potentially_stale integer not null default 0 check (potentially_stale in (0, 1));
