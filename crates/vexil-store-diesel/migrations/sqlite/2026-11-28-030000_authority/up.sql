-- The rules of an environment that a project has left stay, for when it comes back.
alter table project_environments add column in_use integer not null default 1 check (in_use in (0, 1));

-- What was approved.
alter table change_request_reviews add column effect text;
