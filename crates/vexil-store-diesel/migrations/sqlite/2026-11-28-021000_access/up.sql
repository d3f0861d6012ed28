alter table store_state add column next_role integer not null default 101;
alter table store_state add column next_group integer not null default 1;
alter table store_state add column next_sign_up_link integer not null default 1;

-- Lists and maps are JSON text, as everywhere.
create table roles (
    id integer primary key,
    kind text not null,
    name text not null,
    description text not null,
    permissions text not null
) strict;

create table user_groups (
    id integer primary key,
    name text not null,
    description text not null,
    root_role integer,
    external_names text not null,
    members text not null,
    project_roles text not null
) strict;

create table project_settings (
    project text primary key not null,
    mode text not null,
    feature_limit integer,
    naming text,
    link_templates text not null
) strict;

create table sign_up_links (
    id integer primary key,
    secret_hash blob not null,
    sealed_secret blob,
    name text not null,
    enabled integer not null check (enabled in (0, 1)),
    role integer not null,
    created_by text not null,
    created_at integer not null,
    expires_at integer not null,
    users text not null
) strict;

create table instance_settings (
    name text primary key not null,
    value text not null
) strict;

alter table api_tokens add column sealed_secret blob;

-- Root roles are known by id, since there are custom ones.
alter table users add column role integer not null default 3;
update users set role = case root_role when 'Admin' then 1 when 'Editor' then 2 else 3 end;
alter table users drop column root_role;
alter table users add column project_roles text not null default '[]';
alter table users add column external_issuer text;
alter table users add column external_subject text;
alter table users add column closed_notices text not null default '[]';
alter table users add column feedback text not null default '[]';

drop index change_log_credentials;
create index change_log_credentials on change_log (sequence) where kind in ('token', 'user', 'access');
