alter table store_state add column next_role bigint not null default 101;
alter table store_state add column next_group bigint not null default 1;
alter table store_state add column next_sign_up_link bigint not null default 1;

-- Lists and maps are JSON text, as everywhere.
create table roles (
    id bigint primary key,
    kind text not null,
    name text not null,
    description text not null,
    permissions text not null
);

create table user_groups (
    id bigint primary key,
    name text not null,
    description text not null,
    root_role bigint,
    external_names text not null,
    members text not null,
    project_roles text not null
);

create table project_settings (
    project text collate "C" primary key not null,
    mode text not null,
    feature_limit bigint,
    naming text,
    link_templates text not null
);

create table sign_up_links (
    id bigint primary key,
    secret_hash bytea not null,
    sealed_secret bytea,
    name text not null,
    enabled boolean not null,
    role bigint not null,
    created_by text not null,
    created_at bigint not null,
    expires_at bigint not null,
    users text not null
);

create table instance_settings (
    name text collate "C" primary key not null,
    value text not null
);

alter table api_tokens add column sealed_secret bytea;

-- Root roles are known by id, since there are custom ones.
alter table users add column role bigint not null default 3;
update users set role = case root_role when 'Admin' then 1 when 'Editor' then 2 else 3 end;
alter table users drop column root_role;
alter table users add column project_roles text not null default '[]';
alter table users add column external_issuer text;
alter table users add column external_subject text;
alter table users add column closed_notices text not null default '[]';
alter table users add column feedback text not null default '[]';

drop index change_log_credentials;
create index change_log_credentials on change_log (sequence) where kind in ('token', 'user', 'access');
