alter table flags drop column potentially_stale;
