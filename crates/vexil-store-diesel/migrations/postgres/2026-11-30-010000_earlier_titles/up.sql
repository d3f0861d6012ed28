-- The titles that change requests had after their draft.
create table change_request_titles (
    change_request bigint not null references change_requests (id) on delete cascade,
    position bigint not null,
    title text,
    until bigint not null,
    by_id bigint not null,
    by_name text not null,
    primary key (change_request, position)
);
