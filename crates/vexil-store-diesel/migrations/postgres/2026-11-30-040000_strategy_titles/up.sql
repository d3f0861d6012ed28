-- What people call a strategy type.
alter table strategy_types add column title text;
