-- What becomes of approvals when the effect becomes another one: `refuse` or `warn`; null where no rule is.
alter table project_environments add column changed_effect text;

-- What was approved, in words, and at which revision.
alter table change_request_reviews add column effect_words text;
alter table change_request_reviews add column effect_revision bigint;
