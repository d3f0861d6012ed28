-- Whether a flag is older than flags of its type are expected to become.
alter table flags add column potentially_stale boolean not null default false;
