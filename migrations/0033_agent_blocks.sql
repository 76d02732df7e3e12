-- Finds the last run of an agent block, also after the block was deleted and restored.
create index runs_block on runs (org_id, project_id, block_id, id desc) where block_id is not null;
