-- The health page counts sources that sync and that fail, across organizations.
create index knowledge_sources_syncing on knowledge_sources (org_id) where progress is not null;
create index knowledge_sources_failing on knowledge_sources (org_id)
  where enabled and (failures > 0 or paused_reason is not null);

-- In US dollars. Null: the provider's list price, or unknown.
alter table web_search_settings add column price_per_search numeric(12, 6) check (price_per_search >= 0);

-- `search`: a web search that its provider bills. Existing rows need no check: all of them meet the former constraint.
alter table usage drop constraint usage_kind_check;
alter table usage add constraint usage_kind_check
  check (kind in ('tokens', 'guardrail', 'call', 'sms', 'tool', 'payment', 'transcription', 'speech', 'description',
    'embedding', 'search')) not valid;
