alter table change_request_reviews drop column effect;
delete from project_environments where not in_use;
alter table project_environments drop column in_use;
