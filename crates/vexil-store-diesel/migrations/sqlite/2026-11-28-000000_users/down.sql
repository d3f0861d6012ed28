drop table user_grants;
drop table personal_tokens;
drop table users;
alter table store_state drop column next_personal_token;
alter table store_state drop column next_user;
