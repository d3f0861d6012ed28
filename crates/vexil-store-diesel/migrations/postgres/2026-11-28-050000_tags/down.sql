drop table tag_types;
alter table flags drop column tags;
