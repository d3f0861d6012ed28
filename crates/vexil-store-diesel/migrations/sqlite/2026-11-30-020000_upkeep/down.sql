alter table users drop column favorites;
alter table flags drop column completed;
alter table flags drop column links;
