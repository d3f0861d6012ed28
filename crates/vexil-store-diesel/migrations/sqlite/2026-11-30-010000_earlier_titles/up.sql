-- The titles that change requests had after their draft.
create table change_request_titles (
    change_request integer not null references change_requests (id) on delete cascade,
    position integer not null,
    title text,
    until integer not null,
    by_id integer not null,
    by_name text not null,
    primary key (change_request, position)
) strict, without rowid;
