alter table change_request_reviews drop column effect_revision;
alter table change_request_reviews drop column effect_words;
alter table project_environments drop column changed_effect;
