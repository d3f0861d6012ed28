-- The rules of an environment that a project has left stay, for when it comes back.
alter table project_environments add column in_use boolean not null default true;

-- What was approved.
alter table change_request_reviews add column effect text;
