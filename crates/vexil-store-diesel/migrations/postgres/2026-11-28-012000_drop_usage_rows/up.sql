-- What was in these tables lies in `usage_blocks` and `usage_reporters` now: the program put it there.
drop table usage_variants;
drop table usage;
drop table usage_series;
