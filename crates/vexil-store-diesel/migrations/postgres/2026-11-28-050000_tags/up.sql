-- Tags of a flag, as pairs of type and value: a JSON list.
alter table flags add column tags text not null default '[]';

create table tag_types (
    name text collate "C" primary key,
    description text,
    icon text,
    color text,
    tag_values text not null
);

-- The type that every instance begins with. A new database gets it with its first project.
insert into tag_types (name, description, icon, color, tag_values)
    select 'simple', 'Used to simplify filtering of features', '#', '#FFFFFF', '[]' from store_state
    where exists (select 1 from projects);
