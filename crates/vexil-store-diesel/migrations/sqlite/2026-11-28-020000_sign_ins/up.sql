-- Who a session acts as: a user, a user by a personal access token, or an API token.
create table sessions (
    secret_hash blob primary key,
    holder text not null,
    owner integer,
    token integer,
    created_at integer not null,
    seen_at integer not null,
    expires_at integer not null,
    address text,
    user_agent text
) strict;

create index sessions_by_owner on sessions (owner);

create table links (
    secret_hash blob primary key,
    owner integer not null,
    purpose text not null,
    created_at integer not null,
    expires_at integer not null
) strict;

create index links_by_owner on links (owner);
