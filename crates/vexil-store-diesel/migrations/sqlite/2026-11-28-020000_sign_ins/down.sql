drop table links;
drop table sessions;
