alter table store_state add column next_user bigint not null default 1;
alter table store_state add column next_personal_token bigint not null default 1;

create table users (
    id bigint primary key,
    username text,
    email text,
    name text,
    root_role text not null,
    password_hash text,
    created_at bigint not null,
    seen_at bigint
);

create table personal_tokens (
    id bigint primary key,
    owner bigint not null references users (id) on delete cascade,
    description text not null,
    secret_hash bytea not null,
    created_at bigint not null,
    expires_at bigint not null,
    seen_at bigint
);

-- Without an environment a grant holds in all of them.
create table user_grants (
    owner bigint not null references users (id) on delete cascade,
    position bigint not null,
    project text collate "C" not null,
    environment text collate "C",
    permission text not null,
    primary key (owner, position)
);

create index personal_tokens_by_owner on personal_tokens (owner);
