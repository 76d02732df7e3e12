-- The list of runs omits the runs of list items, which would otherwise fill it.
create index runs_listed on runs (org_id, id desc)
  where agent_id is not null and (parent_run_id is null or block_id is not null or parent_step is not null);
create index runs_listed_project on runs (org_id, project_id, id desc)
  where agent_id is not null and (parent_run_id is null or block_id is not null or parent_step is not null);
