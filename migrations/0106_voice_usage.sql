-- `transcription` and `speech`: recordings that a model transcribed, and answers that it read aloud. Existing rows need
-- no check: all of them meet the former constraint.
alter table usage drop constraint usage_kind_check;
alter table usage add constraint usage_kind_check
  check (kind in ('tokens', 'guardrail', 'call', 'sms', 'tool', 'payment', 'transcription', 'speech')) not valid;
