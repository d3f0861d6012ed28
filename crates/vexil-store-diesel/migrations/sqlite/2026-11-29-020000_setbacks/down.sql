alter table change_requests drop column setback;
