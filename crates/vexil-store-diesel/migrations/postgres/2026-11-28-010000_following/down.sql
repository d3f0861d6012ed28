drop table environment_revisions;
drop table change_log;
