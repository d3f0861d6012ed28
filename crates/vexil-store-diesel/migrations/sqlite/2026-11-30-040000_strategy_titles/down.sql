alter table strategy_types drop column title;
