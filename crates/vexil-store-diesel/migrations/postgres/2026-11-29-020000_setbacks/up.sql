-- That approvals went, and why: a document.
alter table change_requests add column setback text;
