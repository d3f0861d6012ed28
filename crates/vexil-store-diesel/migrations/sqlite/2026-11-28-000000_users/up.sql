alter table store_state add column next_user integer not null default 1;
alter table store_state add column next_personal_token integer not null default 1;

create table users (
    id integer primary key,
    username text,
    email text,
    name text,
    root_role text not null,
    password_hash text,
    created_at integer not null,
    seen_at integer
) strict;

create table personal_tokens (
    id integer primary key,
    owner integer not null references users (id) on delete cascade,
    description text not null,
    secret_hash blob not null,
    created_at integer not null,
    expires_at integer not null,
    seen_at integer
) strict;

-- Without an environment a grant holds in all of them.
create table user_grants (
    owner integer not null references users (id) on delete cascade,
    position integer not null,
    project text not null,
    environment text,
    permission text not null,
    primary key (owner, position)
) strict;

create index personal_tokens_by_owner on personal_tokens (owner);
