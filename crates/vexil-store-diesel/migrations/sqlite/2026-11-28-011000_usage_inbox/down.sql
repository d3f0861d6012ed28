drop table usage_report_keys;
drop table usage_reporters;
drop table usage_blocks;
drop table usage_folding;
drop table usage_writers;
drop table usage_inbox;
