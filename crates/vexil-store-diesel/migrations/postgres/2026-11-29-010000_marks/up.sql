-- Tells commits of the same number apart, where a database was put back to an earlier state and went on from there.
alter table store_state add column mark bigint not null default 0;
alter table environment_revisions add column mark bigint not null default 0;
