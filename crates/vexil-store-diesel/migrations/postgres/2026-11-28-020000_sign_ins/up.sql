-- Who a session acts as: a user, a user by a personal access token, or an API token.
create table sessions (
    secret_hash bytea primary key,
    holder text not null,
    owner bigint,
    token bigint,
    created_at bigint not null,
    seen_at bigint not null,
    expires_at bigint not null,
    address text,
    user_agent text
);

create index sessions_by_owner on sessions (owner);

create table links (
    secret_hash bytea primary key,
    owner bigint not null,
    purpose text not null,
    created_at bigint not null,
    expires_at bigint not null
);

create index links_by_owner on links (owner);
