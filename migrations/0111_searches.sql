-- The health page counts sources that sync and that fail, across organizations.
create index knowledge_sources_syncing on knowledge_sources (org_id) where progress is not null;
create index knowledge_sources_failing on knowledge_sources (org_id)
  where enabled and (failures > 0 or paused_reason is not null);
