-- `transcription` and `speech`: recordings that a model transcribed, and answers that it read aloud.
alter table usage drop constraint usage_kind_check;
alter table usage add constraint usage_kind_check
  check (kind in ('tokens', 'guardrail', 'call', 'sms', 'tool', 'payment', 'transcription', 'speech'));
