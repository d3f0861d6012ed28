alter table environment_revisions drop column mark;
alter table store_state drop column mark;
