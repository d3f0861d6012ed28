drop table change_request_titles;
