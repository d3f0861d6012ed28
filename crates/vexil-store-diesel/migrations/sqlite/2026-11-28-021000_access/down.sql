drop index change_log_credentials;
create index change_log_credentials on change_log (sequence) where kind in ('token', 'user');

alter table users drop column feedback;
alter table users drop column closed_notices;
alter table users drop column external_subject;
alter table users drop column external_issuer;
alter table users drop column project_roles;
alter table users add column root_role text not null default 'Viewer';
update users set root_role = case role when 1 then 'Admin' when 2 then 'Editor' else 'Viewer' end;
alter table users drop column role;

alter table api_tokens drop column sealed_secret;

drop table instance_settings;
drop table sign_up_links;
drop table project_settings;
drop table user_groups;
drop table roles;

alter table store_state drop column next_sign_up_link;
alter table store_state drop column next_group;
alter table store_state drop column next_role;
